package points

import (
	"iter"

	"punchcard/platform/db"
)

// CountPurchases adds n to the customer's purchases of the campaign.
func (w *Wallet) CountPurchases(campaignID string, n int64) {
	if w.counted == nil {
		w.counted = map[string]int64{}
	}
	w.counted[campaignID] += n
	w.active = true
}

// UncountPurchase subtracts one of the customer's purchases of the campaign, and returns the number of those left.
func (w *Wallet) UncountPurchase(campaignID string) (left int64, err error) {
	if _, err = w.tx.Exec(`UPDATE purchase_counts SET bought = bought - 1
		WHERE store_id = ? AND customer_id = ? AND campaign_id = ?`, w.StoreKey, w.CustomerID, campaignID); err != nil {
		return 0, err
	}
	return w.Bought(campaignID)
}

// Bought returns how often the customer has bought the campaign.
func (w *Wallet) Bought(campaignID string) (int64, error) {
	stored, err := db.Value[int64](w.tx, `SELECT bought FROM purchase_counts
		WHERE store_id = ? AND customer_id = ? AND campaign_id = ?`, w.StoreKey, w.CustomerID, campaignID)
	return stored + w.counted[campaignID], err
}

// saveCounts adds the purchases that were counted to purchase_counts. The locked accounts exclude other writers of
// these rows.
func saveCounts(tx *db.Tx, wallets []*Wallet) error {
	var counts []*purchaseCount
	for _, w := range wallets {
		for _, id := range sortedKeys(w.counted) {
			counts = append(counts, w.count(id, w.counted[id]))
		}
		w.counted = nil
	}
	return addCounts(tx, counts)
}

func addCounts(tx *db.Tx, counts []*purchaseCount) error {
	return countTable.InsertOr(tx, `ON CONFLICT (store_id, customer_id, campaign_id)
		DO UPDATE SET bought = purchase_counts.bought + excluded.bought`, counts...)
}

func (w *Wallet) count(campaignID string, n int64) *purchaseCount {
	return &purchaseCount{w.StoreKey, Pair{w.CustomerID, campaignID}, n}
}

// Pair is a customer with a campaign.
type Pair struct{ CustomerID, CampaignID string }

// purchaseCount is a row of purchase_counts.
type purchaseCount struct {
	storeKey int64
	Pair
	bought int64
}

var countTable = db.NewTable("purchase_counts", "store_id, customer_id, campaign_id", func(c *purchaseCount) db.Row {
	return db.Row{
		"store_id", &c.storeKey, "customer_id", &c.CustomerID, "campaign_id", &c.CampaignID, "bought", &c.bought,
	}
})

// SelectPairs returns the query for how often customers have bought campaigns, and the map that it fills.
func SelectPairs(tx *db.Tx, storeKey int64, pairs iter.Seq[Pair]) (map[Pair]int64, db.Query) {
	bought := map[Pair]int64{}
	var rows [][]any
	for p := range pairs {
		rows = append(rows, []any{p.CustomerID, p.CampaignID})
	}
	return bought, countTable.Select(func(c purchaseCount) { bought[c.Pair] = c.bought },
		`SELECT c.customer_id, c.campaign_id, c.bought FROM ? AS v (store, customer, campaign)
			CROSS JOIN purchase_counts c
			WHERE c.store_id = v.store AND c.customer_id = v.customer AND c.campaign_id = v.campaign`,
		tx.AmongRows(storeKey, []string{"TEXT", "TEXT"}, rows...))
}

// Bought returns how often customers have bought the campaigns of a store, by customer and campaign.
func Bought(tx *db.Tx, storeKey int64, customerIDs ...string) (map[string]map[string]int64, error) {
	bought, query := SelectBought(tx, storeKey, customerIDs...)
	return bought, tx.Run(query)
}

// SelectBought returns the query of Bought, and the map that it fills.
func SelectBought(tx *db.Tx, storeKey int64, customerIDs ...string) (map[string]map[string]int64, db.Query) {
	bought := make(map[string]map[string]int64, len(customerIDs))
	for _, id := range customerIDs {
		bought[id] = map[string]int64{}
	}
	return bought, countTable.Select(func(c purchaseCount) { bought[c.CustomerID][c.CampaignID] = c.bought },
		`SELECT c.customer_id, c.campaign_id, c.bought FROM ? AS v (store, id) CROSS JOIN purchase_counts c
			WHERE c.store_id = v.store AND c.customer_id = v.id`, tx.Among(storeKey, customerIDs...))
}
