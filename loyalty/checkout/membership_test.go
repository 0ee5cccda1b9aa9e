package checkout

import (
	"encoding/json"
	"strings"
	"testing"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/level"
)

func TestMembership(t *testing.T) {
	s := &store.Store{}
	s.Settings.ProgramName, s.Settings.ProgramPointsPlural = "Leaf club", "leaves"
	c := &checkout{customer: &customer.Customer{ID: "ida"}, request: request{store: s, claim: "com.example.club"}}
	c.locale = api.Locale{Wanted: "en", Default: "en"}
	c.customer.LoyaltyCard = "NO-12345678"
	c.level = &level.Level{ID: "gold", Translations: []level.Translation{{Locale: "en", Name: "Gold"}}}
	c.names = []level.Reward{{Name: "Discount", Value: 5_000_000}}
	c.forecast = earning.Forecast{Points: 1250, Rules: []earning.RulePoints{
		{RuleID: "base", Name: "One per euro", Points: 1000}, {RuleID: "tea", Name: "Tea", Points: 250},
	}}
	expect := func(want string) {
		t.Helper()
		got, err := json.Marshal(c.memberships())
		if err != nil || string(got) != want {
			t.Errorf("%s, want %s (%v)", got, want, err)
		}
	}
	const around = `{"loyalty":{"com.example.club":{"id":"ida","name":"Leaf club","display_id":"****5678",` +
		`"tiers":[{"id":"gold","name":"Gold","benefits":[{"id":"gold.1","description":"Discount: 5.00%"}]}],` +
		`"rewards":[{"currency":{"name":"leaves","code":"POINTS","decimal_places":2},` +
		`"earning_forecast":{"amount":1250BREAKDOWN}}],"provisional":false}}}`
	expect(strings.Replace(around, "BREAKDOWN", `,"breakdown":[{"id":"base","amount":1000,"description":"One per euro"},`+
		`{"id":"tea","amount":250,"description":"Tea"}]`, 1))
	c.forecast.Rules[1].Points = -250
	expect(strings.Replace(around, "BREAKDOWN", "", 1))
	c.customer = nil
	expect(`{"loyalty":{}}`)
}

func TestClaims(t *testing.T) {
	for claim, want := range map[string]bool{
		"com.example.rewards": true, "com.example.rewards.card": true, "com": false, "Com.example": false,
		"com..example": false, "com.example.": false, "com.exa mple": false,
	} {
		if isClaim(claim) != want {
			t.Errorf("%q is a claim is %t", claim, !want)
		}
	}
}
