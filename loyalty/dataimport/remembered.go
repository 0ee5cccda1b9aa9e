package dataimport

import (
	"crypto/sha256"
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/platform/db"
)

// LayoutsKept is how many layouts of a kind a store keeps: those that were used last.
const LayoutsKept = 100

// headerHash identifies files with the same columns.
func headerHash(header []string) string {
	keys := make([]string, len(header))
	for i, name := range header {
		keys[i] = nameKey(name)
	}
	return hexadecimal(sha256.Sum256([]byte(strings.Join(keys, "\x00"))))
}

// recall takes over the fields of the last file with the same columns, and reports whether there was one.
func (k *Kind) recall(c *api.Call, o *outline) (bool, error) {
	found := false
	err := c.Read(func(tx *db.Tx) (err error) {
		var l remembered
		l, found, err = layoutTable.One(tx,
			`SELECT layout FROM import_layouts WHERE store_id = ? AND kind = ? AND header_hash = ?`,
			c.Store.Key, k.Name, headerHash(o.header))
		_, _, overlap := k.overlap(l.Columns)
		if found = found && len(l.Columns) == len(o.header) && !overlap; found {
			o.Columns = l.Columns
			o.guessValues(k)
		}
		return err
	})
	return found, err
}

// remembered is a row of import_layouts.
type remembered struct {
	storeKey         int64
	kind, headerHash string
	Layout
	usedAt time.Time
}

var layoutTable = db.NewTable("import_layouts", "store_id, kind, header_hash", func(r *remembered) db.Row {
	return db.Row{
		"store_id", &r.storeKey, "kind", &r.kind, "header_hash", &r.headerHash, "layout", db.JSON(&r.Layout),
		"used_at", db.Time(&r.usedAt),
	}
})

// remember stores the layout of an import whose columns were named, for the next file with the same ones.
func remember(tx *db.Tx, i *Import) error {
	l := i.Options.Layout
	if l.given == "" || i.DryRun {
		return nil
	}
	err := layoutTable.Put(tx, &remembered{i.StoreKey, i.Kind, l.given, Layout{Columns: l.Columns}, tx.ServerNow()})
	if err != nil {
		return err
	}
	_, err = tx.Exec(`DELETE FROM import_layouts WHERE store_id = ? AND kind = ? AND header_hash NOT IN (
			SELECT header_hash FROM import_layouts WHERE store_id = ? AND kind = ? ORDER BY used_at DESC LIMIT ?)`,
		i.StoreKey, i.Kind, i.StoreKey, i.Kind, LayoutsKept)
	return err
}
