package earning

import (
	"slices"

	"punchcard/loyalty/store"
	"punchcard/platform/form"
)

// referralRule is stored and shown, but pays nothing.
var referralRule = RuleType{
	Name: Referral,
	ReadEventName: func(f *Form) {
		f.Rule.EventName = f.Text("eventName", form.NotBlank, form.Matches(form.UnknownChoice, func(text string) bool {
			return slices.Contains(ReferralEvents, text)
		}))
	},
	Read: func(f *Form) {
		f.Rule.Definition.RewardType = f.Choice("rewardType", ReferralRewards, form.NotBlank)
		f.PointsAmount(form.GreaterThan(0))
	},
	View: func(r *Rule, _ *store.Store, to *TypeView) {
		to.EventName, to.RewardType, to.PointsAmount = &r.EventName, &r.Definition.RewardType, &r.Definition.Points
	},
}
