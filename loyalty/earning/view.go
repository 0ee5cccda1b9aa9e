package earning

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/loyalty/photo"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// ruleView is the JSON of a rule. Fields of other types are left out. See docs/behaviour/earning-rules.md#fields.
type ruleView struct {
	EarningRuleID    string      `json:"earningRuleId"`
	Type             string      `json:"type"`
	Name             string      `json:"name"`
	Description      string      `json:"description"`
	Active           bool        `json:"active"`
	AllTimeActive    bool        `json:"allTimeActive"`
	HasPhoto         bool        `json:"hasPhoto"`
	StartAt          *string     `json:"startAt,omitempty"`
	EndAt            *string     `json:"endAt,omitempty"`
	Everybody        bool        `json:"everybody,omitempty"`
	Levels           []string    `json:"levels"`
	Segments         []string    `json:"segments"`
	POS              []string    `json:"pos"`
	LevelNames       api.Names   `json:"levelNames"`
	SegmentNames     api.Names   `json:"segmentNames"`
	POSNames         api.Names   `json:"posNames"`
	LastExecutedRule *bool       `json:"lastExecutedRule,omitempty"`
	Usages           []usageView `json:"usages"`
	TypeView
}

// TypeView holds the fields that only rules of some types have.
type TypeView struct {
	Limit               *Limit         `json:"limit,omitempty"`
	UsageURL            string         `json:"usageUrl,omitempty"`
	EventName           *string        `json:"eventName,omitempty"`
	PointValue          *decimal.Rate  `json:"pointValue,omitempty"`
	ExcludeDeliveryCost *bool          `json:"excludeDeliveryCost,omitempty"`
	ExcludedSKUs        *[]string      `json:"excludedSKUs,omitempty"`
	LabelsInclusionType *string        `json:"labelsInclusionType,omitempty"`
	IncludedLabels      *[]Label       `json:"includedLabels,omitempty"`
	ExcludedLabels      *[]Label       `json:"excludedLabels,omitempty"`
	MinOrderValue       *decimal.Money `json:"minOrderValue,omitempty"`
	SKUs                *[]string      `json:"skuIds,omitempty"`
	Labels              *[]Label       `json:"labels,omitempty"`
	AllProducts         bool           `json:"allProducts,omitempty"`
	Multiplier          *decimal.Rate  `json:"multiplier,omitempty"`
	LabelMultipliers    *[]Factor      `json:"labelMultipliers,omitempty"`
	RewardCampaignID    *string        `json:"rewardCampaignId,omitempty"`
	RewardType          *string        `json:"rewardType,omitempty"`
	Latitude            *Degrees       `json:"latitude,omitempty"`
	Longitude           *Degrees       `json:"longitude,omitempty"`
	Radius              *Amount        `json:"radius,omitempty"`
	Code                *string        `json:"code,omitempty"`
	PointsAmount        *Amount        `json:"pointsAmount,omitempty"`
	CustomerMayTrigger  *bool          `json:"customerMayTrigger,omitempty"`
}

// usageView is the JSON of one use of a rule.
type usageView struct {
	CustomerID string `json:"customerId"`
	Date       string `json:"date"`
}

// viewer builds the views of rules for one caller.
type viewer struct {
	store *store.Store
	names
	photos map[string]photo.Photo // by the ids of rules
}

// viewerOf reads the names that the views of the rules need.
func viewerOf(tx *db.Tx, s *store.Store, locale api.Locale, rules []Rule) (*viewer, error) {
	ids := make([]string, len(rules))
	for i := range rules {
		ids[i] = rules[i].ID
	}
	n, err := namesOf(tx, s, locale, rules)
	if err != nil {
		return nil, err
	}
	v := &viewer{store: s, names: n}
	v.photos, err = photos.Kind.Of(tx, s.Key, ids...)
	return v, err
}

func (v *viewer) of(t *RuleType, r *Rule) ruleView {
	d := &r.Definition
	levels := d.Levels
	if d.Everybody {
		levels = level.IDs(v.levels)
	}
	shown := ruleView{
		EarningRuleID: r.ID, Type: r.Type, Name: r.Name, Description: r.Description, Active: r.Active,
		AllTimeActive: r.AllTime, HasPhoto: v.photos[r.ID].ID != "",
		Everybody: d.Everybody, Levels: idList(levels), Segments: idList(d.Segments), POS: idList(d.POS),
		LevelNames: api.Names{}, SegmentNames: api.NamesOf(d.Segments, v.segments), POSNames: api.NamesOf(d.POS, v.pos),
		Usages: []usageView{},
	}
	t.View(r, v.store, &shown.TypeView)
	if !r.AllTime {
		shown.StartAt = api.OptionalTimestamp(r.StartAt, v.store.Zone)
		shown.EndAt = api.OptionalTimestamp(r.EndAt, v.store.Zone)
	}
	if t.Step > 0 {
		shown.LastExecutedRule = &d.LastExecuted
	}
	for _, id := range levels {
		if l := level.Find(v.levels, id); l != nil {
			shown.LevelNames[id] = l.Name(v.locale)
		}
	}
	return shown
}

// idList returns a copy that is never null in JSON.
func idList(ids []string) []string { return append([]string{}, ids...) }

// some returns a list of the rule's type, which is shown even if empty.
func some[T any](all []T) *[]T {
	shown := append([]T{}, all...)
	return &shown
}
