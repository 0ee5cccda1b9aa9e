package segment

import (
	"slices"
	"strings"
	"time"

	"punchcard/platform/decimal"
)

// matches reports whether a customer belongs to a segment with these parts. Only active customers do. The
// criteria of a part are joined by OR and the parts by AND; with basis.Alternative it is the other way round.
// Rebuilds and the check of one customer both use it.
func matches(parts []Part, f *Facts, basis Basis) bool {
	if !f.IsActive() || len(parts) == 0 {
		return false
	}
	for i := range parts {
		if parts[i].matches(f, basis) == basis.Alternative {
			return basis.Alternative
		}
	}
	return !basis.Alternative
}

func (p *Part) matches(f *Facts, basis Basis) bool {
	for i := range p.Criteria {
		if p.Criteria[i].matches(f, basis.Day) != basis.Alternative {
			return !basis.Alternative
		}
	}
	return basis.Alternative
}

// matches decides one criterion. today is YYYY-MM-DD in the zone of the store.
func (c *Criterion) matches(f *Facts, today string) bool {
	switch c.Type {
	case Anniversary:
		return anniversaryWithin(c.anniversary(f), today, c.Days)
	case BoughtInPOS:
		return slices.ContainsFunc(c.POSIDs, func(id string) bool { return f.ByPOS[id] > 0 })
	case TransactionCount:
		return *c.Min <= f.Purchases.Count && f.Purchases.Count <= *c.Max
	case TransactionAmount:
		return c.inAmountRange(f.Purchases.Amount)
	case AverageAmount:
		return c.inAmountRange(f.Purchases.Average())
	case LastPurchase:
		return !f.Purchases.LastAt.IsZero() && dateOf(f.Purchases.LastAt, f.location) >= daysFrom(today, -c.Days)
	case PurchasePeriod:
		return f.boughtWithin(c.FromDate, c.ToDate)
	case PercentInPOS:
		return f.Sales > 0 && f.ByPOS[c.POSID]*int64(whole) >= int64(c.Percent)*f.Sales
	case BoughtSKUs:
		return slices.ContainsFunc(c.SKUs, func(sku string) bool { return f.SKUs[sku] })
	case BoughtMakers:
		return slices.ContainsFunc(c.Makers, func(maker string) bool { return f.Makers[maker] })
	case BoughtLabels:
		return slices.ContainsFunc(c.Labels, func(label Label) bool { return f.Bought[label.folded()] })
	case HasLabels, HasLabelValues:
		return slices.ContainsFunc(c.Labels, f.hasLabel)
	case CustomerList:
		return f.Listed[c.ID]
	}
	return false
}

func (c *Criterion) inAmountRange(amount decimal.Hundredths) bool {
	return *c.FromAmount <= amount && amount <= *c.ToAmount
}

// anniversary returns the date that recurs every year, YYYY-MM-DD, or an empty text if it is unknown.
func (c *Criterion) anniversary(f *Facts) string {
	if c.AnniversaryType == Birthday {
		return f.BirthDate
	}
	return dateOf(f.CreatedAt, f.location)
}

func (f *Facts) boughtWithin(from, to string) bool {
	for day := range f.Days {
		if from <= day && day <= to {
			return true
		}
	}
	return false
}

// hasLabel ignores case. A label without a value matches any value.
func (f *Facts) hasLabel(wanted Label) bool {
	for _, label := range f.Labels {
		if strings.EqualFold(label.Key, wanted.Key) &&
			(wanted.Value == "" || strings.EqualFold(label.Value, wanted.Value)) {
			return true
		}
	}
	return false
}

func dateOf(t time.Time, zone *time.Location) string { return t.In(zone).Format(time.DateOnly) }

// manyDays is more than any period needs. It keeps date arithmetic in range.
const manyDays = 1_000_000

// daysFrom returns the date that is the given number of days after another one.
func daysFrom(date string, days int64) string {
	return parseDate(date).AddDate(0, 0, int(max(-manyDays, min(days, manyDays)))).Format(time.DateOnly)
}

func parseDate(date string) time.Time {
	t, _ := time.Parse(time.DateOnly, date) // stored dates are valid
	return t
}

// anniversaryWithin reports whether the anniversary of a date falls on one of the given number of days, of
// which today is the first. In other than leap years, 29 February counts as 28 February.
func anniversaryWithin(anniversary, today string, days int64) bool {
	if anniversary == "" {
		return false
	}
	first, of := parseDate(today), parseDate(anniversary)
	for year := first.Year(); year <= first.Year()+1; year++ {
		day := time.Date(year, of.Month(), of.Day(), 0, 0, 0, 0, time.UTC)
		if day.Month() != of.Month() {
			day = day.AddDate(0, 0, -1)
		}
		if !day.Before(first) && day.Before(first.AddDate(0, 0, int(min(days, manyDays)))) {
			return true
		}
	}
	return false
}
