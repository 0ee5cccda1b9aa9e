package earning

import (
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
)

// WatchedLimit is how many active rules ReachingNobody looks at, the newest ones.
const WatchedLimit = 1000

// ReachingNobody returns the active rules that have not ended although no customer is in any of their levels and
// segments, newest first. all is false if there are more active rules than it looks at.
func ReachingNobody(tx *db.Tx, storeKey int64) (found []Rule, all bool, err error) {
	rules, err := table.All(tx, `SELECT * FROM earning_rules
		WHERE store_id = ? AND active = TRUE ORDER BY rule_id DESC LIMIT ?`, storeKey, WatchedLimit)
	if err != nil {
		return nil, false, err
	}
	byID, audiences := map[string]*Rule{}, []segment.Audience(nil)
	for i := range rules {
		r := &rules[i]
		isForNew := r.Type == Event && r.EventName == accountCreated
		if d := &r.Definition; !d.Everybody && !isForNew && (r.AllTime || !tx.Now().After(r.EndAt)) {
			byID[r.ID] = r
			audiences = append(audiences, segment.Audience{Of: r.ID, Levels: d.Levels, Segments: d.Segments})
		}
	}
	empty, err := segment.Empty(tx, storeKey, audiences)
	for _, id := range empty {
		found = append(found, *byID[id])
	}
	return found, len(rules) < WatchedLimit, err
}
