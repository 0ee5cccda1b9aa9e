package campaign

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/form"
)

// audiencePreview shows how many customers a campaign that is not saved reaches.
type audiencePreview struct {
	customer.Reach
	VisibleNow bool `json:"visibleNow"` // by the reward type and the window; if not, nobody sees the campaign yet
}

// preview counts the customers whom the campaign of a form reaches.
func preview(r *api.Reading, draft Campaign) (audiencePreview, error) {
	shown := audiencePreview{VisibleNow: draft.VisibleAt(r.Now())}
	var err error
	shown.Reach, err = previewAudience(r.Tx, &draft, customer.PreviewLimit)
	if err == nil && r.Caller.Allowed(access.Customers, access.View) {
		err = shown.NameExamples(r.Tx, r.Store.Key)
	}
	return shown, err
}

type rewardTypeList struct {
	RewardTypes []rewardType `json:"rewardTypes"`
	Total       int          `json:"total"`
}

// rewardType describes a reward type to clients that build the form of its campaigns.
type rewardType struct {
	Reward  string      `json:"reward"`
	Buyable bool        `json:"buyable"` // customers buy its campaigns
	Codes   bool        `json:"codes"`   // its campaigns have codes
	Fields  []api.Field `json:"fields"`  // of the form, apart from reward
}

func (k *Catalogue) listRewardTypes(c *api.Call) (rewardTypeList, error) {
	languages, err := c.Stores().Languages(c.Context())
	list := rewardTypeList{RewardTypes: []rewardType{}, Total: len(k.Types)}
	for _, t := range k.Types {
		list.RewardTypes = append(list.RewardTypes, rewardType{
			Reward: t.Name, Buyable: t.Buyable, Codes: t.Fields.Codes,
			Fields: api.FieldsOf(func(g *form.Group) {
				readFields(g, &Draft{Campaign: Campaign{Reward: t}}, languages, c.Store)
			}),
		})
	}
	return list, err
}
