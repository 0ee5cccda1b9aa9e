package report

import (
	"cmp"
	"maps"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// customersView is the result of a report about customers: docs/behaviour/reports.md#customers.
type customersView struct {
	Members      int64          `json:"members"`
	Buyers       int64          `json:"buyers"`
	RepeatBuyers int64          `json:"repeatBuyers"`
	RepeatRate   *decimal.Rate  `json:"repeatRate,omitempty"` // missing without buyers
	Receipts     int64          `json:"receipts"`
	Sales        decimal.Money  `json:"sales"`
	Often        []oftenView    `json:"byReceipts"`
	Cohorts      []cohortView   `json:"cohorts"`
	Segments     *[]segmentView `json:"segments,omitempty"` // missing for a longer period than SegmentDays
	Top          []topView      `json:"top"`
}

type oftenView struct {
	Receipts  int   `json:"receipts"` // the last one: or more
	Customers int64 `json:"customers"`
}

type cohortView struct {
	Month  string          `json:"month"`
	Joined int64           `json:"joined"`
	Buyers []int64         `json:"buyers"` // in the month of joining, in the month after it, and so on
	Sales  []decimal.Money `json:"sales"`
}

type segmentView struct {
	SegmentID string        `json:"segmentId"`
	Name      string        `json:"name"`
	Members   int64         `json:"members"`
	Buyers    int64         `json:"buyers"`
	Receipts  int64         `json:"receipts"`
	Sales     decimal.Money `json:"sales"`
}

// topView is a customer with many sales. Names need CUSTOMER VIEW, and are missing for customers who were deleted
// since.
type topView struct {
	CustomerID     string        `json:"customerId"`
	FirstName      string        `json:"firstName,omitempty"`
	LastName       string        `json:"lastName,omitempty"`
	Email          string        `json:"email,omitempty"`
	Receipts       int64         `json:"receipts"`
	Sales          decimal.Money `json:"sales"`
	LastPurchaseAt string        `json:"lastPurchaseAt"`
}

func (sums *customerSums) view(c *api.Call, tx *db.Tx, r *Report) (*customersView, error) {
	v := &customersView{Members: sums.Members, Buyers: sums.Members - sums.Often[0], Receipts: sums.Receipts,
		Sales: sums.Sales, Cohorts: []cohortView{}, Top: []topView{}}
	v.RepeatBuyers = v.Buyers - sums.Often[1]
	if v.Buyers > 0 {
		v.RepeatRate = new(decimal.Rate(v.RepeatBuyers * decimal.OneRate / v.Buyers))
	}
	for n, of := range sums.Often {
		v.Often = append(v.Often, oftenView{n, of})
	}
	for _, month := range slices.Sorted(maps.Keys(sums.Cohorts)) {
		of := sums.Cohorts[month]
		v.Cohorts = append(v.Cohorts, cohortView{month, of.Joined, of.Buyers, of.Sales})
	}
	if r.days() <= SegmentDays {
		all, err := sums.viewSegments(tx, c.Store.Key)
		if err != nil {
			return nil, err
		}
		v.Segments = &all
	}
	names := map[string]*customer.Customer{}
	if c.Caller.Allowed(access.Customers, access.View) && len(sums.Top) > 0 {
		ids := make([]string, len(sums.Top))
		for i := range sums.Top {
			ids[i] = sums.Top[i].ID
		}
		var err error
		if names, err = customer.FindAll(tx, c.Store.Key, ids...); err != nil {
			return nil, err
		}
	}
	for _, of := range sums.Top {
		shown := topView{CustomerID: of.ID, Receipts: of.Receipts, Sales: of.Sales,
			LastPurchaseAt: api.Timestamp(of.Last, c.Store.Zone)}
		if who := names[of.ID]; who != nil && who.Status != customer.Deleted {
			shown.FirstName, shown.LastName, shown.Email = who.FirstName, who.LastName, who.Email
		}
		v.Top = append(v.Top, shown)
	}
	return v, nil
}

func (sums *customerSums) viewSegments(tx *db.Tx, storeKey int64) ([]segmentView, error) {
	names, err := segment.Names(tx, storeKey, slices.Sorted(maps.Keys(sums.Segments))...)
	all := []segmentView{}
	for id, of := range sums.Segments {
		all = append(all, segmentView{id, names[id], of.Members, of.Buyers, of.Receipts, of.Sales})
	}
	slices.SortFunc(all, func(a, b segmentView) int {
		return cmp.Or(cmp.Compare(b.Sales, a.Sales), cmp.Compare(a.SegmentID, b.SegmentID))
	})
	return all, err
}

// rewardsView is the result of a report about rewards: docs/behaviour/reports.md#rewards.
type rewardsView struct {
	PointCost *decimal.Rate `json:"pointCost,omitempty"` // money for one point, now
	Total     rewardSumsOf  `json:"total"`
	Rewards   []rewardView  `json:"rewards"`
}

// rewardView is the sums of a reward. Receipts for which coupons of several rewards were used count for each of them.
type rewardView struct {
	CampaignID string `json:"campaignId"`
	Name       string `json:"name,omitempty"`
	Reward     string `json:"reward,omitempty"`
	rewardSumsOf
	Receipts int64          `json:"receipts"`
	Sales    decimal.Money  `json:"sales"`
	Average  *decimal.Money `json:"averageReceipt,omitempty"` // missing without receipts
}

// rewardSumsOf are sums that can be added up. Money that depends on a setting or a value that is not set is missing.
type rewardSumsOf struct {
	Bought      int64          `json:"bought"`
	Points      points.Amount  `json:"points"`
	PointsCost  *decimal.Money `json:"pointsCost,omitempty"` // the points at the cost of a point
	Used        int64          `json:"used"`
	UsedValue   *decimal.Money `json:"usedValue,omitempty"` // at the value of the reward
	Unused      int64          `json:"unused"`
	UnusedValue *decimal.Money `json:"unusedValue,omitempty"`
	// UnusedOfDeleted are coupons of deleted and erased customers, which nobody will use.
	UnusedOfDeleted int64 `json:"unusedOfDeleted,omitempty"`
}

func (sums *rewardSums) view(c *api.Call, tx *db.Tx, catalogue *campaign.Catalogue, locale api.Locale) (
	*rewardsView, error) {
	v := &rewardsView{Rewards: []rewardView{}}
	if cost := c.Store.Settings.PointCost; cost > 0 {
		v.PointCost = &cost
	}
	known, err := catalogue.FindAll(tx, c.Store.Key, slices.Sorted(maps.Keys(sums.Campaigns))...)
	if err != nil {
		return nil, err
	}
	for id, of := range sums.Campaigns {
		r := rewardView{CampaignID: id, Receipts: of.Receipts, Sales: of.Sales,
			rewardSumsOf: rewardSumsOf{Bought: of.Bought, Points: of.Points, Used: of.Used, Unused: of.Unused,
				UnusedOfDeleted: of.UnusedOfDeleted}}
		if of.Bought+of.Used+of.Unused+of.UnusedOfDeleted == 0 {
			continue
		}
		if v.PointCost != nil {
			cost, _ := decimal.Worth(of.Points, *v.PointCost, c.Store.MoneyDigits(), false)
			r.PointsCost = &cost
		}
		if of.Receipts > 0 {
			r.Average = new(of.Sales.MulDiv(1, of.Receipts, c.Store.MoneyDigits()))
		}
		if of := known[id]; of != nil {
			r.Name, r.Reward = of.Name(locale), of.Reward.Name
			if value := of.Definition.RewardValue; value != nil {
				r.UsedValue = new(*value * decimal.Money(r.Used))
				r.UnusedValue = new(*value * decimal.Money(r.Unused))
			}
		}
		v.Total.add(&r.rewardSumsOf)
		v.Rewards = append(v.Rewards, r)
	}
	slices.SortFunc(v.Rewards, func(a, b rewardView) int {
		return cmp.Or(cmp.Compare(b.Bought, a.Bought), cmp.Compare(b.Used, a.Used), cmp.Compare(a.CampaignID, b.CampaignID))
	})
	return v, nil
}

func (r *rewardSumsOf) add(other *rewardSumsOf) {
	r.Bought += other.Bought
	r.Points += other.Points
	r.Used += other.Used
	r.Unused += other.Unused
	r.UnusedOfDeleted += other.UnusedOfDeleted
	for _, sum := range []struct{ to, of **decimal.Money }{
		{&r.PointsCost, &other.PointsCost}, {&r.UsedValue, &other.UsedValue}, {&r.UnusedValue, &other.UnusedValue},
	} {
		if *sum.of == nil {
			continue
		}
		if *sum.to == nil {
			*sum.to = new(decimal.Money)
		}
		**sum.to += **sum.of
	}
}
