package purchase

import (
	"math"

	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// ValidationLimit is the maximal number of purchases in one validation.
const ValidationLimit = 1000

// plan is a list of purchases to validate together.
type plan struct {
	campaigns  []string // in order, possibly repeated
	additional points.Amount
}

// verdict is the response of a validation. Nothing is reserved.
type verdict struct {
	Campaigns        []usageVerdict `json:"campaigns"`
	AdditionalPoints points.Amount  `json:"additionalPoints"`
	FinalUsageLimit  bool           `json:"finalUsageLimitAvailable"`
	BalancePoints    bool           `json:"balancePointsAvailable"`
}

type usageVerdict struct {
	CampaignID string `json:"rewardCampaignId"`
	UsageLimit bool   `json:"usageLimitAvailable"`
}

// readPlan reads the body of a validation.
func readPlan(body *form.Node) (plan, error) {
	g := form.Read(body, "campaigns")
	p := readUsages(g)
	if !body.Child("campaigns").Child("campaigns").IsGroup() && !g.Failed("campaigns") {
		g.AddError("campaigns", form.Blank)
	}
	return p, g.Err()
}

func readUsages(g *form.Group) plan {
	p := plan{additional: points.Amount(g.Decimal("additionalPoints", 2, form.AtLeast(0)))}
	entries := g.Groups("campaigns")
	if len(entries) > ValidationLimit {
		g.AddError("campaigns", form.Invalid("too_many_campaigns"))
	}
	for _, entry := range entries {
		p.campaigns = append(p.campaigns, entry.UUID("rewardCampaignId", form.NotBlank))
	}
	return p
}

// judge checks the purchases of the plan in order, by a customer with a balance and purchase counts. Each must leave
// the limits of its campaign and customer respected, together with those before it. Whether the campaign can be bought
// now does not matter. Campaigns without limits always pass; unknown ones never do. See
// docs/behaviour/offers.md#validation.
func (p *plan) judge(known map[string]*campaign.Campaign, counters map[string]campaign.Counters,
	balance points.Amount, bought map[string]int64) verdict {
	v := verdict{
		Campaigns: make([]usageVerdict, len(p.campaigns)), AdditionalPoints: p.additional,
		FinalUsageLimit: true, BalancePoints: true,
	}
	left, taken := cappedSum(balance, p.additional), map[string]int64{}
	for i, id := range p.campaigns {
		v.Campaigns[i].CampaignID = id
		c := known[id]
		if c == nil {
			v.FinalUsageLimit = false
			continue
		}
		v.Campaigns[i].UsageLimit = c.Reward.Uncounted ||
			taken[id] < min(c.UsageLeft(counters[id]), c.UsageLeftFor(counters[id], bought[id]))
		v.FinalUsageLimit = v.FinalUsageLimit && v.Campaigns[i].UsageLimit
		taken[id]++
		if v.BalancePoints {
			v.BalancePoints = c.Cost <= left
			left -= c.Cost
		}
	}
	return v
}

// cappedSum returns the sum of two non-negative amounts, or the largest amount if it overflows.
func cappedSum(a, b points.Amount) points.Amount {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

// validate serves the validation of a plan.
func (d *Desk) validate(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	p, wrong := readPlan(body)
	who, err := customerOf(c)
	if err != nil {
		return err
	}
	if wrong != nil { // an unknown customer is reported before an invalid form
		return wrong
	}
	var response verdict
	err = c.Read(func(tx *db.Tx) error {
		account, err := points.Balance(tx, c.Store, who)
		if err != nil {
			return err
		}
		bought, err := points.Bought(tx, c.Store.Key, who)
		if err != nil {
			return err
		}
		counters, err := campaign.CountersOf(tx, c.Store.Key, db.Distinct(p.campaigns)...)
		if err != nil {
			return err
		}
		known, err := d.Catalogue.Load(tx, c.Store, counters)
		if err == nil {
			err = countRecent(tx, c.Store, known, bought)
		}
		response = p.judge(known, counters, account.Points, bought[who])
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}
