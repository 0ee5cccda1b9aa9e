package storeapi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/branding"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

const (
	dayLimit  = 36_500 // a hundred years
	textLimit = 65_535 // characters of a long text

	pointCostLimit = 1_000_000 // in the currency

	// MaxEmbedOrigins is the maximal number of sites that may frame the page of a store.
	MaxEmbedOrigins = 20

	// MaxMarketingMessages is the largest frequency cap, in messages.
	MaxMarketingMessages = 100
	// MaxMarketingDays is the longest time of a frequency cap, in days.
	MaxMarketingDays = 365
)

var (
	zoneRule    = form.Matches(form.Invalid("not_a_time_zone"), isZone)
	countryRule = form.Matches(form.UnknownChoice, isCountry)
	secretRule  = form.Matches(form.Invalid("not_a_signing_secret"), outbound.IsSecret)
	lineRule    = form.Matches(form.Invalid("not_a_header_value"), isHeaderValue)
	timeRule    = form.Matches(form.Invalid("not_a_time_of_day"), isTimeOfDay)
	originRule  = form.Matches(form.Invalid("not_an_origin"), store.IsOrigin)
	embedRule   = form.Matches(form.Invalid("not_an_origin"), store.IsEmbedOrigin)
	colorRule   = form.Matches(form.Invalid("not_a_color"), branding.IsColor)
	statusRule  = form.Matches(form.UnknownChoice, func(text string) bool { return slices.Contains(statuses, text) })
)

// isZone accepts the names of the time zone database. "Local" is the zone of the machine.
func isZone(text string) bool {
	_, err := time.LoadLocation(text)
	return err == nil && text != "Local"
}

// isTimeOfDay accepts HH:MM.
func isTimeOfDay(text string) bool {
	at, err := time.Parse("15:04", text)
	return text == "" || err == nil && at.Format("15:04") == text
}

func isHeaderValue(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f })
}

// settingsForm reads keys over their current values. A checkbox that is not sent becomes false; any other key that is
// not sent keeps its value.
type settingsForm struct {
	*form.Group
	client *outbound.Client // that calls the addresses among the settings
}

func describeSettings(client *outbound.Client) func(g *form.Group) {
	return func(g *form.Group) {
		settings := store.DefaultSettings()
		readSettings(g, client, &settings)
	}
}

// readSettings reads every key of the form into s, which holds the current settings.
func readSettings(g *form.Group, client *outbound.Client, s *store.Settings) {
	f := settingsForm{g, client}
	f.Ignore("currency", "pointCosts") // fixed at creation; kept by the store
	f.program(s)
	f.points(s)
	f.levels(s)
	f.customers(s)
	f.messages(s)
	f.vendors(s)
	s.CustomerMayUnmarkCoupons = f.Checkbox("customerMayUnmarkCoupons")
	f.number("purchaseCancelDays", &s.PurchaseCancelDays, form.AtLeast(0))
	f.newer("couponsEndWithDay", &s.CouponsEndWithDay)
	f.newer("cancelledCodesSoldAgain", &s.CancelledCodesSoldAgain)
	s.CustomersMaySetLabels = f.Checkbox("customersMaySetLabels")
	s.CustomersMayClaimReceipts = f.Checkbox("customersMayClaimReceipts")
	f.newer("issueLoyaltyCardNumbers", &s.IssueLoyaltyCards)
	f.newer("revealAccounts", &s.RevealAccounts)
	f.newer("confirmContactChange", &s.ConfirmContactChange)
	s.SegmentPartsAreAlternatives = f.Checkbox("segmentPartsAreAlternatives")
	s.ViewsNotAudited = f.Checkbox("customerViewsNotAudited")
}

