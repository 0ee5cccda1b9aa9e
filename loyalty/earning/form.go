package earning

import (
	"maps"
	"slices"
	"strings"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Limits of a rule's fields.
const (
	nameLimit        = 255                     // characters
	descriptionLimit = 65_535                  // characters
	listLimit        = 65_535                  // characters of a list sent as one text
	amountLimit      = 1_000_000_000 * 100     // points or money, exclusive
	factorLimit      = 1_000_000 * 100         // multipliers, exclusive
	factorsLimit     = 100                     // label multipliers of one rule
	usesLimit        = 1_000_000_000           // uses in a window, exclusive
	radiusLimit      = 20_038 * 100            // kilometres, exclusive: half the circumference of the Earth
	earliestAngle    = int64(-180 * oneDegree) // of a longitude; half of it for a latitude
)

// ErrNoTarget is the form error of an empty list of levels or segments.
var ErrNoTarget = fault.New(fault.Fields, "no_target", "Level is empty. Level or segment should be selected.")

// reader reads the form of a rule. The node shows whether a list was sent as one text.
type reader struct {
	*form.Group
	node *form.Node
	rule Rule
}

// read reads the form of a rule. keptType is the type of the rule that is changed, or empty for a new one.
func read(g *form.Group, node *form.Node, keptType string, s *store.Store) Rule {
	r := &reader{Group: g, node: node}
	if r.rule.Type = keptType; keptType == "" {
		r.rule.Type = g.Choice("type", Types, form.NotBlank)
	} else {
		g.Ignore("type")
	}
	r.rule.Name = g.Text("name", form.NotBlank, form.MaxLength(nameLimit))
	r.rule.Description = g.Text("description", form.NotBlank, form.MaxLength(descriptionLimit))
	r.rule.Active = g.Checkbox("active")
	r.window(s)
	r.eventName()
	r.targets()
	r.rule.Definition.POS = g.UUIDs("pos")
	if isPurchaseRule(r.rule.Type) {
		r.rule.Definition.LastExecuted = g.Checkbox("lastExecutedRule")
	}
	r.typeFields()
	return r.rule
}

func (r *reader) window(s *store.Store) {
	r.rule.AllTime = r.Checkbox("allTimeActive")
	var required []form.Rule
	if !r.rule.AllTime {
		required = []form.Rule{form.NotBlank}
	}
	r.rule.StartAt = r.DateTime("startAt", s.Zone, required...)
	r.rule.EndAt = r.DateTime("endAt", s.Zone, required...)
	if !r.rule.AllTime && !r.rule.StartAt.IsZero() && !r.rule.EndAt.IsZero() && !r.rule.EndAt.After(r.rule.StartAt) {
		r.AddError("endAt", form.Invalid("ends_before_start"))
	}
}

// targets requires levels or segments, by the field target, and drops the other list. A rule for new customers must
// have neither.
func (r *reader) targets() {
	var rules []form.Rule
	forNew := r.rule.Type == Event && r.rule.EventName == accountCreated
	if !forNew {
		rules = []form.Rule{form.NotBlank}
	}
	d := &r.rule.Definition
	target := r.Choice("target", []string{"level", "segment"}, rules...)
	levels, segments := r.UUIDs("levels"), r.UUIDs("segments")
	for _, list := range []struct {
		field, target string
		ids           []string
	}{{"levels", "level", levels}, {"segments", "segment", segments}} {
		switch {
		case forNew && len(list.ids) > 0:
			r.AddError(list.field, form.Invalid("not_for_new_customers"))
		case !forNew && len(list.ids) == 0 && !r.Failed(list.field) &&
			(target == list.target || target == "" && len(levels)+len(segments) == 0):
			r.AddError(list.field, ErrNoTarget)
		}
	}
	if target == "segment" {
		d.Segments = segments
	} else {
		d.Levels = levels
	}
}

// eventName reads the event by which the rule is found.
func (r *reader) eventName() {
	const platform = "platform." // prefix of alternative event names
	switch r.rule.Type {
	case Event:
		name := r.Text("eventName", form.NotBlank, form.Matches(form.UnknownChoice, func(text string) bool {
			return slices.Contains(Events, strings.Replace(text, platform, "oloy.", 1))
		}))
		r.rule.EventName = strings.Replace(name, platform, "oloy.", 1)
	case CustomEvent:
		r.rule.EventName = r.Text("eventName", form.NotBlank, form.MaxLength(nameLimit))
	case Referral:
		r.rule.EventName = r.Text("eventName", form.NotBlank, form.Matches(form.UnknownChoice, func(text string) bool {
			return slices.Contains(ReferralEvents, text)
		}))
	}
}

// typeFields reads the fields of the rule's type.
func (r *reader) typeFields() {
	d := &r.rule.Definition
	switch r.rule.Type {
	case Spending:
		r.general()
	case ProductPurchase:
		d.SKUs = r.Texts("skuIds", form.MinItems(1), form.MaxLength(nameLimit))
		d.Points = r.pointsAmount(form.GreaterThan(0))
	case MultiplyProduct:
		d.SKUs = r.Texts("skuIds", form.MaxLength(nameLimit))
		d.Labels = r.labels("labels")
		if len(d.SKUs)+len(d.Labels) == 0 && !r.Failed("skuIds") && !r.Failed("labels") {
			r.AddError("skuIds", form.NoItems)
			r.AddError("labels", form.NoItems)
		}
		d.Multiplier = Amount(r.Decimal("multiplier", 2, form.NotBlank, form.GreaterThan(0), form.LessThan(factorLimit)))
	case MultiplyLabels:
		r.labelMultipliers()
	case InstantReward:
		d.RewardCampaignID = r.UUID("rewardCampaignId", form.NotBlank)
	case Event:
		d.Points = r.pointsAmount(form.GreaterThan(0))
	case CustomEvent:
		d.Points = r.pointsAmount(form.GreaterThan(0))
		d.NotByCustomers = !r.Checkbox("customerMayTrigger") && r.Submitted("customerMayTrigger")
		r.limit()
	case Referral:
		d.RewardType = r.Choice("rewardType", ReferralRewards, form.NotBlank)
		d.Points = r.pointsAmount(form.GreaterThan(0))
	case Geolocation:
		d.Circle.Place = place(r.Group)
		d.Circle.Radius = Amount(r.Decimal("radius", 2, form.NotBlank, form.AtLeast(100), form.LessThan(radiusLimit)))
		d.Points = r.pointsAmount(form.AtLeast(100))
		r.limit()
	case QRCode:
		d.Code = r.Text("code", form.NotBlank, form.MaxLength(nameLimit))
		d.Points = r.pointsAmount(form.GreaterThan(0))
		r.limit()
	}
}

// pointsAmount reads the points of one event, item or use. least is the rule for the minimum.
func (r *reader) pointsAmount(least form.Rule) Amount {
	return Amount(r.Decimal("pointsAmount", 2, form.NotBlank, least, form.LessThan(amountLimit)))
}

func (r *reader) general() {
	g := &r.rule.Definition.General
	g.PointValue = Amount(r.Decimal("pointValue", 2, form.NotBlank, form.GreaterThan(0), form.LessThan(amountLimit)))
	g.ExcludeDeliveryCost = r.Checkbox("excludeDeliveryCost")
	g.ExcludedSKUs = r.skus("excludedSKUs")
	modes := []string{AnyLabels, IncludeLabels, ExcludeLabels}
	g.LabelsInclusion = r.Choice("labelsInclusionType", modes)
	if !r.Submitted("labelsInclusionType") && r.Submitted("inclusionType") { // the older name
		g.LabelsInclusion = r.Choice("inclusionType", modes)
	}
	if g.LabelsInclusion == "" {
		g.LabelsInclusion = AnyLabels
	}
	g.IncludedLabels, g.ExcludedLabels = r.labels("includedLabels"), r.labels("excludedLabels")
	g.MinOrder = Amount(r.Decimal("minOrderValue", 2, form.AtLeast(0), form.LessThan(amountLimit)))
}

func (r *reader) labelMultipliers() {
	d := &r.rule.Definition
	for _, entry := range r.Groups("labelMultipliers") {
		d.LabelMultipliers = append(d.LabelMultipliers, Factor{
			Label:      pair(entry),
			Multiplier: Amount(entry.Decimal("multiplier", 2, form.NotBlank, form.AtLeast(100), form.LessThan(factorLimit))),
		})
	}
	switch n := len(d.LabelMultipliers); {
	case n == 0 && !r.Failed("labelMultipliers"):
		r.AddError("labelMultipliers", form.NoItems)
	case n > factorsLimit: // bounds the number of digits of their product
		r.AddError("labelMultipliers", form.TooMany.With(factorsLimit))
	}
}

// limit reads how often a customer can use the rule. Its other fields are optional unless active is set.
func (r *reader) limit() {
	g := r.Group.Group("limit")
	l := &r.rule.Definition.Limit
	l.Active = g.Checkbox("active")
	period, uses := []form.Rule{}, []form.Rule{form.AtLeast(0), form.LessThan(usesLimit)}
	if l.Active {
		period, uses[0] = []form.Rule{form.NotBlank}, form.AtLeast(1)
		uses = append(uses, form.NotBlank)
	}
	l.Period = g.Choice("period", slices.Concat(Periods, slices.Sorted(maps.Keys(olderPeriods))), period...)
	if newer, found := olderPeriods[l.Period]; found {
		l.Period = newer
	}
	l.Uses = g.Integer("limit", uses...)
}

// place reads a latitude and a longitude.
func place(g *form.Group) Place {
	angle := func(name string, least int64) Degrees {
		n := g.Decimal(name, degreeDigits, form.NotBlank)
		if n < least || n > -least {
			g.AddError(name, form.Invalid("not_a_coordinate"))
		}
		return Degrees(n)
	}
	return Place{angle("latitude", earliestAngle/2), angle("longitude", earliestAngle)}
}

// skus reads a list, or a text separated by semicolons.
func (r *reader) skus(name string) []string {
	if sent := r.node.Child(name); sent == nil || sent.IsGroup() {
		return r.Texts(name, form.MaxLength(nameLimit))
	}
	var skus []string
	for sku := range strings.SplitSeq(r.Text(name, form.MaxLength(listLimit)), ";") {
		if sku = strings.TrimSpace(sku); sku != "" {
			skus = append(skus, sku)
		}
	}
	return skus
}

// labels reads a list of pairs, or a text k:v;k:v.
func (r *reader) labels(name string) []Label {
	var labels []Label
	if !r.node.Child(name).IsGroup() {
		for _, label := range customer.ParseLabels(r.Text(name, form.MaxLength(listLimit))) {
			labels = append(labels, Label(label))
		}
		return labels
	}
	for _, entry := range r.Groups(name) {
		labels = append(labels, pair(entry))
	}
	return labels
}

func pair(g *form.Group) Label {
	return Label{
		Key: g.Text("key", form.NotBlank, form.MaxLength(nameLimit)), Value: g.Text("value", form.MaxLength(nameLimit)),
	}
}
