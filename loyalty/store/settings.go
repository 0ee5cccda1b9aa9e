package store

import (
	"encoding/json"

	"punchcard/platform/decimal"
)

// Points expiry modes (docs/behaviour/points.md#expiry), and what levels measure.
const (
	ExpiryNever      = "all_time_active"
	ExpiryAfterDays  = "after_x_days"
	ExpiryMonthEnd   = "at_the_end_of_the_month"
	ExpiryYearEnd    = "at_the_end_of_the_year"
	TierTransactions = "transactions"
	TierPoints       = "points"
)

// How points may cost a level, and what is then measured: docs/behaviour/levels.md.
const (
	DowngradeNever     = "none"
	DowngradeAtOnce    = "automatic"
	DowngradeAfterDays = "after_x_days"

	BaseNone              = "none"
	BaseActivePoints      = "active_points"
	BaseEarnedPoints      = "earned_points"
	BaseEarnedSinceChange = "earned_points_since_last_level_change"
)

// The fields of Identification.
const (
	ByEmail       = "email"
	ByLoyaltyCard = "loyaltyCardNumber"
	ByPhone       = "phone"
)

// The values of CashbackRounding.
const (
	RoundHalfUp = "half_up"
	RoundDown   = "down"
)

// The values of CommunicationMethod.
const (
	ByMail = "email"
	BySMS  = "sms"
)

// Settings are a store's switches, under the names and in the order of the settings endpoint. A number
// that is not set is 0 and left out.
type Settings struct {
	Timezone              string `json:"timezone"`
	ProgramName           string `json:"programName"`
	ProgramPointsSingular string `json:"programPointsSingular"`
	ProgramPointsPlural   string `json:"programPointsPlural"`
	ProgramConditionsURL  string `json:"programConditionsUrl"`
	ProgramFAQURL         string `json:"programFaqUrl"`
	ProgramURL            string `json:"programUrl"`
	HelpEmailAddress      string `json:"helpEmailAddress"`

	// Returns tells whether returned goods take the points of their sale back.
	Returns               bool   `json:"returns"`
	PointsDaysExpiryAfter string `json:"pointsDaysExpiryAfter"`
	PointsDaysActiveCount int    `json:"pointsDaysActiveCount,omitempty"` // days, with after_x_days
	AllTimeNotLocked      bool   `json:"allTimeNotLocked"`
	PointsDaysLocked      int    `json:"pointsDaysLocked,omitempty"` // days, unless AllTimeNotLocked

	TierAssignType string `json:"tierAssignType"`
	// ExcludeDeliveryCosts leaves the SKUs of delivery out of what levels measure, with TierTransactions.
	ExcludeDeliveryCosts    bool     `json:"excludeDeliveryCostsFromTierAssignment"`
	ExcludedDeliverySKUs    []string `json:"excludedDeliverySKUs"`
	ExcludedLevelSKUs       []string `json:"excludedLevelSKUs"`
	ExcludedLevelCategories []string `json:"excludedLevelCategories"`
	// LevelDowngradeMode and what belongs to it count with TierPoints only.
	LevelDowngradeMode string `json:"levelDowngradeMode"`
	LevelDowngradeDays int    `json:"levelDowngradeDays,omitempty"` // with after_x_days
	LevelDowngradeBase string `json:"levelDowngradeBase"`
	LevelResetPoints   bool   `json:"levelResetPointsOnDowngrade"` // with active_points: all points expire then

	// Identification lists by which fields a purchase finds its customer.
	Identification          []Identification `json:"customersIdentificationPriority"`
	AllowsProfileEditing    bool             `json:"allowCustomersProfileEdits"`
	AccountActivationNeeded bool             `json:"accountActivationRequired"`
	CommunicationMethod     string           `json:"preferredCommunicationMethod"` // email or sms
	// MaxPointsRedeemed is how many points a customer may exchange for money in a day; nil for any number.
	MaxPointsRedeemed *decimal.Hundredths `json:"maxPointsRedeemed,omitempty"`
	// MinPointsRedeemed is the fewest points that one redemption may exchange for money; 0 for any number.
	MinPointsRedeemed decimal.Hundredths `json:"minPointsRedeemed,omitempty"`
	// CashbackRounding says how the money of a cashback is rounded to the smallest unit: half_up or down.
	CashbackRounding string `json:"cashbackRounding"`

	// Days before the end of points, coupons and levels at which the customer is notified.
	ExpirePointsNotificationDays  int `json:"expirePointsNotificationDays"`
	ExpireCouponsNotificationDays int `json:"expireCouponsNotificationDays"`
	ExpireLevelsNotificationDays  int `json:"expireLevelsNotificationDays"`

	Webhooks           bool   `json:"webhooks"`
	WebhookURI         string `json:"uriWebhooks"`
	WebhookHeaderName  string `json:"webhookHeaderName"`
	WebhookHeaderValue string `json:"webhookHeaderValue"`

	// CashbackCallbackSecret signs what a payment provider reports; empty lets unsigned reports in. It is never shown.
	CashbackCallbackSecret string `json:"cashbackCallbackSecret,omitempty"`
	// CashbackProviderURL is the address of the payment provider that receives cashbacks; empty when persons pay
	// them. CashbackProviderSecret signs the calls to it, and is never shown.
	CashbackProviderURL    string `json:"cashbackProviderUrl,omitempty"`
	CashbackProviderSecret string `json:"cashbackProviderSecret,omitempty"`

	MarketingVendor  string      `json:"marketingVendorsValue"` // stored only, as SalesManago
	SalesManago      SalesManago `json:"sales_manago"`
	PushySecretKey   string      `json:"pushySecretKey"`
	AccentColor      string      `json:"accentColor"`
	CSSTemplate      string      `json:"cssTemplate"`
	StatusesEarning  []string    `json:"customerStatusesEarning"`  // stored only: active customers earn
	StatusesSpending []string    `json:"customerStatusesSpending"` // stored only: active customers spend

	CustomerMayUnmarkCoupons bool `json:"customerMayUnmarkCoupons"`
	// CustomersMaySetLabels lets customers choose their own labels, and with them the segments that ask for labels.
	CustomersMaySetLabels bool `json:"customersMaySetLabels"`
	// CustomersMayClaimReceipts lets customers claim any receipt that belongs to nobody by its number; otherwise it
	// has to carry their e-mail address, phone or loyalty card.
	CustomersMayClaimReceipts bool `json:"customersMayClaimReceipts"`
	// SegmentPartsAreAlternatives joins the parts of a segment by OR and the criteria of a part by AND; else it
	// is the other way round.
	SegmentPartsAreAlternatives bool `json:"segmentPartsAreAlternatives"`
}

