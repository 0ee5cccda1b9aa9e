package purchase

import (
	"maps"
	"math"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/fault"
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
	// Explanation holds the rules of the purchase after those before it; nil unless the request asks for it.
	Explanation []api.Finding `json:"explanation,omitzero"`
}

// readPlan reads the body of a validation.
func readPlan(g *form.Group) plan {
	p := plan{additional: points.Amount(g.Decimal("additionalPoints", 2, form.AtLeast(0)))}
	entries := g.Groups("campaigns")
	if len(entries) > ValidationLimit {
		g.AddError("campaigns", form.Invalid("too_many_campaigns"))
	}
	for _, entry := range entries {
		p.campaigns = append(p.campaigns, entry.UUID("rewardCampaignId", form.NotBlank))
	}
	if !g.Node().Child("campaigns").IsGroup() && !g.Failed("campaigns") {
		g.AddError("campaigns", form.Blank)
	}
	return p
}

// shopper is a customer whose purchases are validated.
type shopper struct {
	now    time.Time
	zone   *time.Location
	points points.Amount
	bought map[string]int64 // purchases by campaign
	why    *explainer       // nil unless the request asks for explanations
}

// judge checks the purchases of the plan in order. Each must leave the limits of its campaign and customer respected,
// together with those before it. Whether the campaign can be bought now does not matter. Campaigns without limits
// always pass; unknown ones never do. See docs/behaviour/offers.md#validation.
func (p *plan) judge(known map[string]*campaign.Campaign, counters map[string]campaign.Counters, by shopper) verdict {
	v := verdict{
		Campaigns: make([]usageVerdict, len(p.campaigns)), AdditionalPoints: p.additional,
		FinalUsageLimit: true, BalancePoints: true,
	}
	left, taken := cappedSum(by.points, p.additional), map[string]int64{}
	for i, id := range p.campaigns {
		v.Campaigns[i].CampaignID = id
		c := known[id]
		if c == nil {
			v.FinalUsageLimit = false
			continue
		}
		a := attempt{
			campaign: c, counters: counters[id], now: by.now, zone: by.zone, mine: by.bought[id] + taken[id],
			points: left, cost: c.Cost, quantity: 1,
		}
		a.counters.Sold, a.counters.Recent = a.counters.Sold+taken[id], a.counters.Recent+taken[id]
		a.counters.NextPosition += taken[id]
		v.Campaigns[i].UsageLimit = a.isWithinLimits()
		v.FinalUsageLimit = v.FinalUsageLimit && v.Campaigns[i].UsageLimit
		v.BalancePoints = v.BalancePoints && coversCost(&a) == nil
		if by.why != nil {
			v.Campaigns[i].Explanation = by.why.explain(a)
		}
		taken[id]++
		left = max(0, left-c.Cost)
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

// readExplainer reads what explanations of purchases of a customer need.
func readExplainer(c *api.Call, tx *db.Tx, customerID string, campaigns map[string]*campaign.Campaign) (
	*explainer, error) {
	locale, err := c.Locale()
	if err != nil {
		return nil, err
	}
	buyers, err := customer.Buyers(tx, c.Store.Key, []string{customerID})
	if err != nil {
		return nil, err
	}
	of := buyers[customerID]
	if of == nil {
		return nil, fault.ErrNotFound
	}
	segments, err := segment.OfCustomers(tx, c.Store.Key, customerID)
	if err != nil {
		return nil, err
	}
	e := explainer{
		role: c.Caller.Role, standing: customer.Standing{Status: of.Status, LevelID: of.LevelID},
		segments: segments[customerID],
	}
	return newExplainer(tx, c.Store.Key, e, locale, maps.Values(campaigns))
}

// validating returns the operation that validates a plan.
func (d *Desk) validating(query func(q *form.Group)) api.Operation {
	in := api.Body("campaigns", readPlan).Also(describeExplain).AlsoQuery(query)
	return api.Read(api.LeaveErrors(in), d.validate).First((*api.Call).MoveByQuery)
}

func (d *Desk) validate(r *api.Reading, in api.Unchecked[plan]) (v verdict, err error) {
	who, err := customerIn(r.Call, r.Tx)
	if err != nil {
		return v, err
	}
	if err := in.Form.Err(); err != nil { // an unknown customer is reported before an invalid form
		return v, err
	}
	account, err := points.Balance(r.Tx, r.Store, who)
	if err != nil {
		return v, err
	}
	bought, err := points.Bought(r.Tx, r.Store.Key, who)
	if err != nil {
		return v, err
	}
	counters, err := campaign.CountersOf(r.Tx, r.Store.Key, db.Distinct(in.In.campaigns)...)
	if err != nil {
		return v, err
	}
	known, err := d.Catalogue.Load(r.Tx, r.Store, counters)
	if err != nil {
		return v, err
	}
	if err := countRecent(r.Tx, r.Store, known, bought); err != nil {
		return v, err
	}
	countHeld(&account, bought[who])
	by := shopper{now: r.Tx.Now(), zone: r.Store.Zone, points: account.Points, bought: bought[who]}
	explain, err := r.Input(explainParameter)
	if err != nil {
		return v, err
	}
	if explained, _ := form.ParseBool(explain.Text()); explained {
		if by.why, err = readExplainer(r.Call, r.Tx, who, known); err != nil {
			return v, err
		}
	}
	return in.In.judge(known, counters, by), nil
}
