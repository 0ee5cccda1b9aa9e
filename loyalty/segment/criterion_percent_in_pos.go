package segment

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// PercentInPOS selects customers who have at least a certain part of their sales at one point of sale.
type PercentInPOS struct {
	POSID   string  `json:"posId"`
	Percent Percent `json:"percent"`
}

var percentInPOS = CriterionType[PercentInPOS]{
	Name:       "transaction_percent_in_pos",
	Has:        func(_ *PercentInPOS, c Candidate) any { return salesShare{c.Counted, c.Sales} },
	Hint:       "The share of sales at this point of sale is smaller.",
	FormFields: []string{"posId", "percent"},
	Read: func(g *form.Group, _ *store.Store) *PercentInPOS {
		p := &PercentInPOS{POSID: g.UUID("posId", form.NotBlank)}
		p.Percent = Percent(g.Decimal("percent", decimal.RateDigits, form.NotBlank, form.AtLeast(1_000_000),
			form.AtMostDigits(decimal.RateDigits)))
		if p.Percent > whole {
			g.AddError("percent", form.TooHigh.With("100"))
		}
		return p
	},
	Counts: func(p *PercentInPOS, _ *time.Location) func(*transaction.Sale) bool {
		return func(sale *transaction.Sale) bool { return sale.POSID == p.POSID }
	},
	Matches: func(p *PercentInPOS, c Candidate) bool {
		return c.Sales > 0 && c.Counted*int64(whole) >= int64(p.Percent)*c.Sales
	},
}

// salesShare is how many of the sales of a customer count.
type salesShare struct {
	Sales int64 `json:"sales"` // at the point of sale
	Of    int64 `json:"of"`
}

// Percent is millionths of a percent, encoded as a fraction: 25 % is 0.25.
type Percent int64

const whole = Percent(100_000_000)

// MarshalJSON encodes a fraction.
func (p Percent) MarshalJSON() ([]byte, error) {
	text := fmt.Sprintf("%d.%08d", p/whole, p%whole) // never negative
	return []byte(strings.TrimSuffix(strings.TrimRight(text, "0"), ".")), nil
}

// UnmarshalJSON decodes a fraction.
func (p *Percent) UnmarshalJSON(text []byte) error {
	var fraction float64
	if err := json.Unmarshal(text, &fraction); err != nil {
		return err
	}
	*p = Percent(fraction*float64(whole) + 0.5)
	return nil
}
