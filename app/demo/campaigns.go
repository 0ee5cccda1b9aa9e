package demo

import (
	"math/rand/v2"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/platform/decimal"
)

// offer is a campaign in short.
type offer struct {
	reward         *campaign.RewardType
	cost           int64 // points
	tier           int   // lowest one that it is meant for
	regulars       bool  // it is meant for the segment of those who come often instead
	limit, perUser int64 // of all and of one; 0 for unlimited
	prefix         string
	codes          int // codes of their own that begin with the prefix; 0: the prefix is everybody's code
	daysInactive   int64
	daysValid      int64
	off            bool // not switched on
	featured       bool
	public         bool
	active         days
	visible        days
	labels         string
	link           string // last part of the page that tells more
	special        campaign.Definition
	en, pl         text
}

// days is a window in days from the day of loading, both included; the zero window is all time.
type days struct{ from, to int }

// text holds the texts of an offer. Descriptions are Markdown.
type text struct{ name, short, conditions, usage string }

const rewardsPage = "https://shop.example.com/rewards/"

// The merchant of every offer.
const (
	brand   = "Amber & Oak"
	brandEN = "**Amber & Oak**: coffee roasted next door, tea, and good things to eat."
	brandPL = "**Amber & Oak**: kawa palona za ścianą, herbata i dobre jedzenie."
)

// draft returns the draft of an offer, as the campaign form would read it.
func (o *offer) draft(rng *rand.Rand, levels []string, now time.Time, zone *time.Location) campaign.Draft {
	d := campaign.Draft{Campaign: campaign.Campaign{
		Reward: o.reward, Active: !o.off, Featured: o.featured, Public: o.public, Cost: decimal.Whole(o.cost),
		Unlimited: o.limit == 0, SingleCoupon: o.codes == 0, Limit: o.limit, LimitPerUser: o.perUser,
		DaysInactive: o.daysInactive, DaysValid: o.daysValid,
		Activity: o.active.window(now, zone), Visibility: o.visible.window(now, zone), Definition: o.special,
	}}
	def := &d.Definition
	if def.Target = "level"; o.tier == 0 {
		def.Everybody = true
	} else {
		def.Levels = levels[o.tier:]
	}
	def.Labels = campaign.ParseLabels(o.labels)
	def.PushNotificationText = o.en.name + ": take a look"
	def.MoreInformationLink = rewardsPage + o.link
	def.Translations = []campaign.Translation{o.en.translation("en", brandEN), o.pl.translation("pl", brandPL)}
	d.Codes = drawCodes(rng, o.prefix, o.codes)
	if o.codes == 0 && o.prefix != "" {
		d.Codes = []string{o.prefix}
	}
	return d
}

func (d days) window(now time.Time, zone *time.Location) campaign.Window {
	if d == (days{}) {
		return campaign.Window{AllTime: true}
	}
	year, month, day := now.In(zone).Date()
	return campaign.Window{
		From: time.Date(year, month, day+d.from, 0, 0, 0, 0, zone).UTC(),
		To:   time.Date(year, month, day+d.to, 23, 59, 59, 0, zone).UTC(),
	}
}

func (t text) translation(locale, brandDescription string) campaign.Translation {
	return campaign.Translation{
		Locale: locale, Name: t.name, ShortDescription: t.short, ConditionsDescription: t.conditions,
		UsageInstruction: t.usage, BrandName: brand, BrandDescription: brandDescription,
	}
}

// drawCodes makes n different codes without letters and digits that look alike.
func drawCodes(rng *rand.Rand, prefix string, n int) []string {
	const alphabet = "ACDEFGHJKLMNPQRTUVWXY34679"
	codes := make([]string, 0, n)
	seen := make(map[string]bool, n)
	for len(codes) < n {
		random := make([]byte, 5)
		for i := range random {
			random[i] = alphabet[rng.IntN(len(alphabet))]
		}
		if code := prefix + "-" + string(random); !seen[code] {
			seen[code] = true
			codes = append(codes, code)
		}
	}
	return codes
}

// euros returns an amount of money for the tax fields of a campaign.
func euros(hundredths int64) *decimal.Money {
	amount := decimal.Hundredths(hundredths).Money()
	return &amount
}

// percent returns a tax rate of a campaign.
func percent(n int64) *int64 { return &n }
