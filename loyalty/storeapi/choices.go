package storeapi

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/fault"
)

// Values of settings.
var (
	expiryModes    = []string{store.ExpiryNever, store.ExpiryAfterDays, store.ExpiryMonthEnd, store.ExpiryYearEnd}
	tierTypes      = []string{store.TierTransactions, store.TierPoints}
	downgradeModes = []string{store.DowngradeNever, store.DowngradeAtOnce, store.DowngradeAfterDays}
	downgradeBases = []string{store.BaseNone, store.BaseActivePoints, store.BaseEarnedPoints, store.BaseEarnedSinceChange}
	identifiers    = []string{store.ByEmail, store.ByLoyaltyCard, store.ByPhone}
	pointRoundings = []string{store.PointsHundredths, store.PointsHalfUp, store.PointsFloor}
	roundings      = []string{store.RoundHalfUp, store.RoundDown}
	channels       = []string{store.ByMail, store.BySMS}
	vendors        = []string{"none", "sales_manago"}
	statuses       = []string{"new", "active", "blocked", "deleted"} // of customers
)

// choicesAnswer holds the choices in the form that clients expect of their type.
type choicesAnswer struct {
	Choices any `json:"choices"`
}

// choices is a JSON object in this order.
type choices []choice

type choice struct {
	name  string
	value any
}

func (c choices) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, one := range c {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(one.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(one.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// languageChoice is a language of texts.
type languageChoice struct {
	Name    string `json:"name"`
	Code    string `json:"code"`
	Default bool   `json:"default"`
	Order   int64  `json:"order"`
}

// vendor is a marketing vendor with the names and types of its settings.
type vendor struct {
	Name   string  `json:"name"`
	Config choices `json:"config"`
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
var fixed = map[string]any{
	"timezone":               zones(),
	"country":                countries(),
	"earningRuleLimitPeriod": codes("day", "week", "month", "3months", "6months", "year", "forever"),
	"deliveryStatus":         []string{"ordered", "canceled", "shipped", "delivered"},
	"promotedEvents": choices{
		{"Account created", "oloy.account.created"}, {"Customer logged in", "oloy.customer.logged_in"},
		{"First purchase", "oloy.transaction.customer_first_transaction"},
		{"Newsletter subscription", "oloy.customer.newsletter_subscription"},
	},
	"referralEvents": codes("register", "first_purchase", "every_purchase"),
	"referralTypes":  codes("referred", "referrer", "both"),
	"availablePointExpireAfter": choices{
		{store.ExpiryNever, "Never"}, {store.ExpiryAfterDays, "After some days"},
		{store.ExpiryMonthEnd, "At the end of the month"}, {store.ExpiryYearEnd, "At the end of the year"},
	},
	"availableCustomerStatuses":         statuses,
	"availableAccountActivationMethods": channels,
	"availableMarketingVendors": choices{
		{vendors[0], vendor{"None", choices{}}},
		{vendors[1], vendor{"SALESmanago", choices{
			{"api_url", "text"}, {"api_key", "text"}, {"api_secret", "text"}, {"customer_id", "text"}, {"email", "text"},
		}}},
	},
}

// codes returns choices whose names are the keys under which clients have their translations.
func codes(all ...string) choices {
	list := make(choices, len(all))
	for i, code := range all {
		list[i] = choice{code, code}
	}
	return list
}

// zones returns the time zones in groups: those of "Europe", for example, by their names in it.
func zones() choices {
	var groups choices
	for line := range strings.Lines(zoneLines) {
		zone := strings.TrimSuffix(line, "\n")
		group, name, found := strings.Cut(zone, "/")
		if !found {
			group, name = "Other", zone
		}
		if len(groups) == 0 || groups[len(groups)-1].name != group {
			groups = append(groups, choice{group, choices{}})
		}
		name = strings.NewReplacer("_", " ", "/", " - ").Replace(name)
		last := &groups[len(groups)-1]
		last.value = append(last.value.(choices), choice{name, zone})
	}
	return groups
}

func countries() (all choices) {
	for line := range strings.Lines(countryLines) {
		code, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, choice{name, code})
	}
	return all
}

// isCountry reports whether a text is the code of a country, two upper-case letters.
func isCountry(text string) bool {
	return slices.ContainsFunc(countries(), func(c choice) bool { return c.value == text })
}

func listChoices(c *api.Call) (choicesAnswer, error) {
	kind := c.PathValue("type")
	if all, isFixed := fixed[kind]; isFixed {
		return choicesAnswer{all}, nil
	}
	show, known := map[string]func(store.Languages) any{
		"language":                      func(l store.Languages) any { return languageNames(l) },
		"availableFrontendTranslations": func(l store.Languages) any { return languageChoices(l) },
	}[kind]
	if !known {
		return choicesAnswer{}, fault.ErrNotFound
	}
	languages, err := c.Stores().Languages(c.Context())
	return choicesAnswer{show(languages)}, err
}

func languageNames(languages store.Languages) choices {
	list := choices{}
	for _, language := range languages {
		list = append(list, choice{language.Name, language.Code})
	}
	return list
}

func languageChoices(languages store.Languages) []languageChoice {
	list := []languageChoice{}
	for _, language := range languages {
		list = append(list, languageChoice{language.Name, language.Code, language.Default, language.Position})
	}
	return list
}

// gatewayFields are the settings of an SMS gateway by name, with their types. There are none.
type gatewayFields struct {
	Fields struct{} `json:"fields"`
}

func listGatewayFields(*api.Call) (fields gatewayFields, err error) { return fields, nil }

// statusAnswer holds the states of customers.
type statusAnswer struct {
	Choices []string `json:"choices"`
}

func listCustomerStatuses(*api.Call) (statusAnswer, error) { return statusAnswer{statuses}, nil }
