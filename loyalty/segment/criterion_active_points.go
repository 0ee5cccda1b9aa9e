package segment

import (
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/form"
)

// PointRange is a range of points. Both bounds are included.
type PointRange struct {
	From points.Amount `json:"fromPoints"`
	To   points.Amount `json:"toPoints"`
}

// activePoints selects customers by the points that they can spend.
var activePoints = CriterionType[PointRange]{
	Name:       "active_points",
	Has:        func(_ *PointRange, c Candidate) any { return c.Points },
	Hint:       "The points that can be spent are not in this range.",
	FormFields: []string{"fromPoints", "toPoints"},
	Needs:      needsPoints,
	Read: func(g *form.Group, _ *store.Store) *PointRange {
		const digits = 2
		amount := func(name string) points.Amount {
			return points.Amount(g.Decimal(name, digits, form.NotBlank, form.AtLeast(0)))
		}
		r := &PointRange{From: amount("fromPoints"), To: amount("toPoints")}
		inOrder(g, r.From <= r.To, "fromPoints", "toPoints")
		return r
	},
	Matches: func(r *PointRange, c Candidate) bool { return r.From <= c.Points && c.Points <= r.To },
}
