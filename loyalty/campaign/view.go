package campaign

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/level"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// Viewer builds the views of campaigns for one caller.
type Viewer struct {
	Store  *store.Store
	Locale api.Locale
	Levels []level.Level // of the store
	Now    time.Time
	HTML   bool // descriptions are rendered

	categories map[string]string // names of the campaigns' categories
	segments   map[string]string // names of the campaigns' segments
	sizes      map[string]int64  // of the audiences of visible campaigns
}

// newViewer reads the further data that the views of the campaigns need.
func (k *Catalogue) newViewer(tx *db.Tx, s *store.Store, locale api.Locale, levels []level.Level,
	campaigns ...*Campaign) (*Viewer, error) {
	v := &Viewer{Store: s, Locale: locale, Levels: levels, Now: tx.Now()}
	var categories, segments []string
	for _, c := range campaigns {
		categories = append(categories, c.Definition.Categories...)
		segments = append(segments, c.Definition.Segments...)
	}
	categories, segments = db.Distinct(categories), db.Distinct(segments)
	var members map[string]int64 // of segments
	var queries []db.Query
	if len(segments) > 0 {
		queries = make([]db.Query, 2, 3)
		v.segments, queries[0] = segment.SelectNames(tx, s.Key, segments...)
		members, queries[1] = segment.SelectCounts(tx, s.Key, segments...)
	}
	if len(categories) > 0 {
		var query db.Query
		v.categories, query = category.SelectNames(tx, s.Key, locale, categories...)
		queries = append(queries, query)
	}
	if err := tx.Run(queries...); err != nil {
		return nil, err
	}
	return v, k.measure(tx, v, campaigns, members)
}

// measure finds how many customers see each of the campaigns. members holds the size of each segment.
func (k *Catalogue) measure(tx *db.Tx, v *Viewer, campaigns []*Campaign, members map[string]int64) (err error) {
	v.sizes = make(map[string]int64, len(campaigns))
	for _, c := range campaigns {
		if !c.VisibleAt(v.Now) {
			continue
		}
		a := audienceOf(c.StoreKey, &c.Definition, v.Levels)
		if v.sizes[c.ID], err = k.sizeOf(tx, a, members); err != nil {
			return err
		}
	}
	return nil
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
	LimitPerUserPeriod            string             `json:"limitPerUserPeriod,omitempty"`
	LimitPeriod                   string             `json:"limitPeriod,omitempty"`
	CampaignActivity              activity           `json:"campaignActivity"`
	CampaignVisibility            visibility         `json:"campaignVisibility"`
	SegmentNames                  api.Names          `json:"segmentNames"`
	LevelNames                    api.Names          `json:"levelNames"`
	UsageLeft                     int64              `json:"usageLeft"`
	VisibleForCustomersCount      int64              `json:"visibleForCustomersCount"`
	UsersWhoUsedThisCampaignCount int64              `json:"usersWhoUsedThisCampaignCount"`
}

// Seller is a campaign as sellers see it.
type Seller struct {
	Reduced
	RewardCampaignID      string            `json:"rewardCampaignId"`
	ShortDescription      string            `json:"shortDescription,omitempty"`
	ConditionsDescription string            `json:"conditionsDescription,omitempty"`
	UsageInstruction      string            `json:"usageInstruction,omitempty"`
	BrandDescription      string            `json:"brandDescription,omitempty"`
	BrandName             string            `json:"brandName,omitempty"`
	PointValue            *decimal.Rate     `json:"pointValue,omitempty"`
	CashbackProvider      string            `json:"cashbackProvider,omitempty"`
	Percentage            *int64            `json:"transactionPercentageValue,omitempty"`
	Everybody             bool              `json:"everybody,omitempty"`
	Levels                []string          `json:"levels"`
	Segments              []string          `json:"segments"`
	Categories            []string          `json:"categories"`
	CategoryNames         api.Names         `json:"categoryNames"`
	Coupons               *[]string         `json:"coupons,omitempty"`
	Labels                []Label           `json:"labels"`
	WillBeActiveFrom      *string           `json:"will_be_active_from,omitempty"`
	WillBeActiveTo        *string           `json:"will_be_active_to,omitempty"`
	MoreInformationLink   string            `json:"moreInformationLink,omitempty"`
	PushNotificationText  string            `json:"pushNotificationText,omitempty"`
	RewardValue           *decimal.Money    `json:"rewardValue,omitempty"`
	MinimumBasket         *decimal.Money    `json:"minimumBasket,omitempty"`
	Basket                *Basket           `json:"basket,omitempty"`
	Tax                   *int64            `json:"tax,omitempty"`
	TaxPriceValue         *decimal.Money    `json:"taxPriceValue,omitempty"`
	Featured              bool              `json:"featured"`
	Public                bool              `json:"public"`
	FulfillmentTracking   bool              `json:"fulfillmentTracking"`
	ConnectType           string            `json:"connectType,omitempty"`
	EarningRuleID         string            `json:"earningRuleId,omitempty"`
	Details               map[string]string `json:"details,omitempty"`
	CreatedAt             string            `json:"createdAt"`
	ArchivedAt            *string           `json:"archivedAt,omitempty"`
}

