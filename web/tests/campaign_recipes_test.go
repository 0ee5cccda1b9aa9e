package tests

import (
	"net/url"
	"slices"
	"testing"

	"punchcard/web/webtest"
)

// recipeWalk has the promises of a recipe: the campaign, its audience, and what it creates besides.
type recipeWalk struct {
	title, reward string
	cost          float64
	audience      string // all, highest level, or the type of the criterion of a new segment
	rule          string // type of a new earning rule
}

var recipeWalks = []recipeWalk{
	{"Welcome coupon", "discount_code", 0, "all", ""},
	{"Free delivery", "free_delivery_code", 50, "all", ""},
	{"Birthday gift", "gift_code", 0, "anniversary", ""},
	{"Tenth coffee free", "gift_code", 9, "all", "product_purchase"},
	{"Percentage off the next purchase", "percentage_discount_code", 0, "all", "instant_reward"},
	{"Points as cash", "cashback", 0, "all", ""},
	{"Win back", "discount_code", 0, "no_purchase_for_n_days", ""},
	{"VIP event", "event_code", 0, "highest level", ""},
	{"Gift for the best customers", "gift_code", 0, "highest level", ""},
	{"Voucher", "value_code", 100, "all", ""},
	{"Reward of a QR code or a place", "custom_campaign_code", 0, "all", ""},
}

// recipeCampaign is a campaign of the API, with what recipes create besides.
type recipeCampaign struct {
	ID       string   `json:"campaignId"`
	Reward   string   `json:"reward"`
	Active   bool     `json:"active"`
	Cost     float64  `json:"costInPoints"`
	Levels   []string `json:"levels"`
	Segments []string `json:"segments"`
}

// Every recipe creates the campaign that it promises, as it is, with its segment or earning rule.
func TestRecipes(t *testing.T) {
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/campaigns/new", webtest.Options{})
	p.WaitText("What is it for?")
	if n := webtest.Eval[int](p, "document.querySelectorAll('.recipe').length"); n != len(recipeWalks) {
		t.Errorf("there are %d recipes", n)
	}
	for _, walk := range recipeWalks {
		t.Run(walk.title, func(t *testing.T) {
			rules := rulesByType(t, s)
			p.Go("/DEFAULT/campaigns/new")
			p.ClickRole("link", walk.title+"…")
			name := "Recipe " + walk.title
			p.Type("Name", name)
			p.Click("Save and activate")
			p.WaitText(name + " is live.")
			var found struct {
				Campaigns []recipeCampaign `json:"campaigns"`
			}
			s.call(t, s.admin, "GET", "/api/DEFAULT/campaign?name="+url.QueryEscape(name), nil, &found)
			if len(found.Campaigns) != 1 {
				t.Fatalf("there are %d campaigns", len(found.Campaigns))
			}
			c := found.Campaigns[0]
			if c.Reward != walk.reward || c.Cost != walk.cost || !c.Active {
				t.Errorf("it is a %s for %v points, active %v", c.Reward, c.Cost, c.Active)
			}
			if is := audienceOf(t, s, c); is != walk.audience {
				t.Errorf("it is for %s", is)
			}
			for kind, after := range rulesByType(t, s) {
				want := rules[kind]
				if kind == walk.rule {
					want++
				}
				if after != want {
					t.Errorf("%d rules of the type %s, before %d", after, kind, rules[kind])
				}
			}
			if walk.rule == "instant_reward" {
				list := "/api/DEFAULT/earningRule?type=instant_reward"
				if of := s.get(t, list, "earningRules", 0, "rewardCampaignId"); of != c.ID {
					t.Errorf("the rule gives %s", of)
				}
			}
		})
	}
}

// audienceOf returns whom a campaign is for, as recipes say it.
func audienceOf(t *testing.T, s *shop, c recipeCampaign) string {
	t.Helper()
	var levels struct {
		Levels []struct {
			ID    string  `json:"levelId"`
			Value float64 `json:"conditionValue"`
		} `json:"levels"`
	}
	s.call(t, s.admin, "GET", "/api/DEFAULT/level", nil, &levels)
	highest := levels.Levels[0]
	for _, l := range levels.Levels {
		if l.Value > highest.Value {
			highest = l
		}
	}
	switch {
	case len(c.Segments) == 1:
		return s.get(t, "/api/DEFAULT/segment/"+c.Segments[0], "parts", 0, "criteria", 0, "type")
	case len(c.Levels) == len(levels.Levels):
		return "all"
	case slices.Equal(c.Levels, []string{highest.ID}):
		return "highest level"
	}
	return "somebody else"
}

// rulesByType counts the active earning rules of each type.
func rulesByType(t *testing.T, s *shop) map[string]int {
	t.Helper()
	var found struct {
		Rules []struct {
			Type   string `json:"type"`
			Active bool   `json:"active"`
		} `json:"earningRules"`
	}
	s.call(t, s.admin, "GET", "/api/DEFAULT/earningRule?perPage=1000", nil, &found)
	counts := map[string]int{}
	for _, r := range found.Rules {
		if r.Active {
			counts[r.Type]++
		}
	}
	return counts
}
