package checkout

import (
	"fmt"
	"regexp"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/earning"
	"punchcard/platform/form"
)

// pointsCode names the points of all stores, which have two decimal places.
const pointsCode, pointsPlaces = "POINTS", 2

// membershipEndpoint returns the endpoint of docs/behaviour/checkout.md#universal-commerce-protocol.
func (svc *Service) membershipEndpoint(staff access.Rule) api.Endpoint {
	return api.Endpoint{
		Method: "POST", Path: "/api/{storeCode}/checkout/loyalty", Access: staff, Factor: api.NoWrite, Unkeyed: true,
		Do:      answering(svc, readClaim, (*checkout).memberships),
		Summary: "Tell the membership of a customer and what a basket earns, for the Universal Commerce Protocol",
	}
}

// readClaim reads a request that names a claim.
func readClaim(g *form.Group, s *store.Store) request {
	in := readQuestion(g, s)
	in.claim = g.Text("claim", form.NotBlank, form.MaxLength(codeLimit), form.Matches(form.NotValid, isClaim))
	return in
}

var claimPattern = regexp.MustCompile(`^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9_-]*)+$`)

// isClaim reports whether a text is a name in the order of reversed domains, or empty.
func isClaim(text string) bool { return text == "" || claimPattern.MatchString(text) }

// The members of the schema dev.ucp.common.loyalty, version 2026-04-08.
type (
	memberships struct {
		Loyalty map[string]membershipView `json:"loyalty"` // by claim
	}
	membershipView struct {
		ID          string       `json:"id"`
		Name        string       `json:"name"`
		DisplayID   string       `json:"display_id,omitempty"`
		Tiers       []tierView   `json:"tiers,omitempty"`
		Rewards     []earnedView `json:"rewards"`
		Provisional bool         `json:"provisional"`
	}
	tierView struct {
		ID       string        `json:"id"`
		Name     string        `json:"name"`
		Benefits []benefitView `json:"benefits"`
	}
	benefitView struct {
		ID          string `json:"id"`
		Description string `json:"description"`
	}
	earnedView struct {
		Currency currencyView `json:"currency"`
		Forecast forecastView `json:"earning_forecast"`
	}
	currencyView struct {
		Name          string `json:"name"`
		Code          string `json:"code"`
		DecimalPlaces int    `json:"decimal_places"`
	}
	forecastView struct {
		Amount    int64           `json:"amount"` // of the smallest unit, as below
		Breakdown []breakdownView `json:"breakdown,omitempty"`
	}
	breakdownView struct {
		ID          string `json:"id"`
		Amount      int64  `json:"amount"`
		Description string `json:"description"`
	}
)

// memberships returns the membership of the customer; none without a customer.
func (c *checkout) memberships() memberships {
	made := memberships{Loyalty: map[string]membershipView{}}
	if c.customer == nil {
		return made
	}
	set := &c.store.Settings
	v := membershipView{
		ID: c.customer.ID, Name: set.ProgramName, DisplayID: masked(c.customer.LoyaltyCard),
		Rewards: []earnedView{{currencyView{set.ProgramPointsPlural, pointsCode, pointsPlaces}, c.forecastView()}},
	}
	if c.level != nil {
		tier := tierView{ID: c.level.ID, Name: c.level.Name(c.locale), Benefits: []benefitView{}}
		for i, reward := range c.names {
			tier.Benefits = append(tier.Benefits, benefitView{
				fmt.Sprint(c.level.ID, ".", i+1), fmt.Sprintf("%s: %s%%", reward.Name, reward.Value.Fixed()),
			})
		}
		v.Tiers = []tierView{tier}
	}
	made.Loyalty[c.claim] = v
	return made
}

// forecastView returns the points of the sale. A breakdown cannot have amounts below 0, so it is left out if a rule
// takes points away.
func (c *checkout) forecastView() forecastView {
	v := forecastView{Amount: int64(c.forecast.Points)}
	if slices.ContainsFunc(c.forecast.Rules, func(r earning.RulePoints) bool { return r.Points < 0 }) {
		return v
	}
	for _, r := range c.forecast.Rules {
		v.Breakdown = append(v.Breakdown, breakdownView{r.RuleID, int64(r.Points), r.Name})
	}
	return v
}

// masked returns the last four characters of a card number that has more than that; otherwise nothing.
func masked(card string) string {
	const shown = 4
	letters := []rune(card)
	if len(letters) <= shown {
		return ""
	}
	return "****" + string(letters[len(letters)-shown:])
}
