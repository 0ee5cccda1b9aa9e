package campaign

import (
	"punchcard/platform/db"
)

// The states of a code in lists.
const (
	codeFree = "free"
	codeSold = "sold"
)

var codeStates = []string{codeFree, codeSold}

// codeEntry is a code that a campaign can sell or has sold.
type codeEntry struct {
	Position int64  `json:"-"`
	Code     string `json:"code"`
	State    string `json:"state" enum:"free,sold"`
}

// codeFilter selects the codes of a campaign.
type codeFilter struct {
	state string // empty for both
	code  string // empty for all; read by codeNamed
}

// span returns the first and the last position of the codes in the state.
func (f *codeFilter) span(k Counters) (first, last int64) {
	first, last = 1, max(k.LastPosition, k.NextPosition-1)
	switch f.state {
	case codeFree:
		first = k.NextPosition
	case codeSold:
		last = k.NextPosition - 1
	}
	return first, last
}

var codeEntries = db.NewView(codeTable, func(e *codeEntry) db.Row {
	return db.Row{"position", &e.Position, "code", &e.Code}
})

// codesAfter returns the codes that follow a position, in the order in which they are sold.
func codesAfter(tx *db.Tx, k Counters, f codeFilter, after int64, limit, offset int) ([]codeEntry, error) {
	first, last := f.span(k)
	found, err := codeEntries.All(tx,
		`SELECT position, code FROM campaign_codes
		WHERE store_id = ? AND campaign_id = ? AND position > ? AND position <= ?
		ORDER BY position LIMIT ? OFFSET ?`,
		k.StoreKey, k.CampaignID, max(first-1, after), last, limit, offset)
	return withStates(k, found), err
}

// countCodes counts the codes at positions. Without gaps, there is one at each.
func countCodes(tx *db.Tx, k Counters, first, last int64) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM campaign_codes
		WHERE store_id = ? AND campaign_id = ? AND position >= ? AND position <= ?`,
		k.StoreKey, k.CampaignID, first, last)
}

func withStates(k Counters, found []codeEntry) []codeEntry {
	for i := range found {
		found[i].State = codeFree
		if found[i].Position < k.NextPosition {
			found[i].State = codeSold
		}
	}
	return found
}

// codeNamed returns the code of the filter if the campaign has it in the state.
func codeNamed(tx *db.Tx, k Counters, f codeFilter) ([]codeEntry, error) {
	first, last := f.span(k)
	found := []codeEntry{}
	err := codeTable.Each(tx, func(c storedCode) {
		if c.campaignID == k.CampaignID && first <= c.position && c.position <= last {
			found = append(found, codeEntry{Position: c.position, Code: c.code})
		}
	}, `SELECT position, code, campaign_id FROM campaign_codes
		WHERE store_id = ? AND code = ? AND position > 0`, k.StoreKey, f.code)
	return withStates(k, found), err
}