func (f settingsForm) program(s *store.Settings) {
	f.text("timezone", &s.Timezone, form.NotBlank, zoneRule)
	f.text("country", &s.Country, countryRule)
	f.programName(s)
	f.text("programConditionsUrl", &s.ProgramConditionsURL, form.URL, form.MaxLength(nameLimit))
	f.text("programFaqUrl", &s.ProgramFAQURL, form.URL, form.MaxLength(nameLimit))
	f.text("programUrl", &s.ProgramURL, form.URL, form.MaxLength(nameLimit))
	f.text("helpEmailAddress", &s.HelpEmailAddress, form.Email, form.MaxLength(nameLimit))
	f.text("publicUrl", &s.PublicURL, form.URL, form.MaxLength(nameLimit), form.Matches(form.NotAURL, store.IsPublicURL))
	s.PublicURL = strings.TrimRight(s.PublicURL, "/")
	f.text("messageLinksUrl", &s.MessageLinksURL, form.MaxLength(nameLimit), originRule)
	f.list("embedOrigins", &s.EmbedOrigins, form.MaxLength(nameLimit), embedRule)
	f.need("embedOrigins", len(s.EmbedOrigins) > MaxEmbedOrigins, form.Invalid("too_many_origins"))
}

// programName reads what the program and its points are called.
func (f settingsForm) programName(s *store.Settings) {
	f.text("programName", &s.ProgramName, form.NotBlank, form.MaxLength(nameLimit))
	f.text("programPointsSingular", &s.ProgramPointsSingular, form.NotBlank, form.MaxLength(nameLimit))
	f.text("programPointsPlural", &s.ProgramPointsPlural, form.NotBlank, form.MaxLength(nameLimit))
}

// points reads the settings of expiry. Older clients send allTimeActive instead of an expiry mode, and
// pointsDaysActive for the days.
func (f settingsForm) points(s *store.Settings) {
	s.Returns = f.Checkbox("returns")
	if f.Submitted("allTimeActive") && !f.Submitted("pointsDaysExpiryAfter") {
		switch {
		case f.Checkbox("allTimeActive"):
			s.PointsDaysExpiryAfter = store.ExpiryNever
		case s.PointsDaysExpiryAfter == store.ExpiryNever:
			s.PointsDaysExpiryAfter = store.ExpiryAfterDays
		}
	}
	f.choice("pointsRounding", &s.PointsRounding, pointRoundings)
	f.choice("pointsDaysExpiryAfter", &s.PointsDaysExpiryAfter, expiryModes)
	cost := decimal.Rate(f.Decimal("pointCost", decimal.RateDigits, form.AtLeast(0),
		form.LessThan(pointCostLimit*decimal.OneRate), form.AtMostDigits(decimal.RateDigits)))
	if f.Submitted("pointCost") {
		s.PointCost = cost
	}
	days := f.older("pointsDaysActiveCount", "pointsDaysActive", strconv.Itoa(s.PointsDaysActiveCount))
	f.number(days, &s.PointsDaysActiveCount, form.GreaterThan(0))
	f.need(days, s.PointsDaysExpiryAfter == store.ExpiryAfterDays && s.PointsDaysActiveCount == 0, form.Blank)
	s.PointsDaysActiveCount = cmp.Or(s.PointsDaysActiveCount, store.DefaultSettings().PointsDaysActiveCount)
	s.AllTimeNotLocked = f.Checkbox("allTimeNotLocked")
	f.number("pointsDaysLocked", &s.PointsDaysLocked, form.GreaterThan(0))
	f.need("pointsDaysLocked", !s.AllTimeNotLocked && s.PointsDaysLocked == 0, form.Blank)
}

func (f settingsForm) levels(s *store.Settings) {
	f.choice("tierAssignType", &s.TierAssignType, tierTypes)
	s.ExcludeDeliveryCosts = f.Checkbox("excludeDeliveryCostsFromTierAssignment")
	f.list("excludedDeliverySKUs", &s.ExcludedDeliverySKUs, form.MaxLength(nameLimit))
	f.need("excludedDeliverySKUs", s.ExcludeDeliveryCosts && len(s.ExcludedDeliverySKUs) == 0, form.NoItems)
	f.list("excludedLevelSKUs", &s.ExcludedLevelSKUs, form.MaxLength(nameLimit))
	f.list("excludedLevelCategories", &s.ExcludedLevelCategories, form.MaxLength(nameLimit))
	f.choice("levelDowngradeMode", &s.LevelDowngradeMode, downgradeModes)
	byDays := s.LevelDowngradeMode == store.DowngradeAfterDays
	f.number("levelDowngradeDays", &s.LevelDowngradeDays, form.GreaterThan(0))
	f.need("levelDowngradeDays", byDays && s.LevelDowngradeDays == 0, form.Blank)
	f.choice("levelDowngradeBase", &s.LevelDowngradeBase, downgradeBases)
	f.need("levelDowngradeBase", byDays && s.LevelDowngradeBase == store.BaseNone, form.Blank)
	s.LevelResetPoints = f.Checkbox("levelResetPointsOnDowngrade")
}

