package audit

import (
	"context"
	"fmt"
	"time"

	"punchcard/platform/db"
)

// Archive is a range of entries that the log no longer lists. The entries stay where they are.
type Archive struct {
	From, Before time.Time
	Filename     string
	Entries      int64 // when it was made
	CreatedAt    time.Time
}

var archiveTable = db.NewTable("audit_archives", "before_at", func(a *Archive) db.Row {
	return db.Row{
		"before_at", db.Time(&a.Before), "filename", &a.Filename, "entries", &a.Entries,
		"created_at", db.Time(&a.CreatedAt),
	}
})

// archivedBefore returns the time before which all entries are archived.
func archivedBefore(tx *db.Tx) (before time.Time, err error) {
	newest, found, err := archiveTable.One(tx, `SELECT * FROM audit_archives ORDER BY before_at DESC LIMIT 1`)
	if found {
		before = newest.Before
	}
	return before, err
}

// FilenameOf returns the name of the archive of the entries before a day.
func FilenameOf(before time.Time) string {
	return fmt.Sprintf("audit_log_archive_before_%s.xml", before.Format("2006_01_02"))
}

// MakeArchive archives the entries before a time. created is false if there are none, or if an archive has the name.
func MakeArchive(tx *db.Tx, before time.Time) (a Archive, created bool, err error) {
	a, known, err := FindArchive(tx, FilenameOf(before))
	if err != nil || known {
		return a, false, err
	}
	a = Archive{Before: before, Filename: FilenameOf(before), CreatedAt: tx.ServerNow()}
	if a.From, err = archivedBefore(tx); err != nil {
		return a, false, err
	}
	a.Entries, err = db.Value[int64](tx, `SELECT COUNT(*) FROM audit_entries WHERE created_at >= ? AND created_at < ?`,
		micros(a.From), before.UnixMicro())
	if err != nil || a.Entries == 0 {
		return a, false, err
	}
	created, err = archiveTable.InsertNew(tx, &a)
	return a, created, err
}

// FindArchive finds an archive by its file name.
func FindArchive(tx *db.Tx, filename string) (a Archive, found bool, err error) {
	all, err := Archives(tx)
	for i := range all {
		if all[i].Filename == filename {
			return all[i], true, err
		}
	}
	return a, false, err
}

// Archives returns all archives, the oldest first. There are few: one for each time somebody made one.
func Archives(tx *db.Tx) ([]Archive, error) {
	all, err := archiveTable.All(tx, `SELECT * FROM audit_archives ORDER BY before_at`)
	for i := 1; i < len(all); i++ {
		all[i].From = all[i-1].Before
	}
	return all, err
}

// Next returns the next entries of an archive behind a place, the oldest first.
func (a *Archive) Next(tx *db.Tx, place Place, limit int) ([]Entry, Place, error) {
	q := db.NewSQL("FROM audit_entries WHERE created_at >= ? AND created_at < ?", micros(a.From), a.Before.UnixMicro())
	if place != (Place{}) {
		q.And("created_at >= ? AND (created_at > ? OR audit_id > ?)", place.createdAt, place.createdAt, place.id)
	}
	return next(tx, q.Select("*").Add(" ORDER BY ? LIMIT ?", oldestFirst, limit), place)
}

// batch is how many rows one transaction of a job changes.
const batch = 1000

// Clean returns a job that deletes the entries that are older than retention, and the archives that end before them.
// The newest archive stays, because the list begins where it ends. 0 keeps everything. The job returns the number of
// deleted entries.
func Clean(d *db.DB, retention time.Duration) func(ctx context.Context) (int64, error) {
	return func(ctx context.Context) (int64, error) {
		if retention <= 0 {
			return 0, nil
		}
		return d.WriteSteps(ctx, func(tx *db.Tx) (int64, error) {
			return clean(tx, tx.ServerNow().Add(-retention).UnixMicro())
		})
	}
}

func clean(tx *db.Tx, before int64) (deleted int64, err error) {
	if _, err := tx.Exec(`DELETE FROM audit_archives WHERE before_at <= ? AND before_at <
		(SELECT MAX(before_at) FROM audit_archives)`, before); err != nil {
		return 0, err
	}
	return tx.DeleteSome("audit_entries", "audit_id",
		db.NewSQL("created_at < ? ORDER BY created_at, audit_id", before), batch)
}