// Presented is Reduced with the texts and pictures that an app shows to customers.
type Presented struct {
	Reduced
	ShortDescription      string         `json:"shortDescription,omitempty"`
	ConditionsDescription string         `json:"conditionsDescription,omitempty"`
	UsageInstruction      string         `json:"usageInstruction,omitempty"`
	BrandDescription      string         `json:"brandDescription,omitempty"`
	BrandName             string         `json:"brandName,omitempty"`
	MoreInformationLink   string         `json:"moreInformationLink,omitempty"`
	RewardValue           *decimal.Money `json:"rewardValue,omitempty"`
	MinimumBasket         *decimal.Money `json:"minimumBasket,omitempty"`
	PointValue            *decimal.Rate  `json:"pointValue,omitempty"`
	Percentage            *int64         `json:"transactionPercentageValue,omitempty"`
	DaysInactive          int64          `json:"daysInactive,omitempty"`
	DaysValid             int64          `json:"daysValid,omitempty"`
	Featured              bool           `json:"featured,omitempty"`
	Categories            []string       `json:"categories,omitempty"`
	BrandIcon             bool           `json:"brandIcon,omitempty"`
	Photos                []photo        `json:"photos,omitempty"`
}

// Full is a campaign as administrators see it.
type Full struct {
	Seller
	DaysInactive int64         `json:"daysInactive"`
	DaysValid    int64         `json:"daysValid"`
	HasPhoto     bool          `json:"hasPhoto"`
	BrandIcon    bool          `json:"brandIcon"`
	Translations []Translation `json:"translations"`
	Photos       *[]photo      `json:"photos,omitempty"` // of details
}

// public is a campaign as everybody sees it.
type public struct {
	Name                          string             `json:"name,omitempty"`
	BrandIcon                     bool               `json:"brandIcon"`
	RewardCampaignID              string             `json:"rewardCampaignId"`
	CampaignID                    string             `json:"campaignId"`
	Reward                        string             `json:"reward"`
	Active                        bool               `json:"active"`
	CostInPoints                  decimal.Hundredths `json:"costInPoints"`
	SingleCoupon                  bool               `json:"singleCoupon"`
	Unlimited                     bool               `json:"unlimited"`
	Limit                         *int64             `json:"limit,omitempty"`
	LimitPerUser                  *int64             `json:"limitPerUser,omitempty"`
	LimitPerUserPeriod            string             `json:"limitPerUserPeriod,omitempty"`
	LimitPeriod                   string             `json:"limitPeriod,omitempty"`
	CampaignActivity              activity           `json:"campaignActivity"`
	CampaignVisibility            visibility         `json:"campaignVisibility"`
	Labels                        []Label            `json:"labels"`
	DaysInactive                  int64              `json:"daysInactive"`
	DaysValid                     int64              `json:"daysValid"`
	Featured                      bool               `json:"featured"`
	Photos                        []photo            `json:"photos"`
	Public                        bool               `json:"public"`
	FulfillmentTracking           bool               `json:"fulfillmentTracking"`
	CreatedAt                     string             `json:"createdAt"`
	Translations                  []Translation      `json:"translations"`
	SegmentNames                  api.Names          `json:"segmentNames"`
	LevelNames                    api.Names          `json:"levelNames"`
	CategoryNames                 api.Names          `json:"categoryNames"`
	UsageLeft                     int64              `json:"usageLeft"`
	VisibleForCustomersCount      int64              `json:"visibleForCustomersCount"`
	UsersWhoUsedThisCampaignCount int64              `json:"usersWhoUsedThisCampaignCount"`
	BrandDescription              *string            `json:"brandDescription"` // these four can be null
	ShortDescription              *string            `json:"shortDescription"`
	ConditionsDescription         *string            `json:"conditionsDescription"`
	UsageInstruction              *string            `json:"usageInstruction"`
}