func (f settingsForm) customers(s *store.Settings) {
	f.identification(&s.Identification)
	s.AllowsProfileEditing = f.Checkbox("allowCustomersProfileEdits")
	s.AccountActivationNeeded = f.Checkbox("accountActivationRequired")
	method := f.older("preferredCommunicationMethod", "accountActivationMethod", s.CommunicationMethod)
	f.choice(method, &s.CommunicationMethod, channels)
	most := decimal.Hundredths(f.Decimal("maxPointsRedeemed", 2, form.AtLeast(0)))
	switch {
	case f.Text("maxPointsRedeemed") != "":
		s.MaxPointsRedeemed = &most
	case f.Submitted("maxPointsRedeemed"):
		s.MaxPointsRedeemed = nil
	}
	fewest := decimal.Hundredths(f.Decimal("minPointsRedeemed", 2, form.AtLeast(0)))
	if f.Submitted("minPointsRedeemed") {
		s.MinPointsRedeemed = fewest
	}
	f.choice("cashbackRounding", &s.CashbackRounding, roundings)
}

func (f settingsForm) identification(to *[]store.Identification) {
	entries := f.Groups("customersIdentificationPriority")
	if !f.Submitted("customersIdentificationPriority") {
		return
	}
	*to = []store.Identification{}
	seen := map[string]bool{}
	for _, entry := range entries {
		one := store.Identification{
			Priority: int(entry.Integer("priority", form.NotBlank, form.AtLeast(0), form.LessThan(1000))),
			Field:    entry.Choice("field", identifiers, form.NotBlank),
		}
		if one.Field != "" && seen[one.Field] {
			entry.AddError("field", form.Invalid("repeated_field"))
		}
		seen[one.Field] = true
		*to = append(*to, one)
	}
}

func (f settingsForm) messages(s *store.Settings) {
	f.number("expirePointsNotificationDays", &s.ExpirePointsNotificationDays, form.NotBlank, form.AtLeast(0))
	f.number("expireCouponsNotificationDays", &s.ExpireCouponsNotificationDays, form.NotBlank, form.AtLeast(0))
	f.number("expireLevelsNotificationDays", &s.ExpireLevelsNotificationDays, form.NotBlank, form.AtLeast(0))
	f.number("birthdayMessageDays", &s.BirthdayMessageDays, form.AtLeast(0))
	f.number("winBackDays", &s.WinBackDays, form.AtLeast(0))
	f.text("occasionMessagesAt", &s.OccasionMessagesAt, timeRule)
	f.text("messagesQuietFrom", &s.MessagesQuietFrom, timeRule)
	f.text("messagesQuietUntil", &s.MessagesQuietUntil, timeRule)
	f.need("messagesQuietFrom", s.MessagesQuietFrom == "" && s.MessagesQuietUntil != "", form.Blank)
	f.need("messagesQuietUntil", s.MessagesQuietUntil == "" && s.MessagesQuietFrom != "", form.Blank)
	f.number("marketingMessagesMost", &s.MarketingMessagesMost, form.AtLeast(0), form.LessThan(MaxMarketingMessages+1))
	f.number("marketingMessagesDays", &s.MarketingMessagesDays, form.AtLeast(0), form.LessThan(MaxMarketingDays+1))
	f.need("marketingMessagesMost", s.MarketingMessagesMost == 0 && s.MarketingMessagesDays > 0, form.Blank)
	f.need("marketingMessagesDays", s.MarketingMessagesDays == 0 && s.MarketingMessagesMost > 0, form.Blank)
	s.Webhooks = f.Checkbox("webhooks")
	f.text("uriWebhooks", &s.WebhookURI, f.client.URLRules()...)
	f.need("uriWebhooks", s.Webhooks && s.WebhookURI == "", form.Blank)
	f.text("webhookHeaderName", &s.WebhookHeaderName, outbound.HeaderName, form.MaxLength(nameLimit))
	f.text("webhookHeaderValue", &s.WebhookHeaderValue, lineRule, form.MaxLength(2048))
	f.text("cashbackCallbackSecret", &s.CashbackCallbackSecret, secretRule)
	f.text("cashbackProviderUrl", &s.CashbackProviderURL, f.client.URLRules()...)
	f.text("cashbackProviderSecret", &s.CashbackProviderSecret, secretRule)
	f.need("cashbackProviderSecret", s.CashbackProviderURL != "" && s.CashbackProviderSecret == "", form.Blank)
}

