package rollup

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// Dimension is a way to split sales.
type Dimension int64

// The dimensions. Their values are stored.
const (
	ByPOS   Dimension = 1
	ByLevel Dimension = 2 // of the customer when the receipt was matched
)

// SaleSums are sums of sales. Money is in ten-thousandths.
type SaleSums struct {
	Receipts, Sales               int64
	MatchedReceipts, MatchedSales int64 // of receipts with a customer
}

// Add adds other sums.
func (s *SaleSums) Add(other SaleSums) {
	s.Receipts += other.Receipts
	s.Sales += other.Sales
	s.MatchedReceipts += other.MatchedReceipts
	s.MatchedSales += other.MatchedSales
}

// Minus returns the negative sums.
func (s SaleSums) Minus() SaleSums {
	return SaleSums{-s.Receipts, -s.Sales, -s.MatchedReceipts, -s.MatchedSales}
}

// SaleKey identifies sums of sales of a store.
type SaleKey struct {
	Dimension Dimension
	Day       calendar.Day
	SubjectID string // a point of sale or a level; empty for none
}

func (k SaleKey) compare(other SaleKey) int {
	return cmp.Or(cmp.Compare(k.Dimension, other.Dimension), cmp.Compare(k.Day, other.Day),
		cmp.Compare(k.SubjectID, other.SubjectID))
}

// SaleAdder adds to the sums of a point of sale or a level on the day of a purchase.
type SaleAdder func(at time.Time, by Dimension, subjectID string, sums SaleSums)

// AddingSales returns an adder to the sums of sales of a store, which are written like those of Adding.
func AddingSales(tx *db.Tx, s *store.Store) SaleAdder {
	sales := pendingOf(tx).salesOf(s.Key)
	return func(at time.Time, by Dimension, subjectID string, sums SaleSums) {
		sales.add(SaleKey{by, calendar.DayOf(at, s.Zone), subjectID}, sums)
	}
}

// sales are sums of sales of one store.
type sales map[SaleKey]*SaleSums

func (s sales) add(key SaleKey, sums SaleSums) {
	if s[key] == nil {
		s[key] = &SaleSums{}
	}
	s[key].Add(sums)
}

func (p *pending) salesOf(storeKey int64) sales {
	if p.sales[storeKey] == nil {
		p.sales[storeKey] = sales{}
	}
	return p.sales[storeKey]
}

func (p *pending) writeSales(tx *db.Tx) error {
	var rows []*keyedSales
	for _, storeKey := range slices.Sorted(maps.Keys(p.sales)) {
		of := p.sales[storeKey]
		for _, key := range slices.SortedFunc(maps.Keys(of), SaleKey.compare) {
			if sums := of[key]; *sums != (SaleSums{}) {
				rows = append(rows, &keyedSales{storeKey, key, tx.Shard(), *sums})
			}
		}
	}
	return saleTable.InsertAdding(tx, rows...)
}

// keyedSales is a row of sums.
type keyedSales struct {
	store int64
	key   SaleKey
	shard int64
	sums  SaleSums
}

var saleTable = db.NewTable("sale_sums", "store_id, dimension, day, subject_id, shard", func(r *keyedSales) db.Row {
	return db.Row{
		"store_id", &r.store, "dimension", (*int64)(&r.key.Dimension), "day", (*int64)(&r.key.Day),
		"subject_id", &r.key.SubjectID, "shard", &r.shard, "receipts", &r.sums.Receipts, "sales", &r.sums.Sales,
		"matched_receipts", &r.sums.MatchedReceipts, "matched_sales", &r.sums.MatchedSales,
	}
})

// SalesBy returns the sums of each point of sale or level in a period, both days included. It reads a row for each of
// them and each day.
func SalesBy(tx *db.Tx, storeKey int64, by Dimension, from, to calendar.Day) (map[string]SaleSums, error) {
	sums := map[string]SaleSums{}
	return sums, saleTable.Each(tx, func(r keyedSales) { sums[r.key.SubjectID] = r.sums },
		`SELECT subject_id, CAST(SUM(receipts) AS BIGINT) AS receipts, CAST(SUM(sales) AS BIGINT) AS sales,
			CAST(SUM(matched_receipts) AS BIGINT) AS matched_receipts, CAST(SUM(matched_sales) AS BIGINT) AS matched_sales
		FROM sale_sums WHERE store_id = ? AND dimension = ? AND day BETWEEN ? AND ? GROUP BY subject_id`,
		storeKey, int64(by), int64(from), int64(to))
}

// AddSale is a SaleAdder.
func (b *Book) AddSale(at time.Time, by Dimension, subjectID string, sums SaleSums) {
	b.Sales.add(SaleKey{by, calendar.DayOf(at, b.zone), subjectID}, sums)
}

// subtractSales subtracts the stored sums of sales of a store.
func (b *Book) subtractSales(tx *db.Tx, storeKey int64) error {
	err := saleTable.Each(tx, func(r keyedSales) { b.Sales.add(r.key, r.sums.Minus()) },
		`SELECT * FROM sale_sums WHERE store_id = ?`, storeKey)
	maps.DeleteFunc(b.Sales, func(_ SaleKey, sums *SaleSums) bool { return *sums == SaleSums{} })
	return err
}

// mergeSales puts the sums of each point of sale and level on a day into one row.
func mergeSales(tx *db.Tx, storeKey int64, day calendar.Day) error {
	rows, err := saleTable.All(tx, `SELECT * FROM sale_sums WHERE store_id = ? AND dimension IN (?, ?) AND day = ?
		ORDER BY dimension, subject_id, shard FOR UPDATE`, storeKey, int64(ByPOS), int64(ByLevel), int64(day))
	if err != nil {
		return err
	}
	first := map[SaleKey]int64{} // shard
	rest := sales{}
	var gone []*keyedSales
	for i := range rows { // another transaction may add a row meanwhile, which stays
		r := &rows[i]
		if _, found := first[r.key]; !found {
			first[r.key] = r.shard
			continue
		}
		rest.add(r.key, r.sums)
		gone = append(gone, r)
	}
	if err := saleTable.Delete(tx, gone...); err != nil {
		return err
	}
	var merged []*keyedSales
	for _, key := range slices.SortedFunc(maps.Keys(rest), SaleKey.compare) {
		merged = append(merged, &keyedSales{storeKey, key, first[key], *rest[key]})
	}
	return saleTable.InsertAdding(tx, merged...)
}

// SortedSales returns the keys of the sums of sales in order.
func (b *Book) SortedSales() []SaleKey { return slices.SortedFunc(maps.Keys(b.Sales), SaleKey.compare) }

// String returns the subject of the sums.
func (k SaleKey) String() string {
	if k.Dimension == ByPOS {
		return "sales at point of sale " + k.SubjectID
	}
	return "sales of level " + k.SubjectID
}
