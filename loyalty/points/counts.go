package points

import (
	"iter"
	"maps"
	"slices"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// countsKept is the number of campaigns whose purchase counts an account row keeps. With more than that, a purchase
// moves them to purchase_counts, all but its own. A larger number makes every purchase read and write a longer row; a
// smaller one writes a page of that table more often.
const countsKept = 16

// CountPurchases adds n to the customer's purchases of the campaign.
func (w *Wallet) CountPurchases(campaignID string, n int64) {
	if w.bought == nil {
		w.bought = purchaseCounts{}
	}
	w.bought[campaignID] += n
	if !slices.Contains(w.counted, campaignID) {
		w.counted = append(w.counted, campaignID)
	}
	w.dirty, w.active = true, true
}

// UncountPurchase subtracts one of the customer's purchases of the campaign, and returns the number of those left. A
// count that was moved comes back into the account row.
func (w *Wallet) UncountPurchase(campaignID string) (left int64, err error) {
	all, err := w.Bought(campaignID)
	if err != nil {
		return 0, err
	}
	if w.moved[campaignID] > 0 {
		_, err := w.tx.Exec(`DELETE FROM purchase_counts WHERE store_id = $1 AND customer_id = $2 AND campaign_id = $3`,
			w.StoreKey, w.CustomerID, campaignID)
		if err != nil {
			return 0, err
		}
		w.moved[campaignID] = 0
	}
	if w.bought == nil {
		w.bought = purchaseCounts{}
	}
	if w.bought[campaignID] = all - 1; all <= 1 {
		delete(w.bought, campaignID) // packed counts have no 0
	}
	w.dirty = true
	return all - 1, nil
}

// Bought returns how often the customer has bought the campaign.
func (w *Wallet) Bought(campaignID string) (int64, error) {
	err := readMoved(w.tx, w.StoreKey, w.ask(campaignID), func(c movedCount) { w.moved[campaignID] = c.bought })
	return w.bought[campaignID] + w.moved[campaignID], err
}

// ask returns the range of purchase_counts to read for the campaign; none if its count is known.
func (w *Wallet) ask(campaignID string) [][]any {
	if _, known := w.moved[campaignID]; known || w.MovedCounts == 0 {
		return nil
	}
	if w.moved == nil {
		w.moved = map[string]int64{}
	}
	w.moved[campaignID] = 0 // if there is no row
	return [][]any{countRange(w.CustomerID, campaignID, campaignID)}
}

// ReadBought reads what Bought returns for customers and campaigns of a store, with one statement for all of them.
func (w *Wallets) ReadBought(s *store.Store, purchases iter.Seq2[string, string]) error {
	var rows [][]any
	for customerID, campaignID := range purchases {
		if wallet := w.Of(Owner{Store: s, CustomerID: customerID}); wallet != nil {
			rows = append(rows, wallet.ask(campaignID)...)
		}
	}
	return readMoved(w.tx, s.Key, rows, func(c movedCount) {
		w.byKey[accountKey{s.Key, c.customerID}].moved[c.campaignID] = c.bought
	})
}

// moveCounts takes counts out of the account row, if it has too many, and returns them as rows of purchase_counts.
// Those of the purchases that are being counted stay; BoughtSince relies on that.
func (w *Wallet) moveCounts() (rows [][]any) {
	if len(w.counted) == 0 || len(w.bought) <= countsKept {
		return nil
	}
	for _, id := range sortedKeys(w.bought) {
		if slices.Contains(w.counted, id) {
			continue
		}
		rows = append(rows, []any{w.StoreKey, w.CustomerID, id, w.bought[id]})
		if _, known := w.moved[id]; known {
			w.moved[id] += w.bought[id]
		}
		delete(w.bought, id)
	}
	w.MovedCounts += int64(len(rows))
	return rows
}

// addMoved stores what moveCounts returns. The locked accounts exclude other writers of these rows.
func addMoved(tx *db.Tx, rows [][]any) error {
	return tx.Insert("purchase_counts", "store_id, customer_id, campaign_id, bought",
		"ON CONFLICT (store_id, customer_id, campaign_id) DO UPDATE SET bought = purchase_counts.bought + excluded.bought",
		rows...)
}

// BoughtSince returns the numbers of purchases by campaign since the same account was read before, provided that one
// operation has made them all.
func (a *Account) BoughtSince(before *Account) map[string]int64 {
	since := map[string]int64{}
	for id, n := range a.bought {
		if n > before.bought[id] {
			since[id] = n - before.bought[id]
		}
	}
	return since
}

// Bought returns how often customers have bought campaigns, by customer and campaign. asked names the campaigns of each
// customer; counts of others may be missing. Customers with no MovedCounts need not be asked for.
func Bought(tx *db.Tx, storeKey int64, accounts map[string]Account, asked map[string][]string) (
	map[string]map[string]int64, error) {
	all := make(map[string]map[string]int64, len(accounts))
	var rows [][]any
	for id, account := range accounts {
		all[id] = account.bought
		if account.MovedCounts > 0 && len(asked[id]) > 0 {
			all[id] = make(map[string]int64, len(account.bought)+len(asked[id]))
			maps.Copy(all[id], account.bought)
			rows = append(rows, account.movedRanges(asked[id])...)
		}
	}
	return all, readMoved(tx, storeKey, rows, func(c movedCount) { all[c.customerID][c.campaignID] += c.bought })
}

// movedRanges returns the ranges of purchase_counts that hold the counts of campaigns: one with all of them, or one for
// each if the customer may have bought more campaigns than that.
func (a *Account) movedRanges(campaigns []string) (rows [][]any) {
	campaigns = db.Distinct(campaigns)
	if a.MovedCounts <= int64(len(campaigns)) {
		return [][]any{countRange(a.CustomerID, campaigns[0], campaigns[len(campaigns)-1])}
	}
	for _, id := range campaigns {
		rows = append(rows, countRange(a.CustomerID, id, id))
	}
	return rows
}

// countRange is a range of campaigns of one customer.
func countRange(customerID, first, last string) []any { return []any{customerID, first, last} }

// movedCount is a row of purchase_counts.
type movedCount struct {
	customerID, campaignID string
	bought                 int64
}

func (c *movedCount) row() []any { return []any{&c.customerID, &c.campaignID, &c.bought} }

// rangesAtOnce is how many ranges one statement reads. SQLite limits the number of parameters.
const rangesAtOnce = 1000

// readMoved reads the counts in ranges that do not overlap.
func readMoved(tx *db.Tx, storeKey int64, ranges [][]any, visit func(movedCount)) error {
	for part := range slices.Chunk(ranges, rangesAtOnce) {
		err := db.Each(tx, (*movedCount).row, visit, `SELECT c.customer_id, c.campaign_id, c.bought
			FROM ? CROSS JOIN purchase_counts c WHERE c.store_id = v.store AND c.customer_id = v.column1
				AND c.campaign_id >= v.column2 AND c.campaign_id <= v.column3`,
			tx.AmongRows(storeKey, []string{"TEXT", "TEXT", "TEXT"}, part...))
		if err != nil {
			return err
		}
	}
	return nil
}
