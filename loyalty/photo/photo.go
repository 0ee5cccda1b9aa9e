// Package photo keeps the pictures of rows that have one at most, such as levels and customers.
package photo

import (
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/picture"
)

// Kind is the kind of row that pictures belong to. Each feature has its own.
type Kind string

// Photo is the picture of a row. Its bytes are read apart.
type Photo struct {
	StoreKey int64
	Kind     Kind
	OwnerID  string
	ID       string // new for every upload
	Name     string // of the uploaded file
	MIMEType string
	bytes    []byte // to write
}

var table = db.NewTable("photos", "store_id, owner_kind, owner_id", func(p *Photo) db.Row {
	return db.Row{
		"store_id", &p.StoreKey, "owner_kind", (*string)(&p.Kind), "owner_id", &p.OwnerID, "photo_id", &p.ID,
		"name", &p.Name, "media_type", &p.MIMEType, "content", &p.bytes,
	}
}).Apart("content")

// Set replaces the picture of a row, which the caller has locked.
func (k Kind) Set(tx *db.Tx, storeKey int64, ownerID string, p picture.Picture) error {
	return table.Put(tx, &Photo{storeKey, k, ownerID, tx.NewID(), p.Name, p.MIMEType, p.Bytes})
}

// Remove removes the picture of a row. It returns false if there was none.
func (k Kind) Remove(tx *db.Tx, storeKey int64, ownerID string) (removed bool, err error) {
	n, err := tx.Exec(`DELETE FROM photos WHERE store_id = ? AND owner_kind = ? AND owner_id = ?`,
		storeKey, string(k), ownerID)
	return n == 1, err
}

// Of returns the pictures of rows by the ids of the rows. Those without a picture are missing.
func (k Kind) Of(tx *db.Tx, storeKey int64, ownerIDs ...string) (map[string]Photo, error) {
	found := map[string]Photo{}
	if len(ownerIDs) == 0 {
		return found, nil
	}
	return found, table.Each(tx, func(p Photo) { found[p.OwnerID] = p },
		`SELECT p.* FROM ? AS v (store, id) CROSS JOIN photos p
		WHERE p.store_id = v.store AND p.owner_kind = ? AND p.owner_id = v.id`,
		tx.Among(storeKey, ownerIDs...), string(k))
}

// content returns the bytes of a picture, unless another one has replaced it.
func (p *Photo) content(tx *db.Tx) ([]byte, error) {
	content, err := db.Value[[]byte](tx, `SELECT content FROM photos
		WHERE store_id = ? AND owner_kind = ? AND owner_id = ? AND photo_id = ?`,
		p.StoreKey, string(p.Kind), p.OwnerID, p.ID)
	if err == nil && content == nil {
		err = fault.ErrNotFound
	}
	return content, err
}

// Rule returns the invariant that the rows of pictures exist.
func (k Kind) Rule(name string, owners check.Table) check.Rule {
	photos := check.Table{Name: "photos", ID: "photo_id", Only: "owner_kind = '" + string(k) + "'"}
	return check.Refers(name, photos, "owner_id", owners)
}
