package store

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"punchcard/platform/calendar"
	"punchcard/platform/decimal"
	"punchcard/platform/outbound"
)

// Points expiry modes (docs/behaviour/points.md#expiry), and what levels are based on.
const (
	ExpiryNever      = "all_time_active"
	ExpiryAfterDays  = "after_x_days"
	ExpiryMonthEnd   = "at_the_end_of_the_month"
	ExpiryYearEnd    = "at_the_end_of_the_year"
	TierTransactions = "transactions"
	TierPoints       = "points"
)

// When customers lose a level, and on which points that is based: docs/behaviour/levels.md.
const (
	DowngradeNever     = "none"
	DowngradeAtOnce    = "automatic"
	DowngradeAfterDays = "after_x_days"

	BaseNone              = "none"
	BaseActivePoints      = "active_points"
	BaseEarnedPoints      = "earned_points"
	BaseEarnedSinceChange = "earned_points_since_last_level_change"
)

// Fields of Identification.
const (
	ByEmail       = "email"
	ByLoyaltyCard = "loyaltyCardNumber"
	ByPhone       = "phone"
)

// Values of CashbackRounding.
const (
	RoundHalfUp = "half_up"
	RoundDown   = "down"
)

// Values of PointsRounding.
const (
	PointsHundredths = "hundredths"
	PointsHalfUp     = "half_up" // whole points
	PointsFloor      = "floor"   // whole points
)

// Values of CommunicationMethod.
const (
	ByMail = "email"
	BySMS  = "sms"
)

