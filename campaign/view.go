package campaign

import (
	"encoding/json"
	"time"

	"punchcard/api"
	"punchcard/level"
	"punchcard/platform/decimal"
	"punchcard/store"
)

// Viewer writes campaigns as one caller sees them.
type Viewer struct {
	Store  *store.Store
	Locale api.Locale
	Levels []level.Level // of the store
	Now    time.Time
}

// Reduced is a campaign as customers see it.
type Reduced struct {
	CampaignID                    string             `json:"campaignId"`
	Reward                        string             `json:"reward"`
	Name                          string             `json:"name,omitempty"`
	Active                        bool               `json:"active"`
	CostInPoints                  decimal.Hundredths `json:"costInPoints"`
	SingleCoupon                  bool               `json:"singleCoupon"`
	Unlimited                     bool               `json:"unlimited"`
	Limit                         *int64             `json:"limit,omitempty"`
	LimitPerUser                  *int64             `json:"limitPerUser,omitempty"`
	CampaignActivity              activity           `json:"campaignActivity"`
	CampaignVisibility            visibility         `json:"campaignVisibility"`
	SegmentNames                  names              `json:"segmentNames"`
	LevelNames                    names              `json:"levelNames"`
	UsageLeft                     int64              `json:"usageLeft"`
	VisibleForCustomersCount      int64              `json:"visibleForCustomersCount"`
	UsersWhoUsedThisCampaignCount int64              `json:"usersWhoUsedThisCampaignCount"`
}

// Seller is a campaign as sellers see it.
type Seller struct {
	Reduced
	RewardCampaignID      string              `json:"rewardCampaignId"`
	ShortDescription      string              `json:"shortDescription,omitempty"`
	ConditionsDescription string              `json:"conditionsDescription,omitempty"`
	UsageInstruction      string              `json:"usageInstruction,omitempty"`
	BrandDescription      string              `json:"brandDescription,omitempty"`
	BrandName             string              `json:"brandName,omitempty"`
	PointValue            *decimal.Hundredths `json:"pointValue,omitempty"`
	CashbackProvider      string              `json:"cashbackProvider,omitempty"`
	Percentage            *int64              `json:"transactionPercentageValue,omitempty"`
	Levels                []string            `json:"levels"`
	Segments              []string            `json:"segments"`
	Categories            []string            `json:"categories"`
	Coupons               *[]string           `json:"coupons,omitempty"`
	Labels                []Label             `json:"labels"`
	WillBeActiveFrom      *string             `json:"will_be_active_from,omitempty"`
	WillBeActiveTo        *string             `json:"will_be_active_to,omitempty"`
	MoreInformationLink   string              `json:"moreInformationLink,omitempty"`
	PushNotificationText  string              `json:"pushNotificationText,omitempty"`
	RewardValue           *decimal.Hundredths `json:"rewardValue,omitempty"`
	Tax                   *int64              `json:"tax,omitempty"`
	TaxPriceValue         *decimal.Hundredths `json:"taxPriceValue,omitempty"`
	Featured              bool                `json:"featured"`
	Public                bool                `json:"public"`
	FulfillmentTracking   bool                `json:"fulfillmentTracking"`
	ConnectType           string              `json:"connectType,omitempty"`
	EarningRuleID         string              `json:"earningRuleId,omitempty"`
	CreatedAt             string              `json:"createdAt"`
}

// Full is a campaign as administrators see it.
type Full struct {
	Seller
	DaysInactive int64         `json:"daysInactive"`
	DaysValid    int64         `json:"daysValid"`
	HasPhoto     bool          `json:"hasPhoto"`
	Translations []Translation `json:"translations"`
}

type activity struct {
	AllTimeActive bool    `json:"allTimeActive"`
	ActiveFrom    *string `json:"activeFrom,omitempty"`
	ActiveTo      *string `json:"activeTo,omitempty"`
}

type visibility struct {
	AllTimeVisible bool    `json:"allTimeVisible"`
	VisibleFrom    *string `json:"visibleFrom,omitempty"`
	VisibleTo      *string `json:"visibleTo,omitempty"`
}

// names is a map of ids to names, written as an empty array when there are none.
type names map[string]string

