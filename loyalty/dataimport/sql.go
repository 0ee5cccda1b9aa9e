package dataimport

import (
	"context"
	"io"
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/keytext"
)

var table = db.NewTable("imports", "store_id, import_id", func(i *Import) db.Row {
	return db.Row{
		"store_id", &i.StoreKey, "import_id", &i.ID, "kind", &i.Kind, "state", &i.State, "format", &i.Format,
		"file_name", &i.FileName, "bytes", &i.Bytes, "content_hash", &i.hash, "dry_run", &i.DryRun,
		"options", db.JSON(&i.Options), "records", &i.Records, "done", &i.Done, "failed", &i.Failed, "undone", &i.Undone,
		"remaining", &i.Remaining, "error", &i.Error, "error_code", &i.ErrorCode, "created_by", db.JSON(&i.CreatedBy),
		"created_at", db.Time(&i.CreatedAt), "started_at", db.Time(&i.StartedAt), "finished_at", db.Time(&i.FinishedAt),
		"owner", &i.owner, "lease_until", db.Time(&i.leaseUntil),
	}
})

func insertImport(tx *db.Tx, i *Import) error { return table.Insert(tx, i) }

// save writes what changes while an import goes on.
func save(tx *db.Tx, i *Import) error {
	return table.Update(tx, "state, format, bytes, records, done, failed, error, error_code, started_at, finished_at, "+
		"owner, lease_until, content_hash, options, undone, remaining", i)
}

const oneImport = `SELECT * FROM imports WHERE store_id = ? AND import_id = ?`

func findImport(tx *db.Tx, storeKey int64, id string) (*Import, error) {
	return readImport(tx, oneImport, storeKey, id)
}

// lockImport is findImport for an import that is about to change.
func lockImport(tx *db.Tx, storeKey int64, id string) (*Import, error) {
	return readImport(tx, oneImport+` FOR UPDATE`, storeKey, id)
}

