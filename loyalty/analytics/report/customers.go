package report

import (
	"cmp"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/rollup"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

const (
	// SegmentDays is the longest period for which a report sums up segments.
	SegmentDays = 92
	// TopLimit is the number of customers with the most sales that a report names.
	TopLimit = 100
	// SegmentLimit is the number of segments that a report sums up.
	SegmentLimit = 200

	customersAtOnce = 500
	oftenLimit      = 5 // the last class of customers by number of receipts has so many or more
)

// customerSums are the sums of a report about customers. See docs/behaviour/reports.md#customers.
type customerSums struct {
	Members  int64
	Receipts int64
	Sales    decimal.Money
	Often    [oftenLimit + 1]int64 // customers by number of receipts
	Top      []topCustomer
	Cohorts  map[string]*cohort // by month of joining, such as 2027-01
	Segments map[string]*segmentSums
}

type topCustomer struct {
	ID       string
	Receipts int64
	Sales    decimal.Money
	Last     time.Time
}

// cohort is the customers who joined in a month.
type cohort struct {
	Joined int64
	Buyers []int64         // by the number of months since
	Sales  []decimal.Money // alike
}

type segmentSums struct {
	Members, Buyers, Receipts int64
	Sales                     decimal.Money
}

func newCustomerSums() *customerSums {
	return &customerSums{Cohorts: map[string]*cohort{}, Segments: map[string]*segmentSums{}}
}

func estimateCustomers(tx *db.Tx, s *store.Store) (int64, error) {
	total, err := rollup.Total(tx, s.Key, calendar.DayOf(tx.Now(), s.Zone))
	return total[rollup.Customers], err
}

// bought sums up the receipts of one customer in the period.
type bought struct {
	receipts int64
	sales    decimal.Money
	last     time.Time
	months   map[int]decimal.Money // sales by number of months since the one of joining
}

func (sums *customerSums) read(tx *db.Tx, s *store.Store, r *Report) (int64, string, bool, error) {
	members, err := customer.JoinedAfter(tx, s.Key, r.Position, customersAtOnce)
	if err != nil || len(members) == 0 {
		return 0, r.Position, false, err
	}
	ids := make([]string, len(members))
	all, joined := map[string]*bought{}, map[string]int{}
	for i, m := range members {
		ids[i] = m.ID
		joined[m.ID] = monthOf(m.At.In(s.Zone))
	}
	from, before := r.span(s.Zone)
	err = transaction.SalesBetween(tx, s.Key, ids, from, before, func(id string, at time.Time, left decimal.Money) {
		b := all[id]
		if b == nil {
			b = &bought{months: map[int]decimal.Money{}}
			all[id] = b
		}
		b.receipts++
		b.sales += left
		if at.After(b.last) {
			b.last = at
		}
		b.months[monthOf(at.In(s.Zone))-joined[id]] += left
	})
	if err != nil {
		return 0, "", false, err
	}
	var segments map[string][]customer.Segment
	if r.days() <= SegmentDays {
		if segments, err = segment.OfCustomers(tx, s.Key, ids...); err != nil {
			return 0, "", false, err
		}
	}
	first, last := monthOfDay(r.From), monthOfDay(r.To)
	for _, id := range ids {
		sums.add(id, all[id])
		if month := joined[id]; month >= first && month <= last {
			sums.addToCohort(month, last-month+1, all[id])
		}
		for _, of := range segments[id] {
			sums.addToSegment(of.ID, all[id])
		}
	}
	sums.trimTop()
	return int64(len(ids)), ids[len(ids)-1], len(ids) == customersAtOnce, nil
}

func (sums *customerSums) add(id string, b *bought) {
	sums.Members++
	if b == nil {
		sums.Often[0]++
		return
	}
	sums.Often[min(b.receipts, oftenLimit)]++
	sums.Receipts += b.receipts
	sums.Sales += b.sales
	sums.Top = append(sums.Top, topCustomer{id, b.receipts, b.sales, b.last})
}

// trimTop keeps the customers with the most sales.
func (sums *customerSums) trimTop() {
	slices.SortFunc(sums.Top, func(a, b topCustomer) int {
		return cmp.Or(cmp.Compare(b.Sales, a.Sales), cmp.Compare(b.Receipts, a.Receipts), cmp.Compare(a.ID, b.ID))
	})
	sums.Top = sums.Top[:min(len(sums.Top), TopLimit)]
}

// addToCohort adds a customer who joined in a month, after which the period has some months.
func (sums *customerSums) addToCohort(month, months int, b *bought) {
	name := monthName(month)
	of := sums.Cohorts[name]
	if of == nil {
		of = &cohort{Buyers: make([]int64, months), Sales: make([]decimal.Money, months)}
		sums.Cohorts[name] = of
	}
	of.Joined++
	if b == nil {
		return
	}
	for n, sales := range b.months {
		if n >= 0 && n < months { // a receipt can be older than the account
			of.Buyers[n]++
			of.Sales[n] += sales
		}
	}
}

func (sums *customerSums) addToSegment(id string, b *bought) {
	of := sums.Segments[id]
	if of == nil {
		if len(sums.Segments) == SegmentLimit {
			return
		}
		of = &segmentSums{}
		sums.Segments[id] = of
	}
	of.Members++
	if b != nil {
		of.Buyers++
		of.Receipts += b.receipts
		of.Sales += b.sales
	}
}

// monthOf numbers months through all years.
func monthOf(t time.Time) int { return t.Year()*12 + int(t.Month()) - 1 }

func monthOfDay(day calendar.Day) int { return monthOf(day.UTC()) }

// monthName writes the number of a month like 2027-01.
func monthName(month int) string {
	return calendar.Date(month/12, time.Month(month%12+1), 1).Format("2006-01")
}
