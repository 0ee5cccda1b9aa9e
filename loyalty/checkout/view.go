package checkout

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/decimal"
)

// view is the JSON of a checkout. See docs/behaviour/checkout.md#response.
type view struct {
	Currency     string           `json:"currency"`
	CustomerID   string           `json:"customerId,omitempty"`
	Value        decimal.Money    `json:"value"` // of the basket before discounts
	Discount     decimal.Money    `json:"discount"`
	ToPay        decimal.Money    `json:"toPay"`
	Level        *levelView       `json:"level,omitempty"`
	Coupons      []couponView     `json:"coupons"`
	Rewards      []rewardView     `json:"rewards"`
	Combinations combinationsView `json:"combinations"`
	Lines        []lineView       `json:"lines"`
	Points       *pointsView      `json:"points,omitempty"` // only with a customer
	After        *afterView       `json:"after,omitempty"`  // only with a customer
}

// levelView is the level of the customer with its discounts.
type levelView struct {
	LevelID   string              `json:"levelId"`
	Name      string              `json:"name,omitempty"`
	Discounts []levelDiscountView `json:"discounts"`
}

type levelDiscountView struct {
	Name     string        `json:"name"`
	Code     string        `json:"code"`
	Percent  decimal.Rate  `json:"percent"`
	Discount decimal.Money `json:"discount"`
}

type couponView struct {
	Code       string `json:"code"`
	CouponID   string `json:"couponId,omitempty"`
	CampaignID string `json:"campaignId,omitempty"`
	offerView
}

type rewardView struct {
	CampaignID   string        `json:"campaignId"`
	CostInPoints points.Amount `json:"costInPoints"`
	offerView
}

// offerView holds the members of both coupons and rewards.
type offerView struct {
	Name     string        `json:"name,omitempty"`
	Applied  bool          `json:"applied"`
	Discount decimal.Money `json:"discount"`
	Rules    []api.Finding `json:"rules"`
}

// combinationsView is how many combinations of coupons and rewards were compared.
type combinationsView struct {
	Tried    int  `json:"tried"`
	Limit    int  `json:"limit"`
	Complete bool `json:"complete"` // these were all
}

// lineView is a line of the basket.
type lineView struct {
	Line       int            `json:"line"` // from 0
	SKU        string         `json:"sku,omitempty"`
	Name       string         `json:"name,omitempty"`
	GrossValue decimal.Money  `json:"grossValue"`
	Discount   decimal.Money  `json:"discount"`
	ToPay      decimal.Money  `json:"toPay"`
	Discounts  []discountView `json:"discounts"` // in the order of use
}

// discountView is the share of a discount that a line has.
type discountView struct {
	By         string        `json:"by"` // level, coupon or reward
	Code       string        `json:"code,omitempty"`
	CampaignID string        `json:"campaignId,omitempty"`
	Name       string        `json:"name,omitempty"`
	Discount   decimal.Money `json:"discount"`
}

type pointsView struct {
	Earned       points.Amount `json:"earned"`
	Pending      bool          `json:"pending"`      // they can be spent some days later
	CostInPoints points.Amount `json:"costInPoints"` // of the rewards that are applied
	Rules        []ruleView    `json:"rules"`
}

type ruleView struct {
	EarningRuleID string           `json:"earningRuleId"`
	Name          string           `json:"name"`
	Points        points.Amount    `json:"points"`
	Lines         []linePointsView `json:"lines"`
}

type linePointsView struct {
	Line   int           `json:"line"`
	Points points.Amount `json:"points"`
}

// afterView is the customer after the sale.
type afterView struct {
	Points       points.Amount   `json:"points"` // that can be spent
	LockedPoints points.Amount   `json:"lockedPoints"`
	LevelID      string          `json:"levelId,omitempty"`
	LevelName    string          `json:"levelName,omitempty"`
	LevelChanges bool            `json:"levelChanges"`
	NextLevel    *nextLevelView  `json:"nextLevel,omitempty"`
	Rewards      []reachView     `json:"rewards"` // that the points could buy, dearest first
	NextReward   *nextRewardView `json:"nextReward,omitempty"`
}

// nextLevelView is the level after the customer's, with the points or the money that is missing to it.
type nextLevelView struct {
	LevelID       string         `json:"levelId"`
	Name          string         `json:"name,omitempty"`
	PointsMissing *decimal.Money `json:"pointsMissing,omitempty"`
	AmountMissing *decimal.Money `json:"amountMissing,omitempty"`
}

type reachView struct {
	CampaignID   string        `json:"campaignId"`
	Name         string        `json:"name,omitempty"`
	CostInPoints points.Amount `json:"costInPoints"`
}

type nextRewardView struct {
	reachView
	PointsMissing points.Amount `json:"pointsMissing"`
}