// photo is the JSON of a photo. Clients expect the spelling orginalName.
type photo struct {
	PhotoID     string `json:"photoId"`
	Path        string `json:"path"`
	OrginalName string `json:"orginalName"`
	MIMEType    string `json:"mimeType"`
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

// Reduced returns the view for customers.
func (v *Viewer) Reduced(c *Campaign, k Counters) Reduced {
	r := Reduced{
		CampaignID: c.ID, Reward: c.Reward.Name, Name: c.Name(v.Locale), Active: c.Active, CostInPoints: c.Cost,
		SingleCoupon: c.SingleCoupon, Unlimited: c.Unlimited,
		CampaignActivity:   activity{AllTimeActive: c.Activity.AllTime},
		CampaignVisibility: visibility{AllTimeVisible: c.Visibility.AllTime},
		SegmentNames:       api.NamesOf(c.Definition.Segments, v.segments), LevelNames: api.Names{},
		UsageLeft: c.UsageLeft(k), VisibleForCustomersCount: v.sizes[c.ID], UsersWhoUsedThisCampaignCount: k.Customers,
	}
	if !c.Unlimited {
		r.Limit, r.LimitPerUser, r.LimitPerUserPeriod = &c.Limit, &c.LimitPerUser, c.LimitPeriod
		r.LimitPeriod = c.TotalPeriod
	}
	if !c.Activity.AllTime {
		r.CampaignActivity.ActiveFrom, r.CampaignActivity.ActiveTo = v.span(c.Activity)
	}
	if !c.Visibility.AllTime {
		r.CampaignVisibility.VisibleFrom, r.CampaignVisibility.VisibleTo = v.span(c.Visibility)
	}
	for _, id := range c.Definition.LevelIDs(v.Levels) {
		if l := level.Find(v.Levels, id); l != nil {
			r.LevelNames[id] = l.Name(v.Locale)
		}
	}
	return r
}

func (v *Viewer) span(w Window) (from, to *string) {
	return api.OptionalTimestamp(w.From, v.Store.Zone), api.OptionalTimestamp(w.To, v.Store.Zone)
}

// Seller returns the view for sellers. Nil codes are left out.
func (v *Viewer) Seller(c *Campaign, k Counters, codes []string) Seller {
	d, texts := &c.Definition, v.descriptions(c)
	s := Seller{
		Reduced: v.Reduced(c, k), RewardCampaignID: c.ID,
		ShortDescription: texts.short, ConditionsDescription: texts.conditions, UsageInstruction: texts.usage,
		BrandDescription: texts.brand, BrandName: c.Text(v.Locale, func(t *Translation) string { return t.BrandName }),
		CashbackProvider: d.CashbackProvider,
		Everybody:        d.Everybody,
		Levels:           d.LevelIDs(v.Levels), Segments: append([]string{}, d.Segments...),
		Categories: append([]string{}, d.Categories...), CategoryNames: api.NamesOf(d.Categories, v.categories),
		Labels:              append([]Label{}, d.Labels...),
		MoreInformationLink: d.MoreInformationLink, PushNotificationText: d.PushNotificationText,
		RewardValue: d.RewardValue, MinimumBasket: d.MinimumBasket, Basket: d.Basket,
		Tax: d.Tax, TaxPriceValue: d.TaxPriceValue,
		Featured: c.Featured, Public: c.Public,
		FulfillmentTracking: d.FulfillmentTracking, ConnectType: d.ConnectType, EarningRuleID: d.EarningRuleID,
		Details: d.Details, CreatedAt: api.Timestamp(c.CreatedAt, v.Store.Zone),
		ArchivedAt: api.OptionalTimestamp(c.ArchivedAt, v.Store.Zone),
	}
	if codes != nil {
		s.Coupons = &codes
	}
	if c.Reward.View != nil {
		c.Reward.View(d, &s)
	}
	if !c.Activity.AllTime && !c.ActiveAt(v.Now) {
		s.WillBeActiveFrom, s.WillBeActiveTo = v.span(c.Activity)
	}
	return s
}

// Presented returns the view for customers with texts and pictures.
func (v *Viewer) Presented(c *Campaign, k Counters) Presented {
	s := v.Seller(c, k, nil)
	return Presented{
		Reduced: s.Reduced, ShortDescription: s.ShortDescription, ConditionsDescription: s.ConditionsDescription,
		UsageInstruction: s.UsageInstruction, BrandDescription: s.BrandDescription, BrandName: s.BrandName,
		MoreInformationLink: s.MoreInformationLink, RewardValue: s.RewardValue,
		MinimumBasket: s.MinimumBasket, PointValue: s.PointValue,
		Percentage: s.Percentage, DaysInactive: c.DaysInactive, DaysValid: c.DaysValid, Featured: c.Featured,
		Categories: s.Categories, BrandIcon: c.Definition.Icon != nil, Photos: photos(c),
	}
}

// Full returns the view for administrators.
func (v *Viewer) Full(c *Campaign, k Counters, codes []string) Full {
	return Full{
		Seller: v.Seller(c, k, codes), DaysInactive: c.DaysInactive, DaysValid: c.DaysValid,
		HasPhoto: len(c.Definition.Photos) > 0, BrandIcon: c.Definition.Icon != nil,
		Translations: append([]Translation{}, c.Definition.Translations...),
	}
}

// details is Full with photos.
func (v *Viewer) details(c *Campaign, k Counters, codes []string) Full {
	full, all := v.Full(c, k, codes), photos(c)
	full.Photos = &all
	return full
}

func photos(c *Campaign) []photo {
	all := make([]photo, len(c.Definition.Photos))
	for i, p := range c.Definition.Photos {
		all[i] = photo{p.ID, "campaign_photos/" + p.ID, p.Name, p.MIMEType}
	}
	return all
}

// public returns the view for everybody.
func (v *Viewer) public(c *Campaign, k Counters) public {
	r, d, texts := v.Reduced(c, k), &c.Definition, v.descriptions(c)
	return public{
		Name: r.Name, BrandIcon: d.Icon != nil, RewardCampaignID: c.ID, CampaignID: c.ID, Reward: c.Reward.Name,
		Active: c.Active, CostInPoints: c.Cost, SingleCoupon: c.SingleCoupon, Unlimited: c.Unlimited,
		Limit: r.Limit, LimitPerUser: r.LimitPerUser, LimitPerUserPeriod: r.LimitPerUserPeriod,
		LimitPeriod:        r.LimitPeriod,
		CampaignActivity:   r.CampaignActivity,
		CampaignVisibility: r.CampaignVisibility, Labels: append([]Label{}, d.Labels...),
		DaysInactive: c.DaysInactive, DaysValid: c.DaysValid, Featured: c.Featured, Photos: photos(c), Public: c.Public,
		FulfillmentTracking: d.FulfillmentTracking, CreatedAt: api.Timestamp(c.CreatedAt, v.Store.Zone),
		Translations: append([]Translation{}, d.Translations...),
		SegmentNames: r.SegmentNames, LevelNames: r.LevelNames, CategoryNames: api.NamesOf(d.Categories, v.categories),
		UsageLeft: r.UsageLeft, VisibleForCustomersCount: r.VisibleForCustomersCount,
		UsersWhoUsedThisCampaignCount: r.UsersWhoUsedThisCampaignCount,
		BrandDescription:              orNull(texts.brand), ShortDescription: orNull(texts.short),
		ConditionsDescription: orNull(texts.conditions), UsageInstruction: orNull(texts.usage),
	}
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// descriptions are the texts that format=html renders.
type descriptions struct{ short, conditions, usage, brand string }

func (v *Viewer) descriptions(c *Campaign) descriptions {
	text := func(field func(*Translation) string) string {
		if text := c.Text(v.Locale, field); v.HTML {
			return rendered.of(text)
		} else {
			return text
		}
	}
	return descriptions{
		short:      text(func(t *Translation) string { return t.ShortDescription }),
		conditions: text(func(t *Translation) string { return t.ConditionsDescription }),
		usage:      text(func(t *Translation) string { return t.UsageInstruction }),
		brand:      text(func(t *Translation) string { return t.BrandDescription }),
	}
}
