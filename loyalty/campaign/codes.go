package campaign

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/keytext"
)

// Codes are sold by position. In the list of a campaign,
//
//   - positions from next_position to last_position hold the codes that can still be sold, in list order;
//   - positions from 1 to below next_position hold codes that were sold; purchases without an individual code
//     (single coupons, cashback) leave gaps there, and so do codes that are sold again (SellAgain);
//   - positions below 0 hold codes that are shown but never sold: further copies of a code, and every code of
//     a single coupon but the first.
//
// The code of a single coupon has the position of its first sale, and so counts as sold from then on.

// Place is the position of a code in a campaign.
type Place struct {
	CampaignID string
	Position   int64
}

// NextCodes returns the codes that are sold next: of each campaign as many as wanted, or all that are left. Each is
// found by its position, because PostgreSQL does not use the index for a range that ends in a column of another table.
func NextCodes(tx *db.Tx, storeKey int64, wanted map[string]int64) (map[Place]string, error) {
	codes, query := SelectNextCodes(tx, storeKey, wanted)
	return codes, tx.Run(query)
}

// SelectNextCodes returns the query of NextCodes, and the map that it fills.
func SelectNextCodes(tx *db.Tx, storeKey int64, wanted map[string]int64) (map[Place]string, db.Query) {
	var rows [][]any
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		for ahead := range wanted[id] {
			rows = append(rows, []any{id, ahead})
		}
	}
	codes := make(map[Place]string, len(rows))
	return codes, codeTable.Select(func(c storedCode) { codes[Place{c.campaignID, c.position}] = c.code },
		`SELECT c.campaign_id, c.position, c.code FROM ? AS v (store, campaign, further)
			CROSS JOIN campaign_counters k CROSS JOIN campaign_codes c
			WHERE k.store_id = v.store AND k.campaign_id = v.campaign
				AND c.store_id = v.store AND c.campaign_id = v.campaign AND c.position = k.next_position + v.further`,
		tx.AmongRows(storeKey, []string{"TEXT", "BIGINT"}, rows...))
}

// CodesOf returns the codes of campaigns in the order in which they were sent.
func CodesOf(tx *db.Tx, storeKey int64, ids ...string) (map[string][]string, error) {
	codes, query := selectCodes(tx, storeKey, ids)
	return codes, tx.Run(query)
}

// selectCodes returns the query of CodesOf, and the map that it fills.
func selectCodes(tx *db.Tx, storeKey int64, ids []string) (map[string][]string, db.Query) {
	byCampaign := make(map[string][]string, len(ids))
	return byCampaign, codeTable.Select(
		func(c storedCode) { byCampaign[c.campaignID] = append(byCampaign[c.campaignID], c.code) },
		`SELECT c.campaign_id, c.code FROM ? AS v (store, id) CROSS JOIN campaign_codes c
			WHERE c.store_id = v.store AND c.campaign_id = v.id ORDER BY c.campaign_id, c.list_number`,
		tx.Among(storeKey, ids...))
}

// listed is a code with its place in the list.
type listed struct {
	position int64
	number   int64 // place in the list as it was sent, from 1
	code     string
}

// storedCode is a row of campaign_codes.
type storedCode struct {
	storeKey   int64
	campaignID string
	listed
}

var codeTable = db.NewTable("campaign_codes", "store_id, campaign_id, position", func(c *storedCode) db.Row {
	return db.Row{
		"store_id", &c.storeKey, "campaign_id", &c.campaignID, "position", &c.position, "list_number", &c.number,
		"code", &c.code, "loose", db.Derived(&c.code, keytext.Loose),
	}
})

// arrange assigns a position to every code of a list. Sold codes keep theirs. last is the last position that can be
// sold.
func arrange(codes []string, sold map[string]int64, next int64, single bool) (list []listed, last int64) {
	list, last = make([]listed, len(codes)), next-1
	seen := make(map[string]bool, len(codes))
	hidden := int64(0)
	for i, code := range codes {
		position, wasSold := sold[code]
		switch {
		case seen[code] || !wasSold && single && i > 0:
			hidden--
			position = hidden
		case !wasSold:
			last++
			position = last
		}
		list[i] = listed{position, int64(i + 1), code}
		seen[code] = true
	}
	return list, last
}

// errRemovedCodes is the error of the field when RemovedCodes is the one of the operation.
var errRemovedCodes = fault.New(fault.Fields, "sold_codes_removed",
	"Removing used coupons (%s) is not permitted")

// RemovedCodes is the error of an update without some of the codes that were sold.
type RemovedCodes []string

// Error returns the message that clients get.
func (r RemovedCodes) Error() string {
	return errRemovedCodes.With(strings.Join(r, ", ")).Message
}

