package app

import (
	"context"
	"errors"
	"slices"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Kinds are types of criteria, earning rules and rewards besides those of the program. Tests add some.
type Kinds struct {
	Criteria     []segment.Kind
	EarningRules []earning.RuleType
	RewardTypes  campaign.Types
}

// services hold the operations that depend on kinds.
type services struct {
	segments *segment.Service
	earning  *earning.Service
	desk     *purchase.Desk
}

// services returns the operations, with a desk that has the reward types.
func (k Kinds) services(desk *purchase.Desk) services {
	segments := segment.New(k.Criteria...)
	segments.Unused = purchase.Unused
	return services{
		segments: segments, earning: earning.New(desk, k.EarningRules...), desk: desk,
	}
}

func (k Kinds) rewardTypes() campaign.Types {
	return slices.Concat(campaign.RewardTypes, k.RewardTypes)
}

// kindRules returns the rules that all rows are of known kinds.
func (s services) kindRules() []check.Rule {
	return []check.Rule{s.segments.KnownTypes(), s.earning.KnownTypes(), s.desk.Catalogue.Types.Known()}
}

// checkKinds returns an error if some row is of an unknown kind, such as one that a newer program wrote.
func (s services) checkKinds(ctx context.Context, d *db.DB) error {
	var found error
	_, err := check.Run(ctx, d, s.kindRules(), check.Report{
		Begin:   func(string, int, int) {},
		Finding: func(f check.Finding) { found = errors.Join(found, errors.New(f.String())) },
		More:    func(string, int64) {},
	})
	return errors.Join(err, found)
}
