package segment

import (
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/transaction"
)

// Facts are what criteria need to know about a customer. They hold only those purchases that some criterion
// names, so that they stay small.
type Facts struct {
	customer.Traits
	Listed map[string]bool // ids of the criteria that list the customer

	Sales    int64            // sales that were not returned as a whole
	ByPOS    map[string]int64 // number of sales by point of sale
	Days     map[string]bool  // days of sales, YYYY-MM-DD in the zone
	SKUs     map[string]bool
	Makers   map[string]bool
	Bought   map[Label]bool // labels of items, folded, with and without their value
	location *time.Location
}

// factNeeds is what the criteria of some segments need to know.
type factNeeds struct {
	sales, items, lists bool
	pos, skus, makers   map[string]bool
	labels              map[Label]bool
	periods             [][2]string
	location            *time.Location
}

// neededFacts collects what the criteria of active segments name. Days are days in the zone.
func neededFacts(segments []Segment, zone *time.Location) *factNeeds {
	in := &factNeeds{
		pos: map[string]bool{}, skus: map[string]bool{}, makers: map[string]bool{}, labels: map[Label]bool{},
		location: zone,
	}
	for i := range segments {
		if !segments[i].Active {
			continue
		}
		for _, part := range segments[i].Parts {
			for j := range part.Criteria {
				in.add(&part.Criteria[j])
			}
		}
	}
	in.items = len(in.skus)+len(in.makers)+len(in.labels) > 0
	in.sales = in.sales || in.items
	return in
}

func (in *factNeeds) add(c *Criterion) {
	switch c.Type {
	case BoughtInPOS:
		in.sales = true
		addAll(in.pos, c.POSIDs)
	case PercentInPOS:
		in.sales = true
		in.pos[c.POSID] = true
	case PurchasePeriod:
		in.sales = true
		in.periods = append(in.periods, [2]string{c.FromDate, c.ToDate})
	case BoughtSKUs:
		addAll(in.skus, c.SKUs)
	case BoughtMakers:
		addAll(in.makers, c.Makers)
	case BoughtLabels:
		for _, label := range c.Labels {
			in.labels[label.folded()] = true
		}
	case CustomerList:
		in.lists = true
	}
}

func addAll(to map[string]bool, names []string) {
	for _, name := range names {
		to[name] = true
	}
}

// newFacts returns the facts about a customer without purchases.
func (in *factNeeds) newFacts(traits customer.Traits) *Facts {
	return &Facts{
		Traits: traits, Listed: map[string]bool{}, ByPOS: map[string]int64{}, Days: map[string]bool{},
		SKUs: map[string]bool{}, Makers: map[string]bool{}, Bought: map[Label]bool{}, location: in.location,
	}
}

// addSale adds one sale. Sales that were returned as a whole must be left out.
func (f *Facts) addSale(in *factNeeds, sale *transaction.Sale) {
	f.Sales++
	if in.pos[sale.POSID] {
		f.ByPOS[sale.POSID]++
	}
	if len(in.periods) > 0 {
		day := sale.PurchasedAt.In(f.location).Format(time.DateOnly)
		for _, period := range in.periods {
			if period[0] <= day && day <= period[1] {
				f.Days[day] = true
			}
		}
	}
	for i := range sale.Items {
		f.addItem(in, &sale.Items[i])
	}
}

func (f *Facts) addItem(in *factNeeds, item *transaction.Item) {
	if in.skus[item.SKU.Code] {
		f.SKUs[item.SKU.Code] = true
	}
	if in.makers[item.Maker] {
		f.Makers[item.Maker] = true
	}
	if len(in.labels) == 0 {
		return
	}
	for _, label := range item.Labels {
		exact := Label{label.Key, label.Value}.folded()
		for _, asked := range [...]Label{exact, {Key: exact.Key}} {
			if in.labels[asked] {
				f.Bought[asked] = true
			}
		}
	}
}
