package segment

import (
	"punchcard/core/store"
	"punchcard/platform/form"
)

// UnusedCoupons selects customers by the number of coupons that they have not used. Both bounds are included.
type UnusedCoupons struct {
	Campaigns []string `json:"campaigns,omitempty"` // ids; none for coupons of any campaign
	Min       int64    `json:"min"`
	Max       int64    `json:"max"`
}

var unusedCoupons = CriterionType[UnusedCoupons]{
	Name:       "unused_coupons",
	Has:        func(u *UnusedCoupons, c Candidate) any { return u.count(c) },
	Hint:       "The number of unused coupons is not in this range.",
	FormFields: []string{"campaigns", "min", "max"},
	Needs:      needsCoupons,
	Read: func(g *form.Group, _ *store.Store) *UnusedCoupons {
		u := &UnusedCoupons{
			Campaigns: g.UUIDs("campaigns"),
			Min:       g.Integer("min", form.NotBlank, form.AtLeast(0)), Max: g.Integer("max", form.NotBlank, form.AtLeast(0)),
		}
		bounded(g, "campaigns", len(u.Campaigns), EntryLimit)
		inOrder(g, u.Min <= u.Max, "min", "max")
		return u
	},
	Matches: func(u *UnusedCoupons, c Candidate) bool {
		n := u.count(c)
		return u.Min <= n && n <= u.Max
	},
}

func (u *UnusedCoupons) count(c Candidate) (n int64) {
	for _, id := range u.Campaigns {
		n += c.Unused[id]
	}
	if len(u.Campaigns) == 0 {
		for _, unused := range c.Unused {
			n += unused
		}
	}
	return n
}
