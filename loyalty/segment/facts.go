package segment

import (
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/transaction"
)

// Facts are what criteria ask about a customer. Of what he bought they hold only what some criterion names, so
// that they stay small however much he buys.
type Facts struct {
	customer.Traits
	Listed map[string]bool // ids of the criteria that list him

	Sales    int64            // sales of which something is left
	ByPOS    map[string]int64 // how many of them by point of sale
	Days     map[string]bool  // when they were, YYYY-MM-DD in the zone
	SKUs     map[string]bool
	Makers   map[string]bool
	Bought   map[Label]bool // labels of their lines, folded, with a value and without
	location *time.Location
}

// interest is what the criteria of some segments ask for.
type factNeeds struct {
	sales, items, lists bool
	pos, skus, makers   map[string]bool
	labels              map[Label]bool
	periods             [][2]string
	location            *time.Location
}

// neededFacts collects what the criteria of active segments name; days are those of the zone.
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

// newFacts are the facts about a customer who bought nothing.
func (in *factNeeds) newFacts(traits customer.Traits) *Facts {
	return &Facts{
		Traits: traits, Listed: map[string]bool{}, ByPOS: map[string]int64{}, Days: map[string]bool{},
		SKUs: map[string]bool{}, Makers: map[string]bool{}, Bought: map[Label]bool{}, location: in.location,
	}
}

// addSale notes what the criteria ask about one sale. A sale that came back whole never was.
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
