package level

import (
	"fmt"
	"strings"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/decimal"
)

// view is a level as administrators and sellers see it.
type view struct {
	LevelID        string              `json:"levelId"`
	ID             string              `json:"id"`
	Name           string              `json:"name,omitempty"`
	Description    string              `json:"description,omitempty"`
	Translations   []Translation       `json:"translations"`
	Active         bool                `json:"active"`
	HasPhoto       bool                `json:"hasPhoto"`
	ConditionValue decimal.Money       `json:"conditionValue"`
	MinOrder       decimal.Money       `json:"minOrder"`
	Reward         rewardView          `json:"reward"`
	SpecialRewards []specialRewardView `json:"specialRewards"`
	CustomersCount int64               `json:"customersCount"`
}

type rewardView struct {
	Name  string  `json:"name"`
	Code  string  `json:"code"`
	Value percent `json:"value"`
}

type specialRewardView struct {
	ID string `json:"id"`
	rewardView
	Active    bool    `json:"active"`
	CreatedAt string  `json:"createdAt"`
	StartAt   *string `json:"startAt,omitempty"`
	EndAt     *string `json:"endAt,omitempty"`
}

// percent is a percentage that is encoded as a fraction: 7.5 % is 0.075.
type percent decimal.Rate

func (p percent) MarshalJSON() ([]byte, error) {
	text := fmt.Sprintf("%d.%08d", p/1e8, p%1e8) // rewards are never negative
	return []byte(strings.TrimSuffix(strings.TrimRight(text, "0"), ".")), nil
}

func newView(s *store.Store, locale api.Locale, l *Level, hasPhoto bool) view {
	v := view{
		LevelID: l.ID, ID: l.ID, Name: l.Name(locale), Description: l.Description(locale),
		Translations: append([]Translation{}, l.Translations...), Active: l.Active, HasPhoto: hasPhoto,
		ConditionValue: l.ConditionValue, MinOrder: l.MinOrder,
		Reward:         rewardView{l.Reward.Name, l.Reward.Code, percent(l.Reward.Value)},
		SpecialRewards: []specialRewardView{}, CustomersCount: l.Customers,
	}
	for _, r := range l.SpecialRewards {
		v.SpecialRewards = append(v.SpecialRewards, specialRewardView{
			ID: r.ID, rewardView: rewardView{r.Reward.Name, r.Reward.Code, percent(r.Reward.Value)}, Active: r.Active,
			CreatedAt: api.Timestamp(r.CreatedAt, s.Zone),
			StartAt:   api.OptionalTimestamp(r.StartAt, s.Zone), EndAt: api.OptionalTimestamp(r.EndAt, s.Zone),
		})
	}
	return v
}

// offer is a level as customers see it.
type offer struct {
	LevelID        string        `json:"levelId"`
	Name           string        `json:"name,omitempty"`
	Description    string        `json:"description,omitempty"`
	ConditionValue decimal.Money `json:"conditionValue"`
	HasPhoto       bool          `json:"hasPhoto"`
}

func offerOf(locale api.Locale, l *Level, hasPhoto bool) offer {
	return offer{l.ID, l.Name(locale), l.Description(locale), l.ConditionValue, hasPhoto}
}
