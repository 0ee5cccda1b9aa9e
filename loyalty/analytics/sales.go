package analytics

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// SaleRowsLimit is the number of points of sale or levels that a response lists, those with the most sales.
const SaleRowsLimit = 500

// splitView is the JSON of sales by point of sale or level: docs/behaviour/analytics.md#sales.
type splitView struct {
	frame
	Currency string     `json:"currency"`
	By       string     `json:"by"`
	Period   spanView   `json:"period"`
	Compared spanView   `json:"compared"`
	Total    splitRow   `json:"total"`
	Rows     []splitRow `json:"rows"`
	More     int        `json:"more,omitempty"` // rows that are left out
}

// splitRow is the sums of a point of sale or a level. Without an id, kind tells which sales they are.
type splitRow struct {
	ID       string      `json:"id,omitempty"`
	Kind     string      `json:"kind,omitempty"` // noPlace, noLevel, anonymous
	Name     string      `json:"name,omitempty"`
	Sums     salesOfSpan `json:"sums"`
	Compared salesOfSpan `json:"compared"`
}

type salesOfSpan struct {
	Receipts       int64          `json:"receipts"`
	Sales          decimal.Money  `json:"sales"`
	AverageReceipt *decimal.Money `json:"averageReceipt,omitempty"`
	MemberReceipts int64          `json:"memberReceipts"`
	MemberSales    decimal.Money  `json:"memberSales"`
}

func newSalesOfSpan(s *store.Store, sums rollup.SaleSums) salesOfSpan {
	v := salesOfSpan{
		Receipts: sums.Receipts, Sales: decimal.Money(sums.Sales), MemberReceipts: sums.MatchedReceipts,
		MemberSales: decimal.Money(sums.MatchedSales),
	}
	if sums.Receipts > 0 {
		v.AverageReceipt = new(average(s, sums.Sales, sums.Receipts))
	}
	return v
}

// split is a way to split sales.
type split struct {
	dimension rollup.Dimension
	without   string // the kind of sales without a subject
	names     func(tx *db.Tx, storeKey int64, locale api.Locale, ids []string) (map[string]string, error)
}

var splits = map[string]split{
	"pos": {rollup.ByPOS, "noPlace", func(
		tx *db.Tx, storeKey int64, _ api.Locale, ids []string,
	) (map[string]string, error) {
		return pos.Names(tx, storeKey, ids...)
	}},
	"level": {rollup.ByLevel, "noLevel", func(
		tx *db.Tx, storeKey int64, locale api.Locale, ids []string,
	) (map[string]string, error) {
		levels, err := level.All(tx, storeKey)
		names := map[string]string{}
		for _, id := range ids {
			if l := level.Find(levels, id); l != nil {
				names[id] = l.Name(locale)
			}
		}
		return names, err
	}},
}

func readSplit(q *form.Group) string {
	return q.Choice("by", slices.Sorted(maps.Keys(splits)), form.NotBlank)
}

// salesQuery asks for the sales of two periods.
type salesQuery struct {
	by    string
	spans [2]period
}

func readSales(q *form.Group, today calendar.Day) salesQuery {
	return salesQuery{readSplit(q), readComparison(q, today)}
}

var inSales = inLocalized(readSales)

func showSales(c *api.Call, in localized[salesQuery]) (splitView, error) {
	v, err := salesOf(c, in)
	if v.More = max(len(v.Rows)-SaleRowsLimit, 0); v.More > 0 {
		v.Rows = v.Rows[:SaleRowsLimit]
	}
	return v, err
}

func salesOf(c *api.Call, in localized[salesQuery]) (splitView, error) {
	by, spans := in.asked.by, in.asked.spans
	v := splitView{frame: frameOf(c), Currency: c.Store.Currency, By: by, Period: spans[0].view(),
		Compared: spans[1].view(), Rows: []splitRow{}}
	var sums [2]map[string]rollup.SaleSums
	var names map[string]string
	err := c.Read(func(tx *db.Tx) (err error) {
		ids := map[string]bool{}
		for i, span := range spans {
			if sums[i], err = rollup.SalesBy(tx, c.Store.Key, splits[by].dimension, span.from, span.to); err != nil {
				return err
			}
			for id := range sums[i] {
				if id != "" {
					ids[id] = true
				}
			}
		}
		names, err = splits[by].names(tx, c.Store.Key, in.locale, slices.Sorted(maps.Keys(ids)))
		for id := range ids {
			if names[id] == "" {
				names[id] = "" // a deleted one
			}
		}
		return err
	})
	if err != nil {
		return v, err
	}
	v.fill(c.Store, sums, names)
	return v, nil
}

func countText(n int64) string { return strconv.FormatInt(n, 10) }

// fill adds the rows and the total, those with the most sales first.
func (v *splitView) fill(s *store.Store, sums [2]map[string]rollup.SaleSums, names map[string]string) {
	add := func(id, kind, name string, of [2]rollup.SaleSums) {
		if of != ([2]rollup.SaleSums{}) {
			v.Rows = append(v.Rows, splitRow{id, kind, name, newSalesOfSpan(s, of[0]), newSalesOfSpan(s, of[1])})
		}
	}
	for id, name := range names {
		add(id, "", name, [2]rollup.SaleSums{sums[0][id], sums[1][id]})
	}
	without := [2]rollup.SaleSums{sums[0][""], sums[1][""]}
	if v.By == "level" {
		var anonymous [2]rollup.SaleSums
		for i, of := range without {
			anonymous[i] = rollup.SaleSums{Receipts: of.Receipts - of.MatchedReceipts, Sales: of.Sales - of.MatchedSales}
			without[i].Receipts, without[i].Sales = of.MatchedReceipts, of.MatchedSales
		}
		add("", "anonymous", "", anonymous)
	}
	add("", splits[v.By].without, "", without)
	slices.SortFunc(v.Rows, func(a, b splitRow) int {
		return cmp.Or(cmp.Compare(b.Sums.Sales, a.Sums.Sales), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Kind, b.Kind))
	})
	var total [2]rollup.SaleSums
	for i := range sums {
		for _, of := range sums[i] {
			total[i].Add(of)
		}
	}
	v.Total = splitRow{Sums: newSalesOfSpan(s, total[0]), Compared: newSalesOfSpan(s, total[1])}
}

var saleColumns = api.Titled("Id", "Name", "Receipts#", "Sales#", "Average receipt#", "Receipts of members#",
	"Sales of members#", "Receipts before#", "Sales before#", "Currency", "From", "To", "From before", "To before")

func exportSales(c *api.Call, in localized[salesQuery]) (name string, rows [][]string, err error) {
	v, err := salesOf(c, in)
	for _, r := range v.Rows {
		rows = append(rows, []string{r.ID, cmp.Or(r.Name, r.Kind), countText(r.Sums.Receipts), r.Sums.Sales.String(),
			optional(r.Sums.AverageReceipt), countText(r.Sums.MemberReceipts), r.Sums.MemberSales.String(),
			countText(r.Compared.Receipts), r.Compared.Sales.String(), v.Currency,
			v.Period.From, v.Period.To, v.Compared.From, v.Compared.To})
	}
	return "sales_by_" + v.By, rows, err
}
