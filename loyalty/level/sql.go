package level

import (
	"punchcard/core/api"
	"punchcard/platform/db"
)

const columns = "store_id, level_id, condition_value, min_order, reward_name, reward_code, reward_value, " +
	"active, deleted, created_at, customers, special_rewards, translations"

func (l *Level) row() []any {
	return []any{
		&l.StoreKey, &l.ID, &l.ConditionValue, &l.MinOrder, &l.Reward.Name, &l.Reward.Code, &l.Reward.Value,
		&l.Active, &l.Deleted, db.Time(&l.CreatedAt), &l.Customers, db.JSON(&l.SpecialRewards),
		db.JSON(&l.Translations),
	}
}

func insertLevel(tx *db.Tx, l *Level) error { return tx.Insert("levels", columns, "", l.row()) }

// All lists a store's levels in the order of creation, deleted ones included. A store has a handful.
func All(tx *db.Tx, storeKey int64) (levels []Level, err error) {
	err = tx.Run(SelectAll(storeKey, &levels))
	return levels, err
}

// SelectAll returns the query of All, which appends the levels to a list.
func SelectAll(storeKey int64, levels *[]Level) db.Query {
	return db.Select((*Level).row, func(l Level) { *levels = append(*levels, l) },
		`SELECT `+columns+` FROM levels WHERE store_id = ? ORDER BY level_id`, storeKey)
}

// lockAll locks all levels of a store in the order of their ids, as every change does.
func lockAll(tx *db.Tx, storeKey int64) ([]Level, error) {
	return db.All(tx, (*Level).row,
		`SELECT `+columns+` FROM levels WHERE store_id = ? ORDER BY level_id FOR UPDATE`, storeKey)
}

// updateLevel writes all columns of a locked level except the customer count.
func updateLevel(tx *db.Tx, l *Level) error {
	_, err := tx.Exec(`UPDATE levels SET condition_value = ?, min_order = ?, reward_name = ?, reward_code = ?,
		reward_value = ?, active = ?, deleted = ?, special_rewards = ?, translations = ?
		WHERE store_id = ? AND level_id = ?`,
		l.ConditionValue, l.MinOrder, l.Reward.Name, l.Reward.Code, l.Reward.Value, l.Active, l.Deleted,
		db.JSON(&l.SpecialRewards), db.JSON(&l.Translations), l.StoreKey, l.ID)
	return err
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
	listed := from.Select(columns).Add(` ORDER BY ? LIMIT ? OFFSET ?`, order, limit, offset)
	found, err = db.All(tx, (*Level).row, listed.Text(), listed.Args()...)
	return found, total, err
}