// MarshalJSON implements json.Marshaler.
func (n names) MarshalJSON() ([]byte, error) {
	if len(n) == 0 {
		return []byte("[]"), nil
	}
	return json.Marshal(map[string]string(n))
}

// Reduced writes the campaign for customers.
func (v *Viewer) Reduced(c *Campaign, k Counters) Reduced {
	r := Reduced{
		CampaignID: c.ID, Reward: c.Reward, Name: c.Name(v.Locale), Active: c.Active, CostInPoints: c.Cost,
		SingleCoupon: c.SingleCoupon, Unlimited: c.Unlimited,
		CampaignActivity:   activity{AllTimeActive: c.Activity.AllTime},
		CampaignVisibility: visibility{AllTimeVisible: c.Visibility.AllTime},
		LevelNames:         names{}, UsageLeft: c.UsageLeft(k), UsersWhoUsedThisCampaignCount: k.Customers,
	}
	if !c.Unlimited {
		r.Limit, r.LimitPerUser = &c.Limit, &c.LimitPerUser
	}
	if !c.Activity.AllTime {
		r.CampaignActivity.ActiveFrom, r.CampaignActivity.ActiveTo = v.span(c.Activity)
	}
	if !c.Visibility.AllTime {
		r.CampaignVisibility.VisibleFrom, r.CampaignVisibility.VisibleTo = v.span(c.Visibility)
	}
	visible := c.VisibleAt(v.Now)
	for _, id := range c.Definition.Levels {
		l := level.Find(v.Levels, id)
		if _, again := r.LevelNames[id]; l == nil || again {
			continue
		}
		r.LevelNames[id] = l.Name(v.Locale)
		if visible { // a customer is in one level, so levels share none
			r.VisibleForCustomersCount += l.Customers
		}
	}
	return r
}

func (v *Viewer) span(w Window) (from, to *string) {
	return api.OptionalTimestamp(w.From, v.Store.Zone), api.OptionalTimestamp(w.To, v.Store.Zone)
}

// Seller writes the campaign for sellers; nil codes leave the member out.
func (v *Viewer) Seller(c *Campaign, k Counters, codes []string) Seller {
	text := func(field func(*Translation) string) string { return c.Text(v.Locale, field) }
	d := &c.Definition
	s := Seller{
		Reduced: v.Reduced(c, k), RewardCampaignID: c.ID,
		ShortDescription:      text(func(t *Translation) string { return t.ShortDescription }),
		ConditionsDescription: text(func(t *Translation) string { return t.ConditionsDescription }),
		UsageInstruction:      text(func(t *Translation) string { return t.UsageInstruction }),
		BrandDescription:      text(func(t *Translation) string { return t.BrandDescription }),
		BrandName:             text(func(t *Translation) string { return t.BrandName }),
		CashbackProvider:      d.CashbackProvider,
		Levels:                append([]string{}, d.Levels...), Segments: append([]string{}, d.Segments...),
		Categories: append([]string{}, d.Categories...), Labels: append([]Label{}, d.Labels...),
		MoreInformationLink: d.MoreInformationLink, PushNotificationText: d.PushNotificationText,
		RewardValue: d.RewardValue, Tax: d.Tax, TaxPriceValue: d.TaxPriceValue, Featured: c.Featured, Public: c.Public,
		FulfillmentTracking: d.FulfillmentTracking, ConnectType: d.ConnectType, EarningRuleID: d.EarningRuleID,
		CreatedAt: api.Timestamp(c.CreatedAt, v.Store.Zone),
	}
	if codes != nil {
		s.Coupons = &codes
	}
	switch c.Reward {
	case Cashback:
		s.PointValue = &d.PointValue
	case PercentageDiscount:
		s.Percentage = &d.Percentage
	}
	if !c.Activity.AllTime && !c.ActiveAt(v.Now) {
		s.WillBeActiveFrom, s.WillBeActiveTo = v.span(c.Activity)
	}
	return s
}

// Full writes the campaign for administrators.
func (v *Viewer) Full(c *Campaign, k Counters, codes []string) Full {
	return Full{
		Seller: v.Seller(c, k, codes), DaysInactive: c.DaysInactive, DaysValid: c.DaysValid,
		Translations: append([]Translation{}, c.Definition.Translations...),
	}
}
