package campaign

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"punchcard/core/store"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// Limits of a campaign's fields, in characters.
const (
	nameLimit        = 255
	descriptionLimit = 65_535
	codeLimit        = 255
	labelsLimit      = 65_535
	labelLimit       = 255 // of the key and of the value of one label
)

// descriptionRules are the rules of texts that can be rendered as HTML.
var descriptionRules = append([]form.Rule{form.MaxLength(descriptionLimit)}, markdownRules...)

// readForm reads the form of a campaign. Fields that do not apply to the reward type are listed in the tree of
// errors, but neither checked nor stored. See docs/behaviour/campaigns.md#fields.
func (t Types) readForm(g *form.Group, languages store.Languages, s *store.Store) (d Draft) {
	d.Reward = cmp.Or(t.find(g.Choice("reward", t.Names(), form.NotBlank)), unknownReward)
	readFields(g, &d, languages, s)
	return d
}

// readFields reads the fields of a draft whose reward type is known.
func readFields(g *form.Group, d *Draft, languages store.Languages, s *store.Store) {
	readTexts(g, d, languages)
	d.Active = g.Checkbox("active")
	d.Featured, d.Public = g.Checkbox("featured"), g.Checkbox("public")
	if d.Reward.Fields.Price {
		d.Cost = decimal.Hundredths(g.Decimal("costInPoints", 2, form.NotBlank, form.AtLeast(0)))
	} else {
		g.Ignore("costInPoints")
	}
	if d.Reward.Form != nil {
		d.Reward.Form(g, &d.Definition)
	}
	readTargets(g, d)
	readUsage(g, d)
	d.Activity = readWindow(g, "campaignActivity", "allTimeActive", "activeFrom", "activeTo", s.Zone)
	d.Visibility = readVisibility(g, d.Reward, s.Zone)
	d.Definition.Categories = g.UUIDs("categories")
	d.Definition.Labels = ParseLabels(g.Text("labels", form.MaxLength(labelsLimit), labelRule))
	d.Definition.PushNotificationText = g.Text("pushNotificationText", form.NotBlank, form.MaxLength(descriptionLimit))
	d.Definition.MoreInformationLink = g.Text("moreInformationLink",
		form.URL, form.MaxLength(nameLimit))
	readTax(g, d, s)
	readBasket(g, d, s)
}

func readVisibility(g *form.Group, reward *RewardType, zone *time.Location) Window {
	if reward.Fields.Visibility {
		return readWindow(g, "campaignVisibility", "allTimeVisible", "visibleFrom", "visibleTo", zone)
	}
	g.Group("campaignVisibility").Ignore("allTimeVisible", "visibleFrom", "visibleTo")
	return Window{AllTime: true}
}

// unknownReward stands for a type that is missing or invalid: the fields of coupons are checked.
var unknownReward = &RewardType{Fields: CouponFields, TakesOff: TakesShare}

// describeUpdate describes a draft and the optional photos of an update.
func (t Types) describeUpdate(g *form.Group) {
	t.readForm(g, store.ExampleLanguages, store.Example)
	for _, photo := range g.Groups("photos") {
		photo.File("") // the element itself
	}
}

func readTexts(g *form.Group, d *Draft, languages store.Languages) {
	languages.ReadTranslations(g, func(code, name string, of *form.Group) {
		t := Translation{Locale: code, Name: name}
		t.ShortDescription = of.Text("shortDescription", descriptionRules...)
		t.UsageInstruction = of.Text("usageInstruction", descriptionRules...)
		t.ConditionsDescription = of.Text("conditionsDescription", descriptionRules...)
		t.BrandDescription = of.Text("brandDescription", descriptionRules...)
		t.BrandName = of.Text("brandName", form.MaxLength(nameLimit))
		if t != (Translation{Locale: code}) {
			d.Definition.Translations = append(d.Definition.Translations, t)
		}
	})
}

// readTargets requires at least one level or segment, by the field target, and drops the other list. None of them is
// needed for everybody.
func readTargets(g *form.Group, d *Draft) {
	d.SaidEverybody = g.Submitted("everybody")
	if d.SaidEverybody && g.Checkbox("everybody") {
		d.Definition.Target, d.Definition.Everybody = "level", true
		g.Ignore("target", "levels", "segments")
		return
	}
	target := g.Choice("target", []string{"level", "segment"}, form.NotBlank)
	levels, segments := g.UUIDs("levels"), g.UUIDs("segments")
	nothing := len(levels) == 0 && len(segments) == 0
	if (nothing || target == "level" && len(levels) == 0) && !g.Failed("levels") {
		g.AddError("levels", form.NoItems)
	}
	if (nothing || target == "segment" && len(segments) == 0) && !g.Failed("segments") {
		g.AddError("segments", form.NoItems)
	}
	d.Definition.Target = target
	if target == "level" {
		d.Definition.Levels = levels
	} else {
		d.Definition.Segments = segments
	}
}

