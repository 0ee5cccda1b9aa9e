// Package level holds the tiers that customers reach by points or purchases, and the reward of each.
package level

import (
	"cmp"
	"slices"
	"time"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// Level is one tier of a store.
type Level struct {
	StoreKey       int64
	ID             string
	ConditionValue decimal.Money // minimum points or money, depending on the store's tierAssignType
	MinOrder       decimal.Money // stored only
	Reward         Reward
	Active         bool
	Deleted        bool
	CreatedAt      time.Time
	Customers      int64 // number of customers in it
	SpecialRewards []SpecialReward
	Translations   []Translation
}

// Reward is a permanent discount that the shop applies itself.
type Reward struct {
	Name  string       `json:"name"`
	Code  string       `json:"code"`
	Value decimal.Rate `json:"value"` // percent
}

// SpecialReward is a further discount, limited in time.
type SpecialReward struct {
	ID        string    `json:"id"`
	Reward    Reward    `json:"reward"`
	Active    bool      `json:"active"`
	CreatedAt time.Time `json:"createdAt"`
	StartAt   time.Time `json:"startAt"`
	EndAt     time.Time `json:"endAt"`
}

// Translation holds the texts of a level in one language.
type Translation struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	ID          int64  `json:"id"`
	Locale      string `json:"locale"`
}

// Name returns the level's name in the locale.
func (l *Level) Name(locale api.Locale) string {
	return l.text(locale, func(t *Translation) string { return t.Name })
}

// Description returns the level's description in the locale.
func (l *Level) Description(locale api.Locale) string {
	return l.text(locale, func(t *Translation) string { return t.Description })
}

func (l *Level) text(locale api.Locale, field func(*Translation) string) string {
	return locale.Text(func(code string) string {
		for i := range l.Translations {
			if l.Translations[i].Locale == code {
				return field(&l.Translations[i])
			}
		}
		return ""
	})
}

// RewardsAt returns the discounts that the level gives at a time: its own, then the special ones.
func (l *Level) RewardsAt(now time.Time) (rewards []Reward) {
	if !l.Active {
		return nil
	}
	if l.Reward.Value > 0 {
		rewards = append(rewards, l.Reward)
	}
	for _, of := range l.SpecialRewards {
		if of.Active && of.Reward.Value > 0 && !now.Before(of.StartAt) && (of.EndAt.IsZero() || !now.After(of.EndAt)) {
			rewards = append(rewards, of.Reward)
		}
	}
	return rewards
}

// Percent returns the reward as customers see it, such as "7.50%".
func (l *Level) Percent() string { return l.Reward.Value.Fixed() + "%" }

// IsReached reports whether a value meets the condition of the level.
func (l *Level) IsReached(value decimal.Money) bool { return l.ConditionValue <= value }

// Candidate returns the level that the value earns: the active level with the largest condition that the
// value reaches, and among equal conditions the one with the larger reward. It returns nil if the value
// reaches none.
func Candidate(levels []Level, value decimal.Money) *Level {
	var best *Level
	for i := range levels {
		l := &levels[i]
		switch {
		case !l.Active || l.Deleted || !l.IsReached(value):
		case best == nil, l.ConditionValue > best.ConditionValue,
			l.ConditionValue == best.ConditionValue && l.Reward.Value > best.Reward.Value:
			best = l
		}
	}
	return best
}

// Next returns the level after the present one: the active level with the smallest condition above both the
// value and the present level's condition. It returns nil if there is none.
func Next(levels []Level, present *Level, value decimal.Money) *Level {
	if present != nil {
		value = max(value, present.ConditionValue)
	}
	var next *Level
	for i := range levels {
		l := &levels[i]
		if l.Active && !l.Deleted && l.ConditionValue > value &&
			(next == nil || l.ConditionValue < next.ConditionValue) {
			next = l
		}
	}
	return next
}

// IDs returns the ids of the levels that are not deleted, in their order.
func IDs(levels []Level) []string {
	ids := make([]string, 0, len(levels))
	for i := range levels {
		if !levels[i].Deleted {
			ids = append(ids, levels[i].ID)
		}
	}
	return ids
}

// AreAll reports whether a list has the ids of all levels of a store that are not deleted, and no others.
func AreAll(tx *db.Tx, storeKey int64, ids []string) (bool, error) {
	levels, err := All(tx, storeKey)
	return err == nil && slices.Equal(db.Distinct(IDs(levels)), db.Distinct(ids)), err
}

// Find returns the level with the id, or nil if it is missing or deleted.
func Find(levels []Level, id string) *Level {
	for i := range levels {
		if levels[i].ID == id && !levels[i].Deleted {
			return &levels[i]
		}
	}
	return nil
}

// InOrder returns the levels in the order of their conditions, from the highest one if descending.
func InOrder(levels []Level, descending bool) []Level {
	ordered := slices.SortedFunc(slices.Values(levels), func(a, b Level) int {
		return cmp.Or(cmp.Compare(a.ConditionValue, b.ConditionValue), cmp.Compare(a.ID, b.ID))
	})
	if descending {
		slices.Reverse(ordered)
	}
	return ordered
}
