package campaign

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// audiencePreview shows how many customers a campaign that is not saved reaches.
type audiencePreview struct {
	customer.Reach
	VisibleNow bool `json:"visibleNow"` // by the reward type and the window; if not, nobody sees the campaign yet
}

func (k *Catalogue) describePreview(g *form.Group) {
	k.Types.readAudience(g.Group("campaign"), store.Example)
}

// preview serves the number of customers whom the campaign of a form reaches.
func (k *Catalogue) preview(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "campaign")
	draft := k.Types.readAudience(group, c.Store)
	if err := group.Err(); err != nil {
		return err
	}
	response := audiencePreview{VisibleNow: draft.VisibleAt(c.Now())}
	err = c.Read(func(tx *db.Tx) (err error) {
		response.Reach, err = previewAudience(tx, &draft, customer.PreviewLimit)
		if err == nil && c.Caller.Allowed(access.Customers, access.View) {
			err = response.NameExamples(tx, c.Store.Key)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
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

func (k *Catalogue) listRewardTypes(c *api.Call) error {
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return err
	}
	response := rewardTypeList{RewardTypes: []rewardType{}, Total: len(k.Types)}
	for _, t := range k.Types {
		response.RewardTypes = append(response.RewardTypes, rewardType{
			Reward: t.Name, Buyable: t.Buyable, Codes: t.Fields.Codes,
			Fields: api.FieldsOf(func(g *form.Group) {
				readFields(g, &Draft{Campaign: Campaign{Reward: t}}, languages, c.Store)
			}),
		})
	}
	return c.OK(response)
}