// vendors reads settings that are only stored and shown.
func (f settingsForm) vendors(s *store.Settings) {
	f.choice("marketingVendorsValue", &s.MarketingVendor, vendors)
	manago := settingsForm{f.Group.Group("sales_manago"), f.client}
	manago.text("api_url", &s.SalesManago.APIURL, form.MaxLength(nameLimit), f.client.HostRule(),
		form.Matches(form.NotAURL, hasNoCredentials))
	for _, part := range []struct {
		name string
		to   *string
	}{
		{"api_key", &s.SalesManago.APIKey}, {"api_secret", &s.SalesManago.APISecret},
		{"customer_id", &s.SalesManago.CustomerID}, {"email", &s.SalesManago.Email},
	} {
		manago.text(part.name, part.to, form.MaxLength(nameLimit))
	}
	f.text("pushySecretKey", &s.PushySecretKey, form.MaxLength(nameLimit))
	f.text("accentColor", &s.AccentColor, colorRule)
	f.text("cssTemplate", &s.CSSTemplate, form.MaxLength(textLimit))
	f.list("customerStatusesEarning", &s.StatusesEarning, statusRule)
	f.list("customerStatusesSpending", &s.StatusesSpending, statusRule)
}

// older returns the name with which a key was sent. Older clients send the former name, some of them together with the
// current value under the other name, as they read it. The value that was changed counts.
func (f settingsForm) older(name, former, current string) string {
	if f.Submitted(former) && (!f.Submitted(name) || f.Text(name) == current) {
		f.Ignore(name)
		return former
	}
	return name
}

// newer reads a checkbox that older clients do not know. It keeps its value when they send the others.
func (f settingsForm) newer(name string, to *bool) {
	if on := f.Checkbox(name); f.Submitted(name) {
		*to = on
	}
}

// need adds an error if a key has no value although another one requires it.
func (f settingsForm) need(name string, missing bool, problem *fault.Error) {
	if missing && !f.Failed(name) {
		f.AddError(name, problem)
	}
}

func (f settingsForm) text(name string, to *string, rules ...form.Rule) {
	if value := f.Text(name, f.sent(name, rules)...); f.Submitted(name) {
		*to = value
	}
}

func (f settingsForm) choice(name string, to *string, choices []string) {
	if value := f.Choice(name, choices, f.sent(name, []form.Rule{form.NotBlank})...); f.Submitted(name) {
		*to = value
	}
}

// number reads a number of days. A blank text means none.
func (f settingsForm) number(name string, to *int, rules ...form.Rule) {
	value := f.Integer(name, f.sent(name, append(rules, form.LessThan(dayLimit+1)))...)
	if f.Submitted(name) {
		*to = int(value)
	}
}

func (f settingsForm) list(name string, to *[]string, rules ...form.Rule) {
	if values := f.KeyTexts(name, rules...); f.Submitted(name) {
		*to = append([]string{}, values...)
	}
}

// sent returns the rules for a key that was sent. A key that was not keeps its value, which was validated before.
func (f settingsForm) sent(name string, rules []form.Rule) []form.Rule {
	if f.Submitted(name) {
		return rules
	}
	return nil
}

// hasNoCredentials reports whether a URL, with or without a scheme, names no user before the host.
func hasNoCredentials(text string) bool {
	if scheme, rest, found := strings.Cut(text, "//"); found && !strings.Contains(scheme, "/") {
		text = rest
	}
	if end := strings.IndexAny(text, "/?#"); end >= 0 {
		text = text[:end]
	}
	return !strings.Contains(text, "@")
}
