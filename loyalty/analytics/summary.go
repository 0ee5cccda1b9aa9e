package analytics

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/rollup"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// summaryView is the JSON of all figures of a period: docs/behaviour/analytics.md#summary.
type summaryView struct {
	frame
	Currency string        `json:"currency"`
	Period   spanView      `json:"period"`
	Compared spanView      `json:"compared"`
	Lines    []summaryLine `json:"figures"`
}

// spanView is a period, both days included.
type spanView struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func (p period) view() spanView { return spanView{p.from.String(), p.to.String()} }

// summaryLine is a figure. A rate or an average of nothing has no value.
type summaryLine struct {
	Figure   string         `json:"figure"`
	Unit     string         `json:"unit"`
	Value    *decimal.Money `json:"value,omitempty"`
	Compared *decimal.Money `json:"compared,omitempty"`
}

// ratio is a figure that is one sum divided by another.
type ratio struct {
	name    string
	unit    string
	of, per func(s *rollup.Sums) int64
}

// share is the unit of ratios of two sums of the same unit: 0.25 is a quarter.
const share = "share"

var ratios = []ratio{
	{"averageReceipt", money, sumOfKind(rollup.Sales), sumOfKind(rollup.Receipts)},
	{"memberShare", share, sumOfKind(rollup.MatchedSales), sumOfKind(rollup.Sales)},
	{"redemptionRate", share, sumOfKind(rollup.PointsSpent), sumOfKind(rollup.PointsIssued)},
	{"couponUseRate", share, sumOfKind(rollup.CouponsUsed), sumOfKind(rollup.CouponsBought)},
}

// divide returns a ratio as responses show it, or nil if the divisor is 0.
func (r *ratio) divide(s *store.Store, sums *rollup.Sums) *decimal.Money {
	of, per := r.of(sums), r.per(sums)
	switch {
	case per <= 0:
		return nil
	case r.unit == money:
		return new(average(s, of, per))
	}
	return new(decimal.Money(of).MulDiv(int64(countMoney(1)), per, decimal.MoneyDigits))
}

// average returns a share of money in the digits of the store's currency.
func average(s *store.Store, sum, of int64) decimal.Money {
	return decimal.Money(sum).MulDiv(1, of, s.MoneyDigits())
}

func summaryOf(c *api.Call, spans [2]period) (summaryView, error) {
	v := summaryView{
		frame: frameOf(c), Currency: c.Store.Currency, Period: spans[0].view(), Compared: spans[1].view(),
	}
	err := c.Read(func(tx *db.Tx) (err error) {
		var sums, before [2]rollup.Sums // of the days of a span, and of those until then
		for i, span := range spans {
			days, err := rollup.Days(tx, c.Store.Key, span.from, span.to)
			if err != nil {
				return err
			}
			for _, of := range days {
				sums[i].Add(&of)
			}
			if before[i], err = rollup.Total(tx, c.Store.Key, span.to); err != nil {
				return err
			}
		}
		for i := range metrics {
			m := &metrics[i]
			var values []int64
			switch {
			case m.distinct != nil:
				if values, err = m.distinct(tx, c.Store.Key, spans[:]); err != nil {
					return err
				}
			case m.total:
				values = []int64{m.sum(&before[0]), m.sum(&before[1])}
			default:
				values = []int64{m.sum(&sums[0]), m.sum(&sums[1])}
			}
			v.Lines = append(v.Lines, summaryLine{m.name, m.unit, new(m.value(values[0])), new(m.value(values[1]))})
		}
		for i := range ratios {
			r := &ratios[i]
			v.Lines = append(v.Lines, summaryLine{
				r.name, r.unit, r.divide(c.Store, &sums[0]), r.divide(c.Store, &sums[1]),
			})
		}
		return nil
	})
	return v, err
}

var summaryColumns = api.Titled("Figure", "Unit", "Value#", "Value before#", "From", "To", "From before", "To before")

func exportSummary(c *api.Call, spans [2]period) (name string, rows [][]string, err error) {
	v, err := summaryOf(c, spans)
	for _, f := range v.Lines {
		unit := f.Unit
		if unit == money {
			unit = v.Currency
		}
		rows = append(rows, []string{f.Figure, unit, optional(f.Value), optional(f.Compared), v.Period.From, v.Period.To,
			v.Compared.From, v.Compared.To})
	}
	return "figures", rows, err
}

func optional(m *decimal.Money) string {
	if m == nil {
		return ""
	}
	return m.String()
}