func (c *checkout) view() view {
	v := view{
		Currency: c.store.Currency, Discount: c.outcome.off, Coupons: []couponView{}, Rewards: []rewardView{},
		Combinations: combinationsView{c.outcome.tried, CombinationLimit, c.outcome.complete},
	}
	for i := range c.items {
		v.Value += c.items[i].GrossValue
	}
	v.ToPay = v.Value - v.Discount
	for i := range c.offers {
		o := &c.offers[i]
		of := offerView{Applied: o.applied, Discount: o.off, Rules: o.rules}
		if o.campaign != nil {
			of.Name = o.campaign.Name(c.locale)
		}
		switch {
		case o.wish != nil:
			v.Rewards = append(v.Rewards, rewardView{o.wish.CampaignID, o.cost(), of})
		case o.shown.Coupon != nil:
			v.Coupons = append(v.Coupons, couponView{o.shown.Code, o.shown.Coupon.CouponID, o.shown.CampaignID, of})
		default:
			v.Coupons = append(v.Coupons, couponView{Code: o.shown.Code, offerView: of})
		}
	}
	v.Lines = c.lines()
	if c.customer != nil {
		v.CustomerID, v.Level, v.Points, v.After = c.customer.ID, c.levelView(), c.pointsView(), c.afterView()
	}
	return v
}

func (o *offer) cost() points.Amount {
	if o.campaign == nil {
		return 0
	}
	return o.campaign.Cost
}

// lines returns the lines with the shares of all discounts.
func (c *checkout) lines() []lineView {
	names := make([]discountView, len(c.outcome.shares))
	for i, reward := range c.names {
		names[i] = discountView{By: "level", Code: reward.Code, Name: reward.Name}
	}
	for i := range c.offers {
		o := &c.offers[i]
		if o.chosen < 0 {
			continue
		}
		of := discountView{By: "reward", CampaignID: o.campaign.ID, Name: o.campaign.Name(c.locale)}
		if o.shown != nil {
			of.By, of.Code = "coupon", o.shown.Code
		}
		names[len(c.given)+o.chosen] = of
	}
	lines := make([]lineView, len(c.items))
	for i := range c.items {
		item, left := &c.items[i], c.outcome.left[i]
		lines[i] = lineView{
			Line: i, SKU: item.SKU.Code, Name: item.Name, GrossValue: item.GrossValue, Discount: item.GrossValue - left,
			ToPay: left, Discounts: []discountView{},
		}
		for _, n := range c.outcome.used {
			if share := c.outcome.shares[n][i]; share > 0 {
				of := names[n]
				of.Discount = share
				lines[i].Discounts = append(lines[i].Discounts, of)
			}
		}
	}
	return lines
}

func (c *checkout) levelView() *levelView {
	if c.level == nil {
		return nil
	}
	v := &levelView{LevelID: c.level.ID, Name: c.level.Name(c.locale), Discounts: []levelDiscountView{}}
	for i, reward := range c.names {
		v.Discounts = append(v.Discounts, levelDiscountView{reward.Name, reward.Code, reward.Value, c.outcome.total(i)})
	}
	return v
}

func (c *checkout) pointsView() *pointsView {
	v := &pointsView{
		Earned: c.forecast.Points, Pending: c.forecast.Points > 0 && c.store.Settings.LocksPoints(), CostInPoints: c.cost,
		Rules: []ruleView{},
	}
	for _, r := range c.forecast.Rules {
		of := ruleView{r.RuleID, r.Name, r.Points, []linePointsView{}}
		for i, n := range r.Items {
			if n != 0 {
				of.Lines = append(of.Lines, linePointsView{i, n})
			}
		}
		v.Rules = append(v.Rules, of)
	}
	return v
}

func (c *checkout) afterView() *afterView {
	v := &afterView{Points: c.account.Points, LockedPoints: c.account.Locked, Rewards: []reachView{}}
	if l := c.standing.Level; l != nil {
		v.LevelID, v.LevelName, v.LevelChanges = l.ID, l.Name(c.locale), l.ID != c.customer.LevelID
	}
	if next := c.standing.Next; next != nil {
		v.NextLevel = &nextLevelView{LevelID: next.ID, Name: next.Name(c.locale)}
		missing := c.standing.Missing
		if c.store.Settings.TierAssignType == store.TierPoints {
			v.NextLevel.PointsMissing = &missing
		} else {
			v.NextLevel.AmountMissing = &missing
		}
	}
	for _, of := range c.reach.Affordable {
		v.Rewards = append(v.Rewards, c.within(of))
	}
	if next := c.reach.Next; next != nil {
		v.NextReward = &nextRewardView{c.within(next), next.Cost - c.account.Points}
	}
	return v
}

func (c *checkout) within(of *campaign.Campaign) reachView {
	return reachView{of.ID, of.Name(c.locale), of.Cost}
}
