package level

import (
	"punchcard/core/api"
	"punchcard/platform/db"
)

var table = db.NewConfiguration("levels", "store_id, level_id", func(l *Level) db.Row {
	return db.Row{
		"store_id", &l.StoreKey, "level_id", &l.ID, "condition_value", &l.ConditionValue, "min_order", &l.MinOrder,
		"reward_name", &l.Reward.Name, "reward_code", &l.Reward.Code, "reward_value", &l.Reward.Value, "active", &l.Active,
		"deleted", &l.Deleted, "created_at", db.Time(&l.CreatedAt), "customers", &l.Customers,
		"special_rewards", db.JSON(&l.SpecialRewards), "translations", db.JSON(&l.Translations),
	}
})

func insertLevel(tx *db.Tx, l *Level) error { return table.Insert(tx, l) }

// All lists a store's levels in the order of creation, deleted ones included. A store has a handful.
func All(tx *db.Tx, storeKey int64) (levels []Level, err error) {
	err = tx.Run(SelectAll(storeKey, &levels))
	return levels, err
}

// SelectAll returns the query of All, which appends the levels to a list.
func SelectAll(storeKey int64, levels *[]Level) db.Query {
	return table.Select(func(l Level) { *levels = append(*levels, l) },
		`SELECT * FROM levels WHERE store_id = ? ORDER BY level_id`, storeKey)
}

// lockAll locks all levels of a store in the order of their ids, as every change does.
func lockAll(tx *db.Tx, storeKey int64) ([]Level, error) {
	return table.All(tx, `SELECT * FROM levels WHERE store_id = ? ORDER BY level_id FOR UPDATE`, storeKey)
}

// updateLevel writes all columns of a locked level except the customer count.
func updateLevel(tx *db.Tx, l *Level) error {
	return table.Update(tx, "condition_value, min_order, reward_name, reward_code, reward_value, active, deleted, "+
		"special_rewards, translations", l)
}

var sortable = api.Order{Tie: "level_id", Columns: map[string]api.Column{
	"levelId": "level_id", "id": "level_id", "active": "active", "conditionValue": "condition_value",
	"minOrder": "min_order", "customersCount": "customers",
}}

func readPage(tx *db.Tx, storeKey int64, onlyActive bool, order db.Order, limit, offset int) (
	found []Level, total int, err error) {
	from := db.NewSQL(`FROM levels WHERE store_id = ? AND NOT deleted`, storeKey)
	if onlyActive {
		from.And(`active`)
	}
	counted := from.Select(`COUNT(*)`)
	if total, err = db.Value[int](tx, counted.Text(), counted.Args()...); err != nil {
		return nil, 0, err
	}
	listed := from.Select("*").Add(` ORDER BY ? LIMIT ? OFFSET ?`, order, limit, offset)
	found, err = table.All(tx, listed.Text(), listed.Args()...)
	return found, total, err
}
