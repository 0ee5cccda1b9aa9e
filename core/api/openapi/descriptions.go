package openapi

import (
	_ "embed"
	"strings"

	"punchcard/core/api"
)

// introduction is the first section of the description, in Markdown.
//
//go:embed introduction.md
var introduction string

// keyHeader and replayedHeader describe the headers of idempotent requests and replays, and ifMatch that of conditional
// writes.
const (
	keyHeader = "A text that identifies the request, 1 to 255 printable ASCII characters, best a random UUID. Repeating " +
		"the request with the same key has no further effect and gets the stored response, for a week by default; while " +
		"the first request is in progress it gets 409. Another request with the key gets 422."
	replayedHeader = "true if this is the stored response to the Idempotency-Key, and nothing was done now."
	ifMatch        = "The ETag that a GET of the path had. If the object has changed since then, nothing is changed and " +
		"the response is 412. Without it, the object is replaced whatever it is."
	dryRunHeader = "true tries the request out: it is checked and carried out, gets its usual response, and is undone."
	// limitSetting describes the header of errors about a limit that an operator can move.
	limitSetting = "The server setting of the limit that the request exceeds: --result-window for a page past the " +
		"result window, which answers 400 \"Result window is too large\"."
)

// inPath and inQuery describe parameters that mean the same everywhere, and examplesInPath shows values of some.
var (
	inPath = map[string]string{
		"storeCode":  "Code of the store.",
		"loginStore": "Code of the store.",
		"customer":   "Id of the customer, or the number of the loyalty card.",
		"customerId": "Id of the customer, or the number of the loyalty card.",
		"active":     "The word active or inactive.",
		"admin":      "Id of the administrator.",
		"coupon":     "Id of the coupon.",
		"couponCode": "Code of the coupon, as it was scanned.",
		"transfer":   "Id of the transfer.",
		"code":       "Code of the language, such as en.",
	}
	examplesInPath = map[string]string{"storeCode": "DEFAULT", "loginStore": "DEFAULT", "active": "active", "code": "en"}
	inQuery        = map[string]string{
		"_locale": "Language of the texts, such as en; the default language otherwise.",
		"page": "Number of the page, from 1; 1 by default. page × perPage may be at most the result window " +
			"(--result-window, 10000 by default).",
		"perPage":          "Rows of a page; 10 by default. A negative number means all up to the result window.",
		"sort":             "What the rows are sorted by; by default the order of creation.",
		"direction":        "ASC by default.",
		"strict":           "1 compares whole values; texts are searched for a part otherwise.",
		"q":                "Beginnings of words to search for; the best match comes first, and no other filter counts.",
		"format":           "html turns descriptions into HTML.",
		"labels":           "Sent as labels[i][key] and labels[i][value], of which either may be left out.",
		"hasSegment":       "1 for what is offered to some segments only, 0 for what is offered to all.",
		"isPublic":         "1 for what everybody may see, 0 for what is hidden.",
		"additionalPoints": "Points to add to the balance; level and segments of the customer then play no part.",
		"canBeUsed":        "1 lists only coupons that can be used now.",
		"includeTexts":     "1 shows the texts and pictures of campaigns.",
		"includeDetails":   "1 shows the campaign of each purchase.",
		"includeNames":     "1 shows the name of each campaign.",
		"withoutCoupons":   "1 leaves the codes out.",
		"withoutPoints":    "1 takes no points.",
		"withoutMessages":  "1 tells customers nothing about what the records change for them.",
		"quantity":         "How many coupons, all or none; 1 by default.",
		"lastDays":         "How many days back, today included; 30 by default.",
		"willExpireTill":   "Date up to which active points expire.",
		"fromId":           "First event id; from the beginning by default.",
	}
)

// conditional puts words before a condition.
func conditional(words, condition string) string {
	if condition == "" {
		return ""
	}
	return words + condition + "."
}

// sentences joins the sentences that are not empty.
func sentences(all ...string) string {
	var text []string
	for _, sentence := range all {
		if sentence != "" {
			text = append(text, sentence)
		}
	}
	return strings.Join(text, " ")
}

// describe returns the description of an endpoint: who may call it, and how it can be repeated and tried.
func describe(e *api.Endpoint) string {
	text := "Callers: " + e.Access.String() + "."
	if e.Keyed() {
		text += " Safe to repeat with an Idempotency-Key."
	}
	if e.HasDryRun() {
		text += " Dry-Run: true tries it without effect; with Accept: " + api.EffectsType +
			" the response is then ApiEffects."
	}
	return text
}