func readImport(tx *db.Tx, query string, storeKey int64, id string) (*Import, error) {
	i, found, err := table.One(tx, query, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &i, err
}

// earlier returns the latest import of the same content before one, if that has or will have an effect.
func earlier(tx *db.Tx, i *Import) (*Import, error) {
	if i.hash == "" {
		return nil, nil
	}
	found, known, err := table.One(tx, `SELECT * FROM imports
		WHERE store_id = ? AND kind = ? AND content_hash = ? AND import_id < ? AND NOT dry_run
			AND state NOT IN ('undoing', 'undone') AND (done > failed OR state IN ('waiting', 'running'))
		ORDER BY import_id DESC LIMIT 1`, i.StoreKey, i.Kind, i.hash, i.ID)
	if !known {
		return nil, err
	}
	return &found, err
}

// readPage returns imports of some kinds, newest first, and their number. There are few, because old ones are deleted.
func readPage(tx *db.Tx, storeKey int64, kinds []string, state string, limit, offset int) (
	found []Import, total int64, err error) {
	q := db.NewSQL(`FROM imports WHERE store_id = ? AND kind IN ?`, storeKey, db.List(kinds))
	if state != "" {
		q.And(`state = ?`, state)
	}
	count := q.Select("COUNT(*)")
	if total, err = db.Value[int64](tx, count.Text(), count.Args()...); err != nil {
		return nil, 0, err
	}
	rows := q.Select("*").Add(` ORDER BY import_id DESC LIMIT ? OFFSET ?`, limit, offset)
	found, err = table.All(tx, rows.Text(), rows.Args()...)
	return found, total, err
}

// open returns the imports of a store that are to be carried out, oldest first.
func open(tx *db.Tx, storeKey int64) ([]Import, error) {
	return table.All(tx, `SELECT * FROM imports
		WHERE store_id = ? AND state IN ('waiting', 'running') ORDER BY import_id`, storeKey)
}

var failureTable = db.NewTable("import_errors", "store_id, import_id, record", func(f *Failure) db.Row {
	return db.Row{
		"store_id", &f.storeKey, "import_id", &f.importID, "record", &f.Record, "line", &f.Line,
		"identifier", &f.Identifier, "identifier_key", db.Derived(&f.Identifier, keyOf), "message", &f.Message,
		"problems", db.JSON(&f.Problems),
	}
})

func insertFailures(tx *db.Tx, i *Import, failures []Failure) error {
	for n := range failures {
		failures[n].storeKey, failures[n].importID = i.StoreKey, i.ID
	}
	return failureTable.Insert(tx, db.Pointers(failures)...)
}

// keyOf returns the part of an identifier that may identify a customer, as it is compared: without the transfer of an
// imported transfer, as in "ida@example.org/(adding 15)".
func keyOf(identifier string) string {
	who, _, _ := strings.Cut(identifier, "/(")
	return keytext.Fold(who)
}

// failuresAfter returns refused records that follow one, in the order of the file.
func failuresAfter(tx *db.Tx, i *Import, record int64, limit, offset int) ([]Failure, error) {
	return failureTable.All(tx, `SELECT record, line, identifier, message, problems FROM import_errors
		WHERE store_id = ? AND import_id = ? AND record > ? ORDER BY record LIMIT ? OFFSET ?`,
		i.StoreKey, i.ID, record, limit, offset)
}

// partBytes is the size of the parts in which a file is stored.
const partBytes = 256 << 10

// insertPart stores a part of a file.
func insertPart(tx *db.Tx, i *Import, number int64, content []byte) error {
	return partTable.Insert(tx, &part{i.StoreKey, i.ID, number, content})
}

// storedFile reads the file of an import part by part.
type storedFile struct {
	ctx   context.Context
	db    *db.DB
	store *store.Store
	of    *Import
	next  int64
	rest  []byte
}

func (f *storedFile) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		err := store.Read(f.ctx, f.db, f.store, func(tx *db.Tx) (err error) {
			f.rest, err = db.Value[[]byte](tx, `SELECT content FROM import_parts
				WHERE store_id = ? AND import_id = ? AND number = ?`, f.of.StoreKey, f.of.ID, f.next)
			return err
		})
		if err != nil {
			return 0, err
		}
		f.next++
	}
	if len(f.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// hasFile reports whether the file of an import is still stored.
func hasFile(tx *db.Tx, i *Import) (bool, error) {
	_, found, err := partTable.One(tx, `SELECT number FROM import_parts
		WHERE store_id = ? AND import_id = ? AND number = 0`, i.StoreKey, i.ID)
	return found, err
}

// deletedAtOnce is how many rows one transaction deletes, so that others do not wait long.
const deletedAtOnce = 200

// deleteRows deletes the rows of an import from a table whose key ends with a column.
func deleteRows(ctx context.Context, d *db.DB, table, column string, i *Import) error {
	_, err := d.WriteSteps(ctx, func(tx *db.Tx) (int64, error) {
		return tx.DeleteSome(table, "store_id, import_id, "+column,
			db.NewSQL("store_id = ? AND import_id = ? ORDER BY "+column, i.StoreKey, i.ID), deletedAtOnce)
	})
	return err
}

func deleteFile(ctx context.Context, d *db.DB, i *Import) error {
	return deleteRows(ctx, d, "import_parts", "number", i)
}

// uploadLimit is for how long a file that is still being sent is kept.
const uploadLimit = time.Hour

// Clean returns the job that deletes what is older than FileRetention and Retention: files that could still be resumed,
// uploads that broke off, and imports with their errors.
func (svc *Service) Clean(ctx context.Context, d *db.DB, s *store.Store) (deleted int64, err error) {
	var old []Import
	now := d.Now()
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		old, err = table.All(tx, `SELECT * FROM imports WHERE store_id = ? AND (created_at < ?
				OR state = 'uploading' AND created_at < ?
				OR state IN ('cancelled', 'failed') AND finished_at < ? OR state = 'finished' AND finished_at >= ?)
			ORDER BY import_id`, s.Key, now.Add(-Retention).UnixMicro(), now.Add(-uploadLimit).UnixMicro(),
			now.Add(-FileRetention).UnixMicro(), now.Add(-uploadLimit).UnixMicro())
		return err
	})
	for n := 0; n < len(old) && err == nil; n++ {
		i := &old[n]
		if i.State != Uploading && !i.CreatedAt.Before(now.Add(-Retention)) {
			err = deleteFile(ctx, d, i)
			continue
		}
		err = removeImport(ctx, d, s, i)
		deleted++
	}
	return deleted, err
}

// removeImport deletes an import with its file and errors.
func removeImport(ctx context.Context, d *db.DB, s *store.Store, i *Import) error {
	if err := deleteFile(ctx, d, i); err != nil {
		return err
	}
	for _, table := range []string{"import_errors", "import_effects"} {
		if err := deleteRows(ctx, d, table, "record", i); err != nil {
			return err
		}
	}
	return store.Write(ctx, d, s, func(tx *db.Tx) error {
		_, err := tx.Exec(`DELETE FROM imports WHERE store_id = ? AND import_id = ?`, i.StoreKey, i.ID)
		return err
	})
}