// Settings are the settings of a store, with the names and in the order of the settings endpoint. A number that is not
// set is 0 and left out.
type Settings struct {
	Timezone              string `json:"timezone"`
	Country               string `json:"country"` // of phones without a country code: two letters, empty for none
	ProgramName           string `json:"programName"`
	ProgramPointsSingular string `json:"programPointsSingular"`
	ProgramPointsPlural   string `json:"programPointsPlural"`
	ProgramConditionsURL  string `json:"programConditionsUrl"`
	ProgramFAQURL         string `json:"programFaqUrl"`
	ProgramURL            string `json:"programUrl"`
	HelpEmailAddress      string `json:"helpEmailAddress"`
	// PublicURL is where the server is reached for the store, without a slash at its end; empty for that of the server.
	PublicURL string `json:"publicUrl,omitempty"`
	// MessageLinksURL is the origin of the pages that links in messages to customers and sellers open; empty for
	// PublicURL.
	MessageLinksURL string `json:"messageLinksUrl,omitempty"`
	// EmbedOrigins are the origins of other sites that may show the page /embed of the store; none by default.
	EmbedOrigins []string `json:"embedOrigins,omitempty"`

	// Returns makes a return take back the points of its sale.
	Returns bool `json:"returns"`
	// PointsRounding is how the points that rules give, and what a return leaves of them, are rounded.
	PointsRounding        string `json:"pointsRounding"`
	PointsDaysExpiryAfter string `json:"pointsDaysExpiryAfter"`
	PointsDaysActiveCount int    `json:"pointsDaysActiveCount,omitempty"` // days, with after_x_days
	AllTimeNotLocked      bool   `json:"allTimeNotLocked"`
	PointsDaysLocked      int    `json:"pointsDaysLocked,omitempty"` // days, unless AllTimeNotLocked

	// PointCost is the money that a point costs the store, in reports of what it owes; 0 for points only.
	PointCost decimal.Rate `json:"pointCost,omitempty"`
	// PointCosts are the costs by the day since when each counts, the oldest first. The store keeps them.
	PointCosts []PointCost `json:"pointCosts,omitempty"`

	TierAssignType string `json:"tierAssignType" enum:"points,transactions"`
	// ExcludeDeliveryCosts excludes the SKUs of delivery from what levels are based on, with TierTransactions.
	ExcludeDeliveryCosts    bool     `json:"excludeDeliveryCostsFromTierAssignment"`
	ExcludedDeliverySKUs    []string `json:"excludedDeliverySKUs"`
	ExcludedLevelSKUs       []string `json:"excludedLevelSKUs"`
	ExcludedLevelCategories []string `json:"excludedLevelCategories"`
	// LevelDowngradeMode and the settings for it apply only with TierPoints.
	LevelDowngradeMode string `json:"levelDowngradeMode"`
	LevelDowngradeDays int    `json:"levelDowngradeDays,omitempty"` // with after_x_days
	LevelDowngradeBase string `json:"levelDowngradeBase"`
	LevelResetPoints   bool   `json:"levelResetPointsOnDowngrade"` // with active_points: all points expire then

	// Identification lists the fields by which receipts are matched with customers.
	Identification          []Identification `json:"customersIdentificationPriority"`
	AllowsProfileEditing    bool             `json:"allowCustomersProfileEdits"`
	AccountActivationNeeded bool             `json:"accountActivationRequired"`
	CommunicationMethod     string           `json:"preferredCommunicationMethod"` // email or sms
	// RevealAccounts tells who asks for a new password whether the account exists, and whether it was asked for already.
	RevealAccounts bool `json:"revealAccounts"`
	// ConfirmContactChange makes a customer's own new e-mail address or phone wait until they confirm it.
	ConfirmContactChange bool `json:"confirmContactChange"`
	// MaxPointsRedeemed is how many points a customer can exchange for money in a day; nil for no limit.
	MaxPointsRedeemed *decimal.Hundredths `json:"maxPointsRedeemed,omitempty"`
	// MinPointsRedeemed is the minimum of points that can be exchanged for money at once; 0 for no minimum.
	MinPointsRedeemed decimal.Hundredths `json:"minPointsRedeemed,omitempty"`
	// CashbackRounding is how the money of a cashback is rounded to the smallest unit.
	CashbackRounding string `json:"cashbackRounding"`

	// How many days before points, coupons and levels end the customer is notified.
	ExpirePointsNotificationDays  int `json:"expirePointsNotificationDays"`
	ExpireCouponsNotificationDays int `json:"expireCouponsNotificationDays"`
	ExpireLevelsNotificationDays  int `json:"expireLevelsNotificationDays"`

	// BirthdayMessageDays is how many days before their birthday customers get a message.
	BirthdayMessageDays int `json:"birthdayMessageDays,omitempty"`
	// WinBackDays is after how many days without a purchase customers get a message; 0 for never.
	WinBackDays int `json:"winBackDays,omitempty"`
	// OccasionMessagesAt is the time of day in the store's zone, HH:MM, at which these messages are queued; empty for
	// defaultOccasionTime.
	OccasionMessagesAt string `json:"occasionMessagesAt,omitempty"`
	// Between these times of the day in the store's zone, HH:MM, no marketing messages are sent; equal for no such time.
	MessagesQuietFrom  string `json:"messagesQuietFrom,omitempty"`
	MessagesQuietUntil string `json:"messagesQuietUntil,omitempty"`
	// MarketingMessagesMost is how many messages of mailings and journeys a customer gets in MarketingMessagesDays days; 0
	// for any number.
	MarketingMessagesMost int `json:"marketingMessagesMost,omitempty"`
	MarketingMessagesDays int `json:"marketingMessagesDays,omitempty"`

	Webhooks           bool   `json:"webhooks"`
	WebhookURI         string `json:"uriWebhooks"`
	WebhookHeaderName  string `json:"webhookHeaderName"`
	WebhookHeaderValue string `json:"webhookHeaderValue"`

	// CashbackCallbackSecret signs callbacks of the payment provider; empty accepts unsigned ones. It is never shown.
	CashbackCallbackSecret string `json:"cashbackCallbackSecret,omitempty"`
	// CashbackProviderURL is the address of the payment provider that pays cashbacks; empty if people pay them.
	// CashbackProviderSecret signs the calls to it, and is never shown.
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
	// PurchaseCancelDays is for how many days after a purchase staff can cancel it; 0 for never.
	PurchaseCancelDays int `json:"purchaseCancelDays"`
	// CouponsEndWithDay lets coupons that are valid for some days end with the last of them, instead of at the time of day
	// at which they were bought.
	CouponsEndWithDay bool `json:"couponsEndWithDay"`
	// CancelledCodesSoldAgain sells the code of a cancelled purchase to another customer.
	CancelledCodesSoldAgain bool `json:"cancelledCodesSoldAgain"`
	// CustomersMaySetLabels lets customers set their labels, and thereby choose segments with label criteria.
	CustomersMaySetLabels bool `json:"customersMaySetLabels"`
	// CustomersMayClaimReceipts lets customers claim any receipt without a customer by its number. Otherwise the
	// receipt must contain their e-mail address, phone or loyalty card.
	CustomersMayClaimReceipts bool `json:"customersMayClaimReceipts"`
	// IssueLoyaltyCards lets clients have a loyalty card number made for a customer, at the registration or later.
	IssueLoyaltyCards bool `json:"issueLoyaltyCardNumbers"`
	// SegmentPartsAreAlternatives joins the parts of a segment by OR and the criteria of a part by AND, instead of
	// the other way round.
	SegmentPartsAreAlternatives bool `json:"segmentPartsAreAlternatives"`
	// ViewsNotAudited leaves the views of customers by administrators and sellers out of the audit log.
	ViewsNotAudited bool `json:"customerViewsNotAudited,omitempty"`
}

// Identification is a field by which receipts are matched with customers. The lowest priority comes first.
type Identification struct {
	Priority int    `json:"priority"`
	Field    string `json:"field"`
}

// SalesManago is the configuration of a marketing vendor. It is stored and shown only.
type SalesManago struct {
	APIURL     string `json:"api_url"`
	APIKey     string `json:"api_key"`
	APISecret  string `json:"api_secret"`
	CustomerID string `json:"customer_id"`
	Email      string `json:"email"`
}

