package level

import (
	"slices"

	"punchcard/core/api"
	"punchcard/core/config"
	"punchcard/platform/db"
)

var table = db.NewConfiguration("levels", "store_id, level_id", func(l *Level) db.Row {
	return db.Row{
		"store_id", &l.StoreKey, "level_id", &l.ID, "condition_value", &l.ConditionValue, "min_order", &l.MinOrder,
		"reward_name", &l.Reward.Name, "reward_code", &l.Reward.Code, "reward_value", &l.Reward.Value, "active", &l.Active,
		"deleted", &l.Deleted, "created_at", db.Time(&l.CreatedAt), "customers", &l.Customers,
		"special_rewards", db.JSON(&l.SpecialRewards), "translations", db.JSON(&l.Translations),
	}
}).Traffic("customers")

func insertLevel(tx *db.Tx, l *Level) error { return table.Insert(tx, l) }

var levels = config.NewPart(func(tx *db.Tx, storeKey int64) ([]Level, error) {
	return table.All(tx, `SELECT * FROM levels WHERE store_id = ? ORDER BY level_id`, storeKey)
}, table.Schema)

// All lists a store's levels in the order of creation, deleted ones included, without their numbers of customers. A
// store has a handful. Nobody may change them.
func All(tx *db.Tx, storeKey int64) ([]Level, error) { return levels.Of(tx, storeKey) }

// Counted is All with the numbers of customers.
func Counted(tx *db.Tx, storeKey int64) ([]Level, error) {
	queries, counted := Counting(tx, storeKey)
	if err := tx.Run(queries...); err != nil {
		return nil, err
	}
	return counted()
}

// Counting returns the queries of Counted, and a function that returns the levels once they were run.
func Counting(tx *db.Tx, storeKey int64) ([]db.Query, func() ([]Level, error)) {
	byID, query := selectCounts(storeKey)
	return append(config.Versions(tx, storeKey), query), func() ([]Level, error) {
		all, err := All(tx, storeKey)
		all = slices.Clone(all)
		setCounts(all, byID)
		return all, err
	}
}

func setCounts(all []Level, byID map[string]int64) {
	for i := range all {
		all[i].Customers = byID[all[i].ID]
	}
}

// Customers returns the number of customers in all levels. Each that is not deleted is in one.
func Customers(tx *db.Tx, storeKey int64) (total int64, err error) {
	byID, query := selectCounts(storeKey)
	err = tx.Run(query)
	for _, n := range byID {
		total += n
	}
	return total, err
}

// selectCounts returns the query for the numbers of customers by level, and the map that it fills.
func selectCounts(storeKey int64) (map[string]int64, db.Query) {
	byID := map[string]int64{}
	return byID, countTable.Select(func(c counted) { byID[c.levelID] += c.customers },
		`SELECT level_id, customers FROM levels WHERE store_id = ?
			UNION ALL SELECT level_id, customers FROM level_counts WHERE store_id = ?`, storeKey, storeKey)
}

// inLevel is the number of customers of a row of levels.
const inLevel = `customers + COALESCE((SELECT SUM(c.customers) FROM level_counts c
	WHERE c.store_id = levels.store_id AND c.level_id = levels.level_id), 0)`

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
	"minOrder": "min_order", "customersCount": inLevel,
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
	if found, err = table.All(tx, listed.Text(), listed.Args()...); err != nil {
		return nil, 0, err
	}
	byID, query := selectCounts(storeKey)
	err = tx.Run(query)
	setCounts(found, byID)
	return found, total, err
}
