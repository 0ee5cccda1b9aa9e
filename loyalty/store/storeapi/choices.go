package storeapi

import (
	_ "embed"
	"encoding/json"
	"strings"

	"punchcard/api"
	"punchcard/loyalty/store"
	"punchcard/platform/fault"
)

// Values of settings.
var (
	expiryModes    = []string{store.ExpiryNever, store.ExpiryAfterDays, store.ExpiryMonthEnd, store.ExpiryYearEnd}
	tierTypes      = []string{store.TierTransactions, store.TierPoints}
	downgradeModes = []string{store.DowngradeNever, store.DowngradeAtOnce, store.DowngradeAfterDays}
	downgradeBases = []string{store.BaseNone, store.BaseActivePoints, store.BaseEarnedPoints, store.BaseEarnedSinceChange}
	identifiers    = []string{store.ByEmail, store.ByLoyaltyCard, store.ByPhone}
	roundings      = []string{store.RoundHalfUp, store.RoundDown}
	channels       = []string{store.ByMail, store.BySMS}
	vendors        = []string{"none", "sales_manago"}
	statuses       = []string{"new", "active", "blocked", "deleted"} // of customers
)

// choices are labels with values. Their JSON form is an object in this order.
type choices []choice

type choicesAnswer struct {
	Choices choices `json:"choices"`
}

type choice struct{ label, value string }

func (c choices) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, one := range c {
		if i > 0 {
			out = append(out, ',')
		}
		label, err := json.Marshal(one.label)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(one.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, label...), ':'), value...)
	}
	return append(out, '}'), nil
}

// The names of the IANA time zone database, and the countries of ISO 3166 as code, tab, name, in the order in which
// they are shown.
var (
	//go:embed zones.txt
	zoneLines string
	//go:embed countries.txt
	countryLines string
)

// fixed are the choices that do not depend on stored data.
var fixed = map[string]choices{
	"timezone": listed(zoneLines, func(line string) choice { return choice{line, line} }),
	"country": listed(countryLines, func(line string) choice {
		code, name, _ := strings.Cut(line, "\t")
		return choice{name, code}
	}),
	"earningRuleLimitPeriod": {
		{"1 day", "day"}, {"1 week", "week"}, {"1 month", "month"}, {"3 months", "3months"}, {"6 months", "6months"},
		{"1 year", "year"}, {"forever", "forever"},
	},
	"deliveryStatus": {
		{"Ordered", "ordered"}, {"Canceled", "canceled"}, {"Shipped", "shipped"}, {"Delivered", "delivered"},
	},
	"promotedEvents": {
		{"Account created", "oloy.account.created"}, {"Customer logged in", "oloy.customer.logged_in"},
		{"First purchase", "oloy.transaction.customer_first_transaction"},
		{"Newsletter subscription", "oloy.customer.newsletter_subscription"},
	},
	"referralEvents": {
		{"Registration", "register"}, {"First purchase", "first_purchase"}, {"Every purchase", "every_purchase"},
	},
	"referralTypes": {{"Referred", "referred"}, {"Referrer", "referrer"}, {"Both", "both"}},
	"availablePointExpireAfter": {
		{"Never", store.ExpiryNever}, {"After some days", store.ExpiryAfterDays},
		{"At the end of the month", store.ExpiryMonthEnd}, {"At the end of the year", store.ExpiryYearEnd},
	},
	"availableCustomerStatuses": {
		{"New", statuses[0]}, {"Active", statuses[1]}, {"Blocked", statuses[2]}, {"Deleted", statuses[3]},
	},
	"availableMarketingVendors":         {{"None", vendors[0]}, {"SALESmanago", vendors[1]}},
	"availableAccountActivationMethods": {{"E-mail", store.ByMail}, {"SMS", store.BySMS}},
}

func listed(lines string, read func(line string) choice) choices {
	var all choices
	for line := range strings.Lines(lines) {
		all = append(all, read(strings.TrimSuffix(line, "\n")))
	}
	return all
}

func getChoices(c *api.Call) error {
	var response choicesAnswer
	kind, known := c.PathValue("type"), false
	switch kind {
	case "language", "availableFrontendTranslations":
		languages, err := c.Stores().Languages(c.Context())
		if err != nil {
			return err
		}
		for _, language := range languages {
			response.Choices = append(response.Choices, choice{language.Name, language.Code})
		}
	default:
		if response.Choices, known = fixed[kind]; !known {
			return fault.ErrNotFound
		}
	}
	return c.OK(response)
}
