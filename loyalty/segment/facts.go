package segment

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// counters are the counters that the criteria of some segments need.
type counters struct {
	sales []saleCounter
	items bool                                                                        // of sales
	rows  []func(*db.Tx, int64, []string, func(customerID, criterionID string)) error // one for each type
	needs need
}

// saleCounter decides which sales one criterion counts.
type saleCounter struct {
	criterionID string
	counts      func(*transaction.Sale) bool
}

// counters returns what the criteria of active segments count. Days are days in the zone.
func (svc *Service) counters(segments []Segment, zone *time.Location) counters {
	var all counters
	withRows := map[string]bool{} // by type
	for i := range segments {
		if !segments[i].Active {
			continue
		}
		for _, part := range segments[i].Parts {
			for _, c := range part.Criteria {
				kind := svc.byName[c.Type]
				all.needs |= kind.needs()
				if counts := kind.counter(c.Fields, zone); counts != nil {
					all.sales = append(all.sales, saleCounter{c.ID, counts})
					all.items = all.items || kind.items()
				}
				if rows := kind.rows(); rows != nil && !withRows[c.Type] {
					withRows[c.Type] = true
					all.rows = append(all.rows, rows)
				}
			}
		}
	}
	return all
}

// count adds one sale. Sales that were returned completely must be left out.
func (f *Facts) count(counters []saleCounter, sale *transaction.Sale) {
	f.Sales++
	for _, c := range counters {
		if c.counts(sale) {
			f.counted[c.criterionID]++
		}
	}
}

// facts reads what the criteria of segments need to know about customers. Only active customers can be
// members, so the purchases of others are not read.
func (svc *Service) facts(tx *db.Tx, shop *store.Store, segments []Segment, who []customer.Traits) (
	map[string]*Facts, error) {
	known, ids := make(map[string]*Facts, len(who)), []string(nil)
	for i := range who {
		known[who[i].ID] = &Facts{
			Traits: who[i], Zone: shop.Zone, MoneyDigits: shop.MoneyDigits(), counted: map[string]int64{},
		}
		if who[i].IsActive() {
			ids = append(ids, who[i].ID)
		}
	}
	if len(ids) == 0 {
		return known, nil
	}
	counters := svc.counters(segments, shop.Zone)
	for _, rows := range counters.rows {
		err := rows(tx, shop.Key, ids, func(customerID, criterionID string) { known[customerID].counted[criterionID]++ })
		if err != nil {
			return nil, err
		}
	}
	if err := svc.addNeeds(tx, shop, counters.needs, ids, known); err != nil {
		return nil, err
	}
	if len(counters.sales) == 0 {
		return known, nil
	}
	return known, transaction.SalesOf(tx, shop.Key, ids, counters.items, func(sale *transaction.Sale) {
		known[sale.CustomerID].count(counters.sales, sale)
	})
}

// addNeeds reads the points and coupons of customers, if criteria need them.
func (svc *Service) addNeeds(tx *db.Tx, shop *store.Store, needs need, ids []string, known map[string]*Facts) error {
	if needs&needsPoints != 0 {
		balances, err := points.Balances(tx, shop, ids...)
		if err != nil {
			return err
		}
		for id, account := range balances {
			known[id].Points = account.Points
		}
	}
	if needs&needsCoupons != 0 {
		unused, err := svc.Unused(tx, shop.Key, ids...)
		if err != nil {
			return err
		}
		for id, byCampaign := range unused {
			known[id].Unused = byCampaign
		}
	}
	return nil
}