// rearrange returns the list after an update, or RemovedCodes if codes that were sold are missing. A reward type
// without codes keeps the sold ones, so that they are never sold again.
func rearrange(old []listed, c *Campaign, codes []string, next int64) (list []listed, last int64, err error) {
	sold := map[string]int64{}
	var inOrder []string
	for _, l := range old {
		if l.position > 0 && l.position < next {
			sold[l.code] = l.position
			inOrder = append(inOrder, l.code)
		}
	}
	if !c.Reward.Fields.Codes {
		codes = inOrder
	}
	inList := make(map[string]bool, len(codes))
	for _, code := range codes {
		inList[code] = true
	}
	removed := slices.DeleteFunc(slices.Clone(inOrder), func(code string) bool { return inList[code] })
	if len(removed) > 0 {
		return nil, 0, RemovedCodes(removed)
	}
	list, last = arrange(codes, sold, next, c.SingleCoupon)
	return list, last, nil
}

// codeList returns the list of a campaign in its order.
func codeList(tx *db.Tx, storeKey int64, campaignID string) ([]listed, error) {
	found, err := codeTable.All(tx, `SELECT position, list_number, code FROM campaign_codes
		WHERE store_id = ? AND campaign_id = ? ORDER BY list_number`, storeKey, campaignID)
	list := make([]listed, len(found))
	for i := range found {
		list[i] = found[i].listed
	}
	return list, err
}

// saveCodes replaces the old list by the new one. On either side of position 0, rows up to the first difference are
// not written, so that adding codes does not rewrite those before.
func saveCodes(tx *db.Tx, c *Campaign, old, list []listed) error {
	var added []*storedCode
	for _, side := range []struct {
		sign  int64
		where string
	}{{1, "position >= ?"}, {-1, "position <= ?"}} {
		was, is := outward(old, side.sign), outward(list, side.sign)
		common := 0
		for common < min(len(was), len(is)) && was[common] == is[common] {
			common++
		}
		if common < len(was) {
			from := was[common].position
			if common < len(is) && from*side.sign > is[common].position*side.sign {
				from = is[common].position
			}
			if _, err := tx.Exec(`DELETE FROM campaign_codes WHERE store_id = ? AND campaign_id = ? AND `+side.where,
				c.StoreKey, c.ID, from); err != nil {
				return err
			}
		}
		for _, l := range is[common:] {
			added = append(added, &storedCode{c.StoreKey, c.ID, l})
		}
	}
	return codeTable.Insert(tx, added...)
}

// outward returns the codes on one side of position 0, nearest first.
func outward(list []listed, sign int64) []listed {
	var side []listed
	for _, l := range list {
		if l.position*sign > 0 {
			side = append(side, l)
		}
	}
	slices.SortFunc(side, func(a, b listed) int { return cmp.Compare(a.position*sign, b.position*sign) })
	return side
}

// SellAgain moves the code of a sold position behind those that can be sold. The counters are locked.
func SellAgain(tx *db.Tx, k *Counters, position int64) error {
	last := max(k.LastPosition, k.NextPosition-1) + 1
	moved, err := tx.Exec(`UPDATE campaign_codes SET position = ?
		WHERE store_id = ? AND campaign_id = ? AND position = ?`, last, k.StoreKey, k.CampaignID, position)
	if err != nil || moved == 0 {
		return err
	}
	k.LastPosition = last
	return redefine(tx, *k)
}

// PlacesShown is how many campaigns PlacesOf returns at most.
const PlacesShown = 10

// PlacesOf returns the positions of a code that is sold or can be sold: at most one in each campaign, newest campaigns
// first.
func PlacesOf(tx *db.Tx, storeKey int64, code string) ([]Place, error) {
	places, err := PlacesOfEach(tx, storeKey, code)
	return places[code], err
}

// PlacesOfEach is PlacesOf for different codes.
func PlacesOfEach(tx *db.Tx, storeKey int64, codes ...string) (map[string][]Place, error) {
	type row struct {
		code string
		Place
	}
	places := make(map[string][]Place, len(codes))
	return places, db.EachOf(tx, codes, func(r *row) []any { return []any{&r.code, &r.CampaignID, &r.Position} },
		func(r row) { places[r.code] = append(places[r.code], r.Place) },
		`SELECT $key, campaign_id, position FROM campaign_codes WHERE store_id = ? AND code = $key AND position > 0
		ORDER BY campaign_id DESC LIMIT ?`, storeKey, PlacesShown)
}

// CodesLike returns the codes, sold or not, that a person may have meant who typed the text: those that differ in case,
// signs and look-alikes alone. There are at most PlacesShown.
func CodesLike(tx *db.Tx, storeKey int64, typed string) ([]string, error) {
	loose := keytext.Loose(typed)
	if loose == "" {
		return nil, nil
	}
	return db.AllValues[string](tx, `SELECT DISTINCT code FROM campaign_codes
		WHERE store_id = ? AND loose = ? AND position > 0 ORDER BY code LIMIT ?`, storeKey, loose, PlacesShown)
}