// readUsage reads limits, codes and days.
func readUsage(g *form.Group, d *Draft) {
	fields := d.Reward.Fields
	d.Unlimited, d.SingleCoupon = true, true
	if fields.Limits {
		d.Unlimited = g.Checkbox("unlimited")
	} else {
		g.Ignore("unlimited")
	}
	if fields.Codes {
		d.SingleCoupon = g.Checkbox("singleCoupon")
	} else {
		g.Ignore("singleCoupon")
	}
	if d.Unlimited {
		g.Ignore("limit", "limitPerUser")
	} else {
		d.Limit, d.LimitPerUser = readLimit(g, "limit"), readLimit(g, "limitPerUser")
	}
	if g.Submitted("limitPerUserPeriod") { // so that the errors of older clients keep their bytes
		if period := g.Choice("limitPerUserPeriod", limitPeriods); !d.Unlimited {
			d.LimitPeriod = period
		}
	}
	if g.Submitted("limitPeriod") {
		if period := g.Choice("limitPeriod", limitPeriods); !d.Unlimited {
			d.TotalPeriod = period
		}
	}
	switch {
	case fields.Codes && !d.SingleCoupon && g.Submitted("keepCodes") && g.Checkbox("keepCodes"):
		d.KeepCodes = true
		g.Ignore("coupons")
	case fields.Codes:
		d.Codes = g.KeyTexts("coupons", form.MinItems(1), form.MaxLength(codeLimit))
	default:
		g.Ignore("coupons")
	}
	if !fields.Validity {
		g.Ignore("daysInactive", "daysValid")
		return
	}
	const daysLimit = 36_500 // a hundred years
	d.DaysInactive = g.Integer("daysInactive", form.NotBlank, form.AtLeast(0), form.LessThan(daysLimit))
	d.DaysValid = g.Integer("daysValid", form.NotBlank, form.AtLeast(0), form.LessThan(daysLimit))
}

// readLimit treats 0 like a missing limit.
func readLimit(g *form.Group, name string) int64 {
	limit := g.Integer(name, form.NotBlank, form.AtLeast(0))
	if limit == 0 && !g.Failed(name) {
		g.AddError(name, form.Blank)
	}
	return limit
}

// readWindow treats a group that was not sent as all time.
func readWindow(g *form.Group, name, allTime, from, to string, zone *time.Location) Window {
	w := g.Group(name)
	window := Window{AllTime: w.Checkbox(allTime) || !g.Submitted(name)}
	var required []form.Rule
	if !window.AllTime {
		required = []form.Rule{form.NotBlank}
	}
	window.From, window.To = w.DateTime(from, zone, required...), w.End(to, zone, required...)
	return window
}

func readTax(g *form.Group, d *Draft, s *store.Store) {
	const moneyLimit = 999_999_999 * 10_000
	money := func(name string) *decimal.Money {
		v := s.ReadMoney(g, name, form.GreaterThan(0), form.LessThan(moneyLimit))
		if v == 0 {
			return nil
		}
		return &v
	}
	d.Definition.RewardValue = money("rewardValue")
	tax := g.Integer("tax", form.Whole, form.GreaterOrEqual(0), form.LessThan(99))
	if g.Text("tax") != "" && !g.Failed("tax") {
		d.Definition.Tax = &tax
	}
	d.Definition.TaxPriceValue = money("taxPriceValue")
	if g.Submitted("minimumBasket") { // so that the errors of older clients keep their bytes
		d.Definition.MinimumBasket = money("minimumBasket")
	}
}

// ParseLabels parses the text form of labels, `key:value;key1:value1`, in its order. The value begins after the first
// colon. Empty entries and those without a colon are ignored.
func ParseLabels(text string) []Label {
	var labels []Label
	for entry := range strings.SplitSeq(text, ";") {
		if key, value, found := strings.Cut(entry, ":"); found {
			labels = append(labels, Label{keytext.Clean(key), keytext.Clean(value)})
		}
	}
	return labels
}

var labelRule = form.Matches(form.TooLong.With(labelLimit), func(text string) bool {
	return !slices.ContainsFunc(ParseLabels(text), func(l Label) bool {
		return utf8.RuneCountInString(l.Key) > labelLimit || utf8.RuneCountInString(l.Value) > labelLimit
	})
})
