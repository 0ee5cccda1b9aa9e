package purchase

import (
	"punchcard/loyalty/campaign"
	"punchcard/platform/form"
)

const includeTexts = "includeTexts"

func describeTexts(q *form.Group) { q.Checkbox(includeTexts) }

// choose returns full if a query asks for the texts and pictures of campaigns, else plain.
func choose[Viewer any](query *form.Node, plain, full Viewer) Viewer {
	if on, _ := form.ParseBool(query.Child(includeTexts).Text()); on {
		return full
	}
	return plain
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
