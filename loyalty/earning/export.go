package earning

import (
	"strings"
	"time"

	"punchcard/api"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// exportedAtOnce is how many uses of rules an export holds in memory.
const exportedAtOnce = 500

// exportedUse is one time that a rule with a limit gave a customer points.
type exportedUse struct {
	RuleID string `json:"earningRuleId"`
	UsedAt string `json:"usedAt"`
}

// ExportUses is the section of what rules with a limit gave a customer.
func ExportUses(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	type row struct {
		ruleID, useID string
		at            time.Time
	}
	ruleID, useID, _ := strings.Cut(after, " ")
	found, err := db.All(tx, func(r *row) []any { return []any{&r.ruleID, &r.useID, db.Time(&r.at)} },
		`SELECT rule_id, use_id, used_at FROM earning_uses
		WHERE store_id = $1 AND customer_id = $2 AND (rule_id, use_id) > ($3, $4) ORDER BY rule_id, use_id LIMIT $5`,
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

// exportedOnce is an event that happens once in the life of a customer.
type exportedOnce struct {
	EventName  string `json:"eventName"`
	HappenedAt string `json:"happenedAt"`
}

// ExportOnce is the section of the events that happen once in the life of a customer, and have happened: a handful.
func ExportOnce(tx *db.Tx, s *store.Store, customerID, _ string) (items []any, next string, err error) {
	type row struct {
		name string
		at   time.Time
	}
	found, err := db.All(tx, func(r *row) []any { return []any{&r.name, db.Time(&r.at)} },
		`SELECT event_name, happened_at FROM earning_once WHERE store_id = $1 AND customer_id = $2 ORDER BY event_name`,
		s.Key, customerID)
	for _, r := range found {
		items = append(items, exportedOnce{r.name, api.Timestamp(r.at, s.Zone)})
	}
	return items, "", err
}
