package journey

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/mailing"
	"punchcard/loyalty/points"
	"punchcard/platform/form"
)

const (
	nameLimit = 255
	// DelayLimit is the maximum of days between an occasion and the message, and of hours after a purchase.
	DelayLimit = 365
	// ConditionLimit is the number of levels, and of segments, that a journey names.
	ConditionLimit = 100
	daysLimit      = 3_650
)

// giftPlaceholders are those of the gift.
var giftPlaceholders = []string{"gift_points", "coupon_code"}

// readForm reads the form of a journey. The recipe of one that exists stays; otherwise it is read by rules.
func readForm(g *form.Group, s *store.Store, languages store.Languages, stored string, rules ...form.Rule) *Journey {
	j := &Journey{Recipe: stored, Name: g.Text("name", form.NotBlank, form.MaxLength(nameLimit))}
	if stored != "" {
		g.Ignore("recipe")
	} else {
		j.Recipe = g.Choice("recipe", Recipes(), rules...)
	}
	c := &j.Content
	c.Channels = mailing.ReadChannels(g)
	c.Delay = int(g.Integer("delay", form.AtLeast(0), form.LessThan(DelayLimit+1)))
	c.Levels, c.Segments = readIDs(g, "levels"), readIDs(g, "segments")
	placeholders := giftPlaceholders
	if r := recipeOf(j.Recipe); r != nil {
		if r.read != nil {
			r.read(g, s, c)
		}
		for name := range r.sample(c) {
			placeholders = append(slices.Clip(placeholders), name)
		}
	}
	c.Gift = readGift(g.Group("gift"))
	c.Words = mailing.ReadWords(g, c.Channels, languages, placeholders...)
	c.OutcomeDays = mailing.ReadOutcomeDays(g)
	return j
}

func readIDs(g *form.Group, name string) []string {
	ids := g.UUIDs(name)
	if len(ids) > ConditionLimit {
		g.AddError(name, form.TooMany.With(ConditionLimit))
	}
	return ids
}

// readDays reads the number of days of a recipe.
func readDays(g *form.Group) int {
	return int(g.Integer("days", form.NotBlank, form.AtLeast(1), form.LessThan(daysLimit+1)))
}

func readGift(g *form.Group) Gift {
	gift := Gift{
		Points:     points.Amount(g.Decimal("points", 2, form.AtLeast(0), form.LessThan(giftLimit+1))),
		ValidDays:  int(g.Integer("validDays", form.AtLeast(0), form.LessThan(daysLimit+1))),
		CampaignID: g.UUID("campaignId"),
	}
	if gift.Points > 0 && gift.CampaignID != "" {
		g.AddError("campaignId", form.Invalid("one_gift"))
	}
	return gift
}

// giftLimit is the maximum of points of a gift, in hundredths.
const giftLimit = 100_000_000

// sample returns the placeholders of the journey, with values for a preview.
func (j *Journey) sample() map[string]string {
	values := map[string]string{}
	if r := recipeOf(j.Recipe); r != nil {
		for name, value := range r.sample(&j.Content) {
			values[name] = value
		}
	}
	if gift := &j.Content.Gift; gift.CampaignID != "" {
		values["coupon_code"] = "A1B2C3"
	} else if gift.Points > 0 {
		values["gift_points"] = gift.Points.String()
	}
	return values
}
