package store

import (
	"punchcard/platform/check"
)

// Stores is the table of stores.
var Stores = check.Table{Name: "stores", ID: "store_id"}

// Rules are the rules that punchcard check verifies for stores, and that every row of the tables belongs to a store.
func Rules(tables ...check.Table) []check.Rule {
	rules := []check.Rule{
		check.JSON[Settings]("store.settings", Stores, "settings"),
		check.Rows("store.languages", `SELECT 0, 'default', COUNT(*), 1 FROM languages WHERE is_default = TRUE
			HAVING COUNT(*) <> 1 AND (SELECT COUNT(*) FROM languages) > 0`),
	}
	for _, table := range tables {
		rules = append(rules, check.Rows("store.of."+table.Name, `SELECT store_id, MIN(`+table.ID+`), COUNT(*), 0
			FROM (SELECT * FROM `+table.Name+`) t
			WHERE NOT EXISTS (SELECT 1 FROM (SELECT store_id AS known FROM stores) s WHERE known = t.store_id)
			GROUP BY store_id`))
	}
	return rules
}
