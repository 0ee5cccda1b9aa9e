package demo

import (
	"punchcard/loyalty/level"
	"punchcard/platform/decimal"
)

// tier is a level of the program.
type tier struct {
	condition, percent int64 // points or money to reach it; discount
	code               string
	en, pl             level.Translation
}

// tiers are the levels, lowest first.
var tiers = []tier{
	{0, 5, "BRONZE", level.Translation{Name: "Bronze", Description: "Everybody starts here."},
		level.Translation{Name: "Brązowy", Description: "Tu zaczyna każdy."}},
	{400, 10, "SILVER", level.Translation{Name: "Silver", Description: "For regulars: tastings and a larger discount."},
		level.Translation{Name: "Srebrny", Description: "Dla stałych gości: degustacje i większy rabat."}},
	{1500, 15, "GOLD", level.Translation{Name: "Gold", Description: "Workshops, and gifts that are kept for you."},
		level.Translation{Name: "Złoty", Description: "Warsztaty i prezenty odłożone specjalnie dla Ciebie."}},
	{5000, 30, "VIP", level.Translation{Name: "VIP", Description: "First to see what is new."},
		level.Translation{Name: "VIP", Description: "Nowości najpierw dla Ciebie."}},
}

func (t tier) level() level.Level {
	t.en.Locale, t.pl.Locale = "en", "pl"
	percent := decimal.Whole(t.percent).Rate()
	return level.Level{
		ConditionValue: decimal.Whole(t.condition).Money(), Active: true,
		Reward:       level.Reward{Name: percent.String() + "% off", Code: t.code, Value: percent},
		Translations: []level.Translation{t.en, t.pl},
	}
}