// Identification is a field by which a purchase finds its customer; the lowest priority comes first.
type Identification struct {
	Priority int    `json:"priority"`
	Field    string `json:"field"`
}

// SalesManago is how a marketing vendor would be reached.
type SalesManago struct {
	APIURL     string `json:"api_url"`
	APIKey     string `json:"api_key"`
	APISecret  string `json:"api_secret"`
	CustomerID string `json:"customer_id"`
	Email      string `json:"email"`
}

// Verifies tells whether the store makes sure that customers own what the field of Identification holds: their
// accounts need activation, and CommunicationMethod is how it is done.
func (s *Settings) Verifies(field string) bool {
	return s.AccountActivationNeeded &&
		(field == ByEmail && s.CommunicationMethod == ByMail || field == ByPhone && s.CommunicationMethod == BySMS)
}

// DefaultSettings are those of a new store; UTC unless the installation says otherwise.
func DefaultSettings() Settings {
	return Settings{
		Timezone: "UTC", ProgramName: "Loyalty program", ProgramPointsSingular: "point", ProgramPointsPlural: "points",
		Returns: true, PointsDaysExpiryAfter: ExpiryAfterDays, PointsDaysActiveCount: 30, AllTimeNotLocked: true,
		TierAssignType: TierTransactions, ExcludedDeliverySKUs: []string{}, ExcludedLevelSKUs: []string{},
		ExcludedLevelCategories: []string{}, LevelDowngradeMode: DowngradeNever, LevelDowngradeBase: BaseNone,
		Identification:       []Identification{{1, ByEmail}, {2, ByLoyaltyCard}, {3, ByPhone}},
		AllowsProfileEditing: true, AccountActivationNeeded: true, CommunicationMethod: ByMail,
		CashbackRounding:             RoundHalfUp,
		ExpirePointsNotificationDays: 10, ExpireCouponsNotificationDays: 10, ExpireLevelsNotificationDays: 10,
		MarketingVendor: "none", StatusesEarning: []string{"active"}, StatusesSpending: []string{"active"},
	}
}

// UnmarshalJSON gives what the text does not have its default: a store that is older than a setting.
func (s *Settings) UnmarshalJSON(text []byte) error {
	type plain Settings // without this method
	known := plain(DefaultSettings())
	err := json.Unmarshal(text, &known)
	*s = Settings(known)
	return err
}
