package earning

import (
	"slices"
	"time"

	"punchcard/core/api"
	"punchcard/core/config"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

var table = db.NewConfiguration("earning_rules", "store_id, rule_id", func(r *Rule) db.Row {
	return db.Row{
		"store_id", &r.StoreKey, "rule_id", &r.ID, "type", &r.Type, "name", &r.Name,
		"name_key", db.Derived(&r.Name, search.Fold), "description", &r.Description, "active", &r.Active,
		"all_time", &r.AllTime, "start_at", db.Time(&r.StartAt), "end_at", db.Time(&r.EndAt), "event_name", &r.EventName,
		"created_at", db.Time(&r.CreatedAt), "definition", db.JSON(&r.Definition),
	}
})

// activeRules are the active rules of a store, oldest first. A program has few.
var activeRules = config.NewPart(func(tx *db.Tx, storeKey int64) ([]Rule, error) {
	return table.All(tx, `SELECT * FROM earning_rules WHERE store_id = ? AND active = TRUE ORDER BY rule_id`, storeKey)
}, table.Schema)

// activeOf returns a store's active rules of the types, oldest first.
func activeOf(tx *db.Tx, storeKey int64, types ...string) (rules []Rule, err error) {
	all, err := activeRules.Of(tx, storeKey)
	for i := range all {
		if slices.Contains(types, all[i].Type) {
			rules = append(rules, all[i])
		}
	}
	return rules, err
}

// Find returns a rule, active or not.
func Find(tx *db.Tx, storeKey int64, id string) (*Rule, error) {
	r, found, err := table.One(tx, `SELECT * FROM earning_rules WHERE store_id = ? AND rule_id = ?`, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &r, err
}

func updateRule(tx *db.Tx, r *Rule) error {
	return table.Update(tx, "name, name_key, description, active, all_time, start_at, end_at, event_name, definition", r)
}

func setActive(tx *db.Tx, storeKey int64, id string, active bool) (found bool, err error) {
	return table.UpdateOne(tx, "active", &Rule{StoreKey: storeKey, ID: id, Active: active})
}

// newestOff returns the newest rules of a store that are switched off, at most limit.
func newestOff(tx *db.Tx, storeKey int64, limit int) ([]Rule, error) {
	return table.All(tx, `SELECT * FROM earning_rules
		WHERE store_id = ? AND active = FALSE ORDER BY rule_id DESC LIMIT ?`, storeKey, limit)
}

// ownerOf returns the id of the rule of a custom event, or an empty string.
func ownerOf(tx *db.Tx, storeKey int64, eventName string) (ruleID string, err error) {
	return db.Value[string](tx, `SELECT rule_id FROM earning_rules
		WHERE store_id = ? AND event_name = ? AND type = ?`, storeKey, eventName, CustomEvent)
}

// filter selects rules of a list. Empty fields select all.
type filter struct {
	active *bool
	kind   string // type
	name   string // part of the name
}

var sortable = api.Order{Tie: "rule_id", Columns: map[string]api.Column{
	"earningRuleId": "rule_id", "type": "type", "name": "name_key", "description": "description", "active": "active",
	"allTimeActive": "all_time", "startAt": "start_at", "endAt": "end_at", "eventName": "event_name",
}}

func readPage(tx *db.Tx, storeKey int64, f filter, request api.Page) (found []Rule, total int, err error) {
	from := db.NewSQL(`FROM earning_rules WHERE store_id = ?`, storeKey)
	if f.active != nil {
		from.And(`active = ?`, *f.active)
	}
	if f.kind != "" {
		from.And(`type = ?`, f.kind)
	}
	if f.name != "" {
		from.And(`name_key LIKE ? ESCAPE '\'`, db.Containing(search.Fold(f.name)))
	}
	counted := from.Select("COUNT(*)")
	if total, err = db.Value[int](tx, counted.Text(), counted.Args()...); err != nil || total == 0 {
		return nil, total, err
	}
	found, err = table.All(tx, `?`, request.AddTo(from.Select("*"), sortable))
	return found, total, err
}

// use is one use of a rule that can have a limit.
type use struct {
	storeKey   int64
	CustomerID string
	ruleID, id string
	At         time.Time
}

var useTable = db.NewTable("earning_uses", "store_id, customer_id, rule_id, use_id", func(u *use) db.Row {
	return db.Row{
		"store_id", &u.storeKey, "customer_id", &u.CustomerID, "rule_id", &u.ruleID, "use_id", &u.id,
		"used_at", db.Time(&u.At),
	}
})

func insertUse(tx *db.Tx, r *Rule, customerID string) error {
	return useTable.Insert(tx, &use{r.StoreKey, customerID, r.ID, tx.NewID(), tx.Now()})
}

// usedSince counts the customer's uses of the rule since a time, up to limit.
func usedSince(tx *db.Tx, r *Rule, customerID string, since time.Time, limit int64) (int64, error) {
	from := int64(0)
	if !since.IsZero() {
		from = since.UnixMicro()
	}
	return db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM earning_uses
		WHERE store_id = ? AND customer_id = ? AND rule_id = ? AND used_at >= ? LIMIT ?) u`,
		r.StoreKey, customerID, r.ID, from, limit)
}

// newestUses returns the last uses of a rule by all customers.
func newestUses(tx *db.Tx, r *Rule, limit int) ([]use, error) {
	return useTable.All(tx, `SELECT customer_id, used_at FROM earning_uses
		WHERE store_id = ? AND rule_id = ? ORDER BY use_id DESC LIMIT ?`, r.StoreKey, r.ID, limit)
}

// happenedFirst records an event that earns points only once, and reports whether it is the first time.
func happenedFirst(tx *db.Tx, storeKey int64, customerID, eventName string) (bool, error) {
	return onceTable.InsertNew(tx, &earnedEvent{storeKey, customerID, eventName, tx.Now()})
}

// earnedEvent is an event that earned points and earns none again.
type earnedEvent struct {
	storeKey              int64
	customerID, eventName string
	happenedAt            time.Time
}

var onceTable = db.NewTable("earning_once", "store_id, customer_id, event_name", func(o *earnedEvent) db.Row {
	return db.Row{
		"store_id", &o.storeKey, "customer_id", &o.customerID, "event_name", &o.eventName,
		"happened_at", db.Time(&o.happenedAt),
	}
})
