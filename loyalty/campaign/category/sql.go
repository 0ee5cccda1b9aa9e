package category

import (
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

var table = db.NewConfiguration("categories", "store_id, category_id", func(c *Category) db.Row {
	return db.Row{
		"store_id", &c.StoreKey, "category_id", &c.ID, "active", &c.Active, "sort_order", &c.SortOrder,
		"translations", db.JSON(&c.Translations),
	}
})

func insertCategory(tx *db.Tx, c *Category) error {
	return table.Insert(tx, c)
}

func updateCategory(tx *db.Tx, c *Category) error {
	return table.Update(tx, "active, sort_order, translations", c)
}

func countCategories(tx *db.Tx, storeKey int64) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM categories WHERE store_id = ?`, storeKey)
}

// readCategories returns a store's categories in order of creation.
func readCategories(tx *db.Tx, storeKey int64) ([]Category, error) { return inOrder(tx, storeKey, "") }

func lockAll(tx *db.Tx, storeKey int64) ([]Category, error) {
	return inOrder(tx, storeKey, " FOR UPDATE")
}

func inOrder(tx *db.Tx, storeKey int64, ending string) ([]Category, error) {
	return table.All(tx, `SELECT * FROM categories WHERE store_id = ? ORDER BY category_id`+ending, storeKey)
}

func selectSome(tx *db.Tx, storeKey int64, ids []string, visit func(Category)) db.Query {
	return table.Select(visit, `SELECT c.* FROM ? AS v (store, id)
		CROSS JOIN categories c WHERE c.store_id = v.store AND c.category_id = v.id`,
		tx.Among(storeKey, ids...))
}

func findCategory(tx *db.Tx, storeKey int64, id string) (Category, error) {
	return readCategory(tx, storeKey, id, "")
}

func lockCategory(tx *db.Tx, storeKey int64, id string) (Category, error) {
	return readCategory(tx, storeKey, id, " FOR UPDATE")
}

func readCategory(tx *db.Tx, storeKey int64, id, ending string) (Category, error) {
	c, found, err := table.One(tx, `SELECT * FROM categories WHERE store_id = ? AND category_id = ?`+ending, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return c, err
}
