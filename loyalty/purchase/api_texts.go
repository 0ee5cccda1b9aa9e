package purchase

import (
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/platform/form"
)

// withTexts chooses the handler of a customer's list: full shows the texts and pictures of campaigns, which clients ask
// for by includeTexts=1.
func withTexts(plain, full func(*api.Call) error) func(*api.Call) error {
	return func(c *api.Call) error {
		query, err := c.Query()
		if err != nil {
			return err
		}
		if on, _ := form.ParseBool(query.Child("includeTexts").Text()); on {
			return full(c)
		}
		return plain(c)
	}
}

// andTexts adds includeTexts to the description of a query.
func andTexts(query func(q *form.Group)) func(q *form.Group) {
	return func(q *form.Group) {
		q.Checkbox("includeTexts")
		query(q)
	}
}

type presentedToCustomer struct {
	campaign.Presented
	offered
}

func (v *campaignViews) presented(id string) campaign.Presented {
	return v.Presented(v.Campaigns[id], v.Counters[id])
}

func (v *campaignViews) presentedToCustomer(id string, extra offered) presentedToCustomer {
	return presentedToCustomer{v.presented(id), extra}
}
