package earning

import (
	"errors"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// instantRewardRule gives a reward of a campaign at no cost.
var instantRewardRule = RuleType{
	Name: InstantReward,
	Step: 2,
	Read: func(f *Form) { f.Rule.Definition.RewardCampaignID = f.UUID("rewardCampaignId", form.NotBlank) },
	Examine: func(tx *db.Tx, s *store.Store, f *Form) error {
		id := f.Rule.Definition.RewardCampaignID
		if id == "" {
			return nil
		}
		c, _, err := f.desk.Catalogue.Find(tx, s.Key, id)
		switch {
		case err != nil && !errors.Is(err, fault.ErrNotFound):
			return err
		case err != nil, !c.Active, !c.Reward.Buyable:
			f.AddError("rewardCampaignId", form.Invalid("unsuitable_campaign"))
		}
		return nil
	},
	View:  func(r *Rule, _ *store.Store, to *TypeView) { to.RewardCampaignID = &r.Definition.RewardCampaignID },
	Apply: func(e *Evaluation, r *Rule) { e.rewards = append(e.rewards, *r) },
}
