package earning

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// moved holds what counts for another customer after a merge of two customers.
type moved struct {
	Uses   []ruleUse // of rules with a limit
	Events []string  // events that happen once for a customer, and had not happened to the other one
}

// ruleUse is the key of a use of a rule.
type ruleUse struct{ RuleID, UseID string }

// handOver makes at most limit uses of rules of a customer, and all events that happen once, count for another one.
func handOver(tx *db.Tx, s *store.Store, from, to string, limit int) (h moved, n int, err error) {
	storeKey := s.Key
	h.Uses, err = db.All(tx, func(u *ruleUse) []any { return []any{&u.RuleID, &u.UseID} }, `SELECT rule_id, use_id
		FROM earning_uses WHERE store_id = ? AND customer_id = ? ORDER BY rule_id, use_id LIMIT ?`, storeKey, from, limit)
	if err != nil {
		return h, 0, err
	}
	if err := moveUses(tx, storeKey, from, to, h.Uses); err != nil {
		return h, 0, err
	}
	h.Events, err = db.AllValues[string](tx, `SELECT event_name FROM earning_once
		WHERE store_id = ? AND customer_id = ? AND event_name NOT IN
			(SELECT event_name FROM earning_once WHERE store_id = ? AND customer_id = ?)`, storeKey, from, storeKey, to)
	if err != nil {
		return h, 0, err
	}
	return h, len(h.Uses), moveEvents(tx, storeKey, from, to, h.Events)
}

// moveAll moves what handOver moved to another customer.
func moveAll(tx *db.Tx, s *store.Store, from, to string, h moved) error {
	if err := moveUses(tx, s.Key, from, to, h.Uses); err != nil {
		return err
	}
	return moveEvents(tx, s.Key, from, to, h.Events)
}

func moveUses(tx *db.Tx, storeKey int64, from, to string, uses []ruleUse) error {
	rows := make([][]any, len(uses))
	for i, u := range uses {
		rows[i] = []any{u.RuleID, u.UseID}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.Exec(`UPDATE earning_uses SET customer_id = ? WHERE store_id = ? AND customer_id = ?
		AND (rule_id, use_id) IN (SELECT v.rule, v.use FROM ? AS v (store, rule, use))`,
		to, storeKey, from, tx.AmongRows(storeKey, []string{"TEXT", "TEXT"}, rows...))
	return err
}

func moveEvents(tx *db.Tx, storeKey int64, from, to string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	_, err := tx.Exec(`UPDATE earning_once SET customer_id = ? WHERE store_id = ? AND customer_id = ?
		AND event_name IN ?`, to, storeKey, from, db.List(names))
	return err
}
