package purchase

import (
	"time"

	"punchcard/core/api"
	"punchcard/platform/db"
)

// exportedAtOnce is the number of purchases that the export reads at a time.
const exportedAtOnce = 1000

// exportColumns are the columns of the export. Clients compare the titles.
var exportColumns = api.Titled("0.Name", "1.Date", "2.Cost#", "3.Tax value#", "4.email", "5.phone", "6.Firstname",
	"7.Surname", "8.Points balance#", "9.Is used")

// exportBought exports purchases in order of purchase, up to the moment of the request, with the filters of the list.
// See docs/behaviour/purchase.md#csv-export.
func exportBought(c *api.Call) (api.Pages, error) {
	query, err := c.Query()
	if err != nil {
		return nil, err
	}
	wanted := readFilter(query, c.Store.Zone)
	wanted.spans = append(wanted.spans, span{"purchased_at", time.Time{}, c.Now()})
	reader := &purchaseReader{storeKey: c.Store.Key, wanted: wanted}
	return func(tx *db.Tx) ([][]string, error) {
		err := reader.next(tx)
		rows := make([][]string, len(reader.found))
		for i := range reader.found {
			rows[i] = reader.found[i].cells(c.Store.Zone)
		}
		return rows, err
	}, c.RefuseUnread(wanted.unread)
}

func (p *Purchase) cells(zone *time.Location) []string {
	tax, used := "", ""
	if p.TaxPrice != nil {
		tax = p.TaxPrice.String()
	}
	if p.Used {
		used = "1"
	}
	return []string{
		p.CampaignName, p.PurchasedAt.In(zone).Format(time.DateTime), p.Price.String(), tax, p.Email, p.Phone,
		p.FirstName, p.LastName, wholePoints(p.PointsBefore).String(), used,
	}
}

// purchaseReader iterates over the purchases that a filter selects in pages.
type purchaseReader struct {
	storeKey int64
	wanted   filter
	last     *Purchase // that was read; nil at the beginning
	found    []Purchase
}

// next reads the page after the last purchase.
func (e *purchaseReader) next(tx *db.Tx) error {
	some, err := e.wanted.locate(tx, e.storeKey)
	if err != nil || !some {
		e.found = nil
		return err
	}
	isGathered := e.wanted.customerID != "" || len(e.wanted.places) > 1
	from := e.wanted.from(e.storeKey, isGathered)
	switch {
	case e.last == nil:
	case e.wanted.isOne():
		from.And("position > ?", e.last.Position)
	case e.wanted.customerID != "":
		from.And("coupon_id > ? AND purchased_at >= ?", e.last.CouponID, e.last.PurchasedAt.UnixMicro())
	default:
		from.And("coupon_id > ?", e.last.CouponID)
	}
	page := from.Select("*")
	page.Add(" ORDER BY ? LIMIT ?", e.wanted.order(page, api.Page{}, isGathered, tx.Now()), exportedAtOnce)
	e.found, err = table.All(tx, page.Text(), page.Args()...)
	if n := len(e.found); n > 0 {
		e.last = &e.found[n-1]
	}
	return err
}
