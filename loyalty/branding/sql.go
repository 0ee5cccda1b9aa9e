package branding

import (
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Files is the table of the files of stores.
var Files = check.Table{Name: "store_files", ID: "name"}

var table = db.NewConfiguration("store_files", "store_id, name, size", func(f *File) db.Row {
	return db.Row{
		"store_id", &f.StoreKey, "name", &f.Name, "size", &f.Size, "file_id", &f.ID, "media_type", &f.MIMEType,
		"width", &f.Width, "height", &f.Height, "content", &f.content,
	}
}).Apart("content")

func insertFile(tx *db.Tx, f *File, content []byte) error {
	f.content = content
	return table.Insert(tx, f)
}

func deleteFile(tx *db.Tx, storeKey int64, name string) error {
	_, err := tx.Exec(`DELETE FROM store_files WHERE store_id = ? AND name = ?`, storeKey, name)
	return err
}

// filesOf lists the files of a store without their content, icons included: at most some twenty.
func filesOf(tx *db.Tx, storeKey int64) ([]File, error) {
	return table.All(tx, `SELECT * FROM store_files WHERE store_id = ? ORDER BY name, size`, storeKey)
}

func findFile(tx *db.Tx, storeKey int64, name string) (File, bool, error) {
	return table.One(tx, `SELECT * FROM store_files WHERE store_id = ? AND name = ? AND size = ''`, storeKey, name)
}

// contentOf returns the bytes of a file, unless another one has replaced it.
func contentOf(tx *db.Tx, f *File) ([]byte, error) {
	content, err := db.Value[[]byte](tx, `SELECT content FROM store_files
		WHERE store_id = ? AND name = ? AND size = ? AND file_id = ?`, f.StoreKey, f.Name, f.Size, f.ID)
	if err == nil && content == nil {
		err = fault.ErrNotFound
	}
	return content, err
}
