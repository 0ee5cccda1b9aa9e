package level

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// textLimit is the maximum length of a level's texts, in characters.
const textLimit = 255

var body = api.BodyInLanguages("level", readLevel)

func readLevel(g *form.Group, languages store.Languages, s *store.Store) Level {
	var l Level
	languages.ReadTranslations(g, func(code, name string, of *form.Group) {
		t := Translation{Locale: code, Name: name, Description: of.Text("description")}
		if t.Name != "" || t.Description != "" {
			l.Translations = append(l.Translations, t)
		}
	})
	l.Active = g.Checkbox("active")
	if s.Settings.TierAssignType == store.TierPoints {
		l.ConditionValue = decimal.Hundredths(g.Decimal("conditionValue", 2, form.NotBlank, form.AtLeast(0))).Money()
	} else {
		l.ConditionValue = s.ReadMoney(g, "conditionValue", form.NotBlank, form.AtLeast(0))
	}
	l.MinOrder = s.ReadMoney(g, "minOrder", form.AtLeast(0))
	l.Reward = readReward(g.Group("reward"))
	for _, entry := range g.Groups("specialRewards") {
		r := SpecialReward{ID: entry.Text("id"), Reward: readReward(entry, form.NotBlank), Active: entry.Checkbox("active")}
		r.StartAt, r.EndAt = entry.DateTime("startAt", s.Zone), entry.End("endAt", s.Zone)
		if !r.EndAt.IsZero() && r.EndAt.Before(r.StartAt) {
			entry.AddError("endAt", form.Invalid("ends_before_start"))
		}
		l.SpecialRewards = append(l.SpecialRewards, r)
	}
	return l
}

// readReward reads a discount. required is the rule of name and value; without it the discount may be left out.
func readReward(g *form.Group, required ...form.Rule) Reward {
	return Reward{
		Name:  g.Text("name", append(required, form.MaxLength(textLimit))...),
		Value: readPercent(g, required...),
		Code:  g.Text("code", form.MaxLength(textLimit)),
	}
}

// readPercent reads a discount. More than everything cannot be taken off a price.
func readPercent(g *form.Group, required ...form.Rule) decimal.Rate {
	const everything = 100 * 1_000_000
	percent := decimal.Rate(g.Decimal("value", decimal.RateDigits, append(required, form.AtLeast(0),
		form.AtMostDigits(decimal.RateDigits))...))
	if percent > everything {
		g.AddError("value", form.TooHigh.With("100"))
	}
	return percent
}
