package campaign

import (
	"cmp"
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// readAudience reads the fields that say who will see a campaign. The other fields of a campaign are ignored, because
// an audience is looked at while they are not filled in.
func (t Types) readAudience(g *form.Group, s *store.Store) (c Campaign) {
	var d Draft
	d.Reward = cmp.Or(t.find(g.Choice("reward", t.Names())), unknownReward)
	readTargets(g, &d)
	d.Visibility = readVisibility(g, d.Reward, s.Zone)
	d.StoreKey = s.Key
	return d.Campaign
}

// previewAudience counts the active customers in the audience of a campaign that is not saved. It looks at limit
// customers at most, and estimates if there are more.
func previewAudience(tx *db.Tx, c *Campaign, limit int) (customer.Reach, error) {
	levels, err := level.Counted(tx, c.StoreKey)
	if err != nil {
		return customer.Reach{}, err
	}
	a := audienceOf(c.StoreKey, &c.Definition, levels)
	reach, err := customer.CountBySample(tx, c.StoreKey, limit, a.among)
	if err != nil || !reach.Estimate {
		return reach, err
	}
	members, err := membersOf(tx, c.StoreKey, a.segments)
	if err != nil {
		return reach, err
	}
	var least, most int64 // the members of a segment are active, and a customer is in one level
	for _, n := range members {
		least, most = max(least, n), most+n
	}
	for _, l := range a.levels {
		most += l.Customers
	}
	reach.Customers = min(max(reach.Customers, least), most)
	return reach, a.examples(tx, &reach)
}

// among returns the ids of those of the customers who are active and in the audience.
func (a audience) among(tx *db.Tx, some []customer.Traits) (ids []string, err error) {
	active := make([]string, 0, len(some))
	for i := range some {
		if some[i].IsActive() {
			active = append(active, some[i].ID)
		}
	}
	memberships := map[string][]customer.Segment{}
	if len(a.segments) > 0 {
		if memberships, err = segment.OfCustomers(tx, a.storeKey, active...); err != nil {
			return nil, err
		}
	}
	for i := range some {
		if !some[i].IsActive() {
			continue
		}
		inLevel := slices.ContainsFunc(a.levels, func(l level.Level) bool { return l.ID == some[i].LevelID })
		if inLevel || slices.ContainsFunc(memberships[some[i].ID], func(s customer.Segment) bool {
			return slices.Contains(a.segments, s.ID)
		}) {
			ids = append(ids, some[i].ID)
		}
	}
	return ids, nil
}

// examples adds customers of the audience to a reach whose sample has few of them.
func (a audience) examples(tx *db.Tx, reach *customer.Reach) error {
	const tried = 10 * customer.ExamplesShown // some may not be active
	ids, err := a.next(tx, "", tried)
	if err != nil || len(ids) == 0 {
		return err
	}
	some, err := customer.TraitsOf(tx, a.storeKey, ids...)
	if err != nil {
		return err
	}
	ids, err = a.among(tx, some)
	for _, id := range ids {
		shown := slices.ContainsFunc(reach.Examples, func(e customer.Example) bool { return e.CustomerID == id })
		if !shown && len(reach.Examples) < customer.ExamplesShown {
			reach.Examples = append(reach.Examples, customer.Example{CustomerID: id})
		}
	}
	return err
}
