package analytics

import (
	"cmp"
	"maps"
	"slices"

	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// CouponRowsLimit is the number of rows that a response lists, those with the most coupons.
const CouponRowsLimit = 500

// couponsView is the JSON of coupons by reward and point of sale or level: docs/behaviour/analytics.md#coupons.
type couponsView struct {
	frame
	Currency  string        `json:"currency"`
	By        string        `json:"by"`
	Period    spanView      `json:"period"`
	PointCost *decimal.Rate `json:"pointCost,omitempty"`
	Rows      []couponsRow  `json:"rows"`
	More      int           `json:"more,omitempty"` // rows that are left out
}

// couponsRow is the sums of a reward at a point of sale or of a level. Without an id, they are those of none.
type couponsRow struct {
	CampaignID string         `json:"campaignId"`
	Reward     string         `json:"reward,omitempty"` // the name; missing if the campaign is deleted
	ID         string         `json:"id,omitempty"`
	Kind       string         `json:"kind,omitempty"` // noPlace, noLevel
	Name       string         `json:"name,omitempty"`
	Bought     int64          `json:"bought"`
	Points     points.Amount  `json:"points"`
	PointsCost *decimal.Money `json:"pointsCost,omitempty"`
	Used       int64          `json:"used"`
	UsedValue  *decimal.Money `json:"usedValue,omitempty"`
	Receipts   int64          `json:"receipts"`
	Sales      decimal.Money  `json:"sales"`
}

// couponsQuery asks for coupons by point of sale or level.
type couponsQuery struct {
	by string
	period
}

func readCoupons(q *form.Group, today calendar.Day) couponsQuery {
	return couponsQuery{readSplit(q), readPeriod(q, today)}
}

var inCoupons = inLocalized(readCoupons)

func showCoupons(catalogue *campaign.Catalogue) func(*api.Call, localized[couponsQuery]) (couponsView, error) {
	return func(c *api.Call, in localized[couponsQuery]) (couponsView, error) {
		v, err := couponsOf(c, catalogue, in)
		if v.More = max(len(v.Rows)-CouponRowsLimit, 0); v.More > 0 {
			v.Rows = v.Rows[:CouponRowsLimit]
		}
		return v, err
	}
}

func couponsOf(c *api.Call, catalogue *campaign.Catalogue, in localized[couponsQuery]) (couponsView, error) {
	by, span, locale := in.asked.by, in.asked.period, in.locale
	v := couponsView{frame: frameOf(c), Currency: c.Store.Currency, By: by, Period: span.view(), Rows: []couponsRow{}}
	if cost := c.Store.Settings.PointCost; cost > 0 {
		v.PointCost = &cost
	}
	err := c.Read(func(tx *db.Tx) error {
		sums, err := rollup.RewardsBy(tx, c.Store.Key, splits[by].dimension, span.from, span.to)
		if err != nil {
			return err
		}
		rewards, subjects := map[string]bool{}, map[string]bool{}
		for key := range sums {
			rewards[key.CampaignID] = true
			if key.SubjectID != "" {
				subjects[key.SubjectID] = true
			}
		}
		known, err := catalogue.FindAll(tx, c.Store.Key, slices.Sorted(maps.Keys(rewards))...)
		if err != nil {
			return err
		}
		names, err := splits[by].names(tx, c.Store.Key, locale, slices.Sorted(maps.Keys(subjects)))
		for key, of := range sums {
			if of != (rollup.RewardSums{}) {
				v.Rows = append(v.Rows, v.row(c, locale, key, of, known[key.CampaignID], names))
			}
		}
		return err
	})
	slices.SortFunc(v.Rows, func(a, b couponsRow) int {
		return cmp.Or(cmp.Compare(b.Bought+b.Used, a.Bought+a.Used), cmp.Compare(a.CampaignID, b.CampaignID),
			cmp.Compare(a.ID, b.ID))
	})
	return v, err
}

func (v *couponsView) row(c *api.Call, locale api.Locale, key rollup.RewardKey, of rollup.RewardSums,
	reward *campaign.Campaign, names map[string]string) couponsRow {
	r := couponsRow{
		CampaignID: key.CampaignID, ID: key.SubjectID, Name: names[key.SubjectID], Bought: of.Bought,
		Points: points.Amount(of.Points), Used: of.Used, Receipts: of.Receipts, Sales: decimal.Money(of.Sales),
	}
	if r.ID == "" {
		r.Kind = splits[v.By].without
	}
	if v.PointCost != nil {
		cost, _ := decimal.Worth(r.Points, *v.PointCost, c.Store.MoneyDigits(), false)
		r.PointsCost = &cost
	}
	if reward != nil {
		r.Reward = reward.Name(locale)
		if value := reward.Definition.RewardValue; value != nil {
			r.UsedValue = new(*value * decimal.Money(r.Used))
		}
	}
	return r
}

var couponColumns = api.Titled("Reward id", "Reward", "Id", "Name", "Bought#", "Points#", "Cost of points#", "Used#",
	"Value used#", "Receipts#", "Sales#", "Currency", "From", "To")

func exportCoupons(catalogue *campaign.Catalogue) func(*api.Call, localized[couponsQuery]) (string, [][]string, error) {
	return func(c *api.Call, in localized[couponsQuery]) (string, [][]string, error) {
		v, err := couponsOf(c, catalogue, in)
		rows := make([][]string, len(v.Rows))
		for i, r := range v.Rows {
			rows[i] = []string{r.CampaignID, r.Reward, r.ID, cmp.Or(r.Name, r.Kind), countText(r.Bought), r.Points.String(),
				optional(r.PointsCost), countText(r.Used), optional(r.UsedValue), countText(r.Receipts), r.Sales.String(),
				v.Currency, v.Period.From, v.Period.To}
		}
		return "coupons_by_" + v.By, rows, err
	}
}