// Verifies returns whether the store verifies that a customer owns the contact in a field of Identification: accounts
// need activation, and CommunicationMethod uses that field.
func (s *Settings) Verifies(field string) bool {
	return s.AccountActivationNeeded &&
		(field == ByEmail && s.CommunicationMethod == ByMail || field == ByPhone && s.CommunicationMethod == BySMS)
}

// defaultOccasionTime is when messages on birthdays and after a long time without a purchase are queued.
const defaultOccasionTime = "09:00"

// OccasionTime returns OccasionMessagesAt or its default.
func (s *Settings) OccasionTime() string { return cmp.Or(s.OccasionMessagesAt, defaultOccasionTime) }

// DefaultSettings are the settings of the first store.
func DefaultSettings() Settings {
	return Settings{
		Timezone: "UTC", ProgramName: "Loyalty program", ProgramPointsSingular: "point", ProgramPointsPlural: "points",
		Returns: true, PointsRounding: PointsHundredths,
		PointsDaysExpiryAfter: ExpiryAfterDays, PointsDaysActiveCount: 30, AllTimeNotLocked: true,
		TierAssignType: TierTransactions, ExcludedDeliverySKUs: []string{}, ExcludedLevelSKUs: []string{},
		ExcludedLevelCategories: []string{}, LevelDowngradeMode: DowngradeNever, LevelDowngradeBase: BaseNone,
		Identification:       []Identification{{1, ByEmail}, {2, ByLoyaltyCard}, {3, ByPhone}},
		AllowsProfileEditing: true, AccountActivationNeeded: true, CommunicationMethod: ByMail,
		CashbackRounding: RoundHalfUp, PurchaseCancelDays: 14,
		ExpirePointsNotificationDays: 10, ExpireCouponsNotificationDays: 10, ExpireLevelsNotificationDays: 10,
		IssueLoyaltyCards: true,
		MarketingVendor:   "none", StatusesEarning: []string{"active"}, StatusesSpending: []string{"active"},
	}
}

// UnmarshalJSON uses the default of a setting that the text lacks, for stores that are older than a setting.
func (s *Settings) UnmarshalJSON(text []byte) error {
	type plain Settings // without this method
	known := plain(DefaultSettings())
	err := json.Unmarshal(text, &known)
	*s = Settings(known)
	return err
}

// LeaveProvider removes the payment provider and its secrets, which belong to one store only. Where callbacks had to be
// signed they still have to: the new secret is known to nobody, so all are refused until the store gets one.
func (s *Settings) LeaveProvider() {
	s.CashbackProviderURL, s.CashbackProviderSecret = "", ""
	if s.CashbackCallbackSecret != "" {
		s.CashbackCallbackSecret = outbound.NewSecret()
	}
}

// PointCost is a cost of points with the first day on which it counts, in the zone of the store.
type PointCost struct {
	From string       `json:"from"` // YYYY-MM-DD
	Cost decimal.Rate `json:"cost"`
}

// PointCostsLimit is the maximal number of costs of points that a store keeps: the latest ones.
const PointCostsLimit = 366

// NotePointCost keeps a changed cost of points since today.
func (s *Settings) NotePointCost(today calendar.Day) {
	costs := slices.Clone(s.PointCosts)
	if n := len(costs); n > 0 && costs[n-1].From == today.String() {
		costs = costs[:n-1]
	}
	costs = append(costs, PointCost{today.String(), s.PointCost})
	s.PointCosts = costs[max(0, len(costs)-PointCostsLimit):]
}

// PointCostAt returns the cost of points on a day. Before the first one, that one counts.
func (s *Settings) PointCostAt(day calendar.Day) decimal.Rate {
	cost := decimal.Rate(0)
	for i, one := range s.PointCosts {
		if i == 0 || one.From <= day.String() {
			cost = one.Cost
		}
	}
	return cost
}

// IsOrigin reports whether a text is https, a host and perhaps a port, as browsers write the origin of a page.
func IsOrigin(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && u.Hostname() != "" && u.User == nil && text == "https://"+u.Host &&
		!strings.ContainsFunc(u.Host, notInHost)
}

// notInHost reports whether the host of an origin cannot have the character. Others would end the list of origins in a
// header.
func notInHost(c rune) bool {
	return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789.-:[]", c)
}

// IsEmbedOrigin reports whether a text is an origin that may frame the page for other sites. A developer's own machine
// needs no https.
func IsEmbedOrigin(text string) bool {
	host, local := strings.CutPrefix(text, "http://")
	if local {
		name, _, _ := strings.Cut(host, ":")
		local = name == "localhost" || name == "127.0.0.1"
	}
	return text != "" && (IsOrigin(text) || local && IsOrigin("https://"+host))
}

// IsPublicURL reports whether a text can be the base of links: http or https, a host, and at most a path.
func IsPublicURL(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" &&
		u.User == nil && u.RawQuery == "" && u.Fragment == "" && strings.TrimSpace(text) == text
}
