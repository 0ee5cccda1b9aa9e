package earning

import (
	"maps"
	"slices"
	"strings"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/purchase"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// Limits of a rule's fields.
const (
	nameLimit        = 255                     // characters
	descriptionLimit = 65_535                  // characters
	listLimit        = 65_535                  // characters of a list sent as one text
	amountLimit      = 1_000_000_000           // points or money, exclusive
	factorLimit      = 1_000_000               // multipliers, exclusive
	factorsLimit     = 100                     // label multipliers of one rule
	usesLimit        = 1_000_000_000           // uses in a window, exclusive
	radiusLimit      = 20_038 * 100            // kilometres, exclusive: half the circumference of the Earth
	earliestAngle    = int64(-180 * oneDegree) // of a longitude; half of it for a latitude
)

// ErrNoTarget is the form error of an empty list of levels or segments.
var ErrNoTarget = fault.New(fault.Fields, "no_target", "Level is empty. Level or segment should be selected.")

// Form is the form of a rule. The node shows whether a list was sent as one text.
type Form struct {
	*form.Group
	node  *form.Node
	desk  *purchase.Desk
	store *store.Store
	Rule  Rule // what was read so far
}

// read reads the form of a rule. keptType is the type of the rule that is changed, or empty for a new one.
func (svc *Service) read(g *form.Group, node *form.Node, keptType string, s *store.Store) Rule {
	f := &Form{Group: g, node: node, store: s}
	if f.Rule.Type = keptType; keptType == "" {
		f.Rule.Type = g.Choice("type", svc.names, form.NotBlank)
	} else {
		g.Ignore("type")
	}
	f.Rule.Name = g.Text("name", form.NotBlank, form.MaxLength(nameLimit))
	f.Rule.Description = g.Text("description", form.NotBlank, form.MaxLength(descriptionLimit))
	f.Rule.Active = g.Checkbox("active")
	f.window(s)
	t := svc.byName[f.Rule.Type]
	if t != nil && t.ReadEventName != nil {
		t.ReadEventName(f)
	}
	f.targets()
	f.Rule.Definition.POS = g.UUIDs("pos")
	if t != nil && t.Step > 0 {
		f.Rule.Definition.LastExecuted = g.Checkbox("lastExecutedRule")
	}
	if t != nil {
		t.Read(f)
	}
	return f.Rule
}

func (f *Form) window(s *store.Store) {
	f.Rule.AllTime = f.Checkbox("allTimeActive")
	var required []form.Rule
	if !f.Rule.AllTime {
		required = []form.Rule{form.NotBlank}
	}
	f.Rule.StartAt = f.DateTime("startAt", s.Zone, required...)
	f.Rule.EndAt = f.End("endAt", s.Zone, required...)
	if !f.Rule.AllTime && !f.Rule.StartAt.IsZero() && !f.Rule.EndAt.IsZero() && !f.Rule.EndAt.After(f.Rule.StartAt) {
		f.AddError("endAt", form.Invalid("ends_before_start"))
	}
}

// targets requires levels or segments, by the field target, and drops the other list. None of them is needed for
// everybody. A rule for new customers must have neither.
func (f *Form) targets() {
	forNew := f.Rule.Type == Event && f.Rule.EventName == accountCreated
	if f.Submitted("everybody") && f.Checkbox("everybody") && !forNew {
		f.Rule.Definition.Everybody = true
		f.Ignore("target", "levels", "segments")
		return
	}
	var rules []form.Rule
	if !forNew {
		rules = []form.Rule{form.NotBlank}
	}
	d := &f.Rule.Definition
	target := f.Choice("target", []string{"level", "segment"}, rules...)
	levels, segments := f.UUIDs("levels"), f.UUIDs("segments")
	for _, list := range []struct {
		field, target string
		ids           []string
	}{{"levels", "level", levels}, {"segments", "segment", segments}} {
		switch {
		case forNew && len(list.ids) > 0:
			f.AddError(list.field, form.Invalid("not_for_new_customers"))
		case !forNew && len(list.ids) == 0 && !f.Failed(list.field) &&
			(target == list.target || target == "" && len(levels)+len(segments) == 0):
			f.AddError(list.field, ErrNoTarget)
		}
	}
	if target == "segment" {
		d.Segments = segments
	} else {
		d.Levels = levels
	}
}

// PointsAmount reads the points of one event, item or use. least is the rule for the minimum.
func (f *Form) PointsAmount(least form.Rule) {
	f.Rule.Definition.Points = Amount(f.Decimal("pointsAmount", 2, form.NotBlank, least, form.LessThan(amountLimit*100)))
}

// rate reads a number that others are multiplied with. It must be less than limit.
func rate(g *form.Group, name string, limit int64, least form.Rule) decimal.Rate {
	return decimal.Rate(g.Decimal(name, decimal.RateDigits, form.NotBlank, least, form.LessThan(limit*decimal.OneRate),
		form.AtMostDigits(decimal.RateDigits)))
}

// Limit reads how often a customer can use the rule. Its other fields are optional unless active is set.
func (f *Form) Limit() {
	g := f.Group.Group("limit")
	l := &f.Rule.Definition.Limit
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
func (f *Form) skus(name string) []string {
	if sent := f.node.Child(name); sent == nil || sent.IsGroup() {
		return f.KeyTexts(name, form.MaxLength(nameLimit))
	}
	var skus []string
	for sku := range strings.SplitSeq(f.Text(name, form.MaxLength(listLimit)), ";") {
		if sku = keytext.Clean(sku); sku != "" {
			skus = append(skus, sku)
		}
	}
	return skus
}

// labels reads a list of pairs, or a text k:v;k:v.
func (f *Form) labels(name string) []Label {
	var labels []Label
	if !f.node.Child(name).IsGroup() {
		for _, label := range customer.ParseLabels(f.Text(name, form.MaxLength(listLimit))) {
			labels = append(labels, Label(label))
		}
		return labels
	}
	for _, entry := range f.Groups(name) {
		labels = append(labels, pair(entry))
	}
	return labels
}

func pair(g *form.Group) Label {
	return Label{
		Key: g.Key("key", form.NotBlank, form.MaxLength(nameLimit)), Value: g.Key("value", form.MaxLength(nameLimit)),
	}
}
