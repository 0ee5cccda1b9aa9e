package earning

import (
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// exportedAtOnce is the number of uses of rules in one page of an export.
const exportedAtOnce = 500

// exportedUse is one use of a rule with a limit by a customer.
type exportedUse struct {
	RuleID string `json:"earningRuleId"`
	UsedAt string `json:"usedAt"`
}

// ExportUses returns a page of a customer's uses of rules with a limit. next is empty on the last page.
func ExportUses(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	type row struct {
		ruleID, useID string
		at            time.Time
	}
	ruleID, useID, _ := strings.Cut(after, " ")
	found, err := db.All(tx, func(r *row) []any { return []any{&r.ruleID, &r.useID, db.Time(&r.at)} },
		`SELECT rule_id, use_id, used_at FROM earning_uses
		WHERE store_id = ? AND customer_id = ? AND (rule_id, use_id) > (?, ?) ORDER BY rule_id, use_id LIMIT ?`,
		s.Key, customerID, ruleID, useID, exportedAtOnce)
	for _, r := range found {
		items = append(items, exportedUse{r.ruleID, api.Timestamp(r.at, s.Zone)})
	}
	if len(found) == exportedAtOnce {
		last := found[exportedAtOnce-1]
		next = last.ruleID + " " + last.useID
	}
	return items, next, err
}

// exportedOnce is an event that earns points only once for each customer.
type exportedOnce struct {
	EventName  string `json:"eventName"`
	HappenedAt string `json:"happenedAt"`
}

// ExportOnce returns the customer's events that earn points only once. They fit on one page.
func ExportOnce(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	type row struct {
		name string
		at   time.Time
	}
	found, err := db.All(tx, func(r *row) []any { return []any{&r.name, db.Time(&r.at)} },
		`SELECT event_name, happened_at FROM earning_once WHERE store_id = ? AND customer_id = ? ORDER BY event_name`,
		s.Key, customerID)
	for _, r := range found {
		items = append(items, exportedOnce{r.name, api.Timestamp(r.at, s.Zone)})
	}
	return items, "", err
}
