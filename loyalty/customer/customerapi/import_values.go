package customerapi

import (
	"slices"
	"strings"

	"punchcard/loyalty/dataimport"
	"punchcard/platform/search"
)

// Stored returns the record as it is stored.
func (r *customerRecord) Stored() dataimport.Record {
	stored := *r
	stored.settle()
	return &stored
}

// settle replaces what other programs write by what is stored: a full name by both names, words by the values that they
// mean, and columns without a field by labels.
func (r *customerRecord) settle() {
	r.splitName()
	r.Name = ""
	r.Gender, r.BirthDate = genderOf(r.Gender), birthDateOf(r.BirthDate)
	for _, digits := range []*string{&r.Phone, &r.AddressPhone, &r.Card, &r.Address.Postal} {
		*digits = strings.TrimPrefix(*digits, "'") // which keeps spreadsheets from reading a number
	}
	if strings.TrimSpace(r.Phone) == "" {
		r.Phone = r.AddressPhone
	}
	r.AddressPhone = ""
	r.settleConsent()
	labels := []string{r.LabelText}
	for tag := range strings.SplitSeq(r.Tags, ",") {
		labels = append(labels, labelText("tag", tag))
	}
	if strings.Trim(r.TotalSpent, "0.") != "" {
		labels = append(labels, labelText("totalSpent", r.TotalSpent))
	}
	if strings.Trim(r.TotalOrders, "0.") != "" {
		labels = append(labels, labelText("totalOrders", r.TotalOrders))
	}
	labels = append(labels, labelText("smsMarketing", r.AgreedToSMS))
	labels = slices.DeleteFunc(labels, func(text string) bool { return strings.TrimSpace(text) == "" })
	r.LabelText, r.Tags, r.TotalSpent, r.TotalOrders, r.AgreedToSMS = strings.Join(labels, ";"), "", "", "", ""
}

// settleConsent reads what shop systems say about newsletters. A consent to SMS alone counts for a customer without an
// e-mail address; beside one it becomes a label, because the agreement covers e-mails too.
func (r *customerRecord) settleConsent() {
	r.Agreement2, r.AgreedToSMS = consentOf(r.Agreement2), consentOf(r.AgreedToSMS)
	if strings.TrimSpace(r.Email) == "" && strings.TrimSpace(r.AgreedToSMS) != "" {
		r.Agreement2 = r.AgreedToSMS
	}
}

// labelText returns a label with a value as a cell has it, or an empty text if the value is blank.
func labelText(key, value string) string {
	if value = strings.TrimSpace(strings.ReplaceAll(value, ";", ",")); value == "" {
		return ""
	}
	return key + ":" + value
}

// consents are the states of subscriptions in shop systems and programs for newsletters, and what they mean.
var consents = map[string]string{
	"subscribed": "yes", "confirmed": "yes", "opted in": "yes", "opt in": "yes", "single opt in": "yes",
	"confirmed opt in": "yes",
	"unsubscribed":     "no", "not subscribed": "no", "never subscribed": "no", "pending": "no", "opted out": "no",
	"opt out": "no", "unconfirmed": "no", "cleaned": "no", "bounced": "no", "unknown": "no", "redacted": "no",
	"invalid": "no", "none": "no",
}

// consentOf returns yes or no for the state of a subscription, or the text itself.
func consentOf(text string) string {
	state := strings.NewReplacer("_", " ", "-", " ").Replace(search.Fold(strings.TrimSpace(text)))
	if consent, found := consents[state]; found {
		return consent
	}
	return text
}

// birthDateOf returns a birth date without the zeros that shop systems write for none.
func birthDateOf(text string) string {
	if strings.Trim(text, "0-/. ") == "" {
		return ""
	}
	return text
}

// splitName divides a full name: the last word is the last name, or what stands before a comma.
func (r *customerRecord) splitName() {
	name := strings.TrimSpace(r.Name)
	if name == "" {
		return
	}
	if last, first, found := strings.Cut(name, ","); found {
		r.FirstName, r.LastName = strings.TrimSpace(first), strings.TrimSpace(last)
	} else if i := strings.LastIndexByte(name, ' '); i > 0 {
		r.FirstName, r.LastName = strings.TrimSpace(name[:i]), name[i+1:]
	} else {
		r.FirstName = name
	}
}

// genderWords are the genders that words and titles mean, by their folded form.
var genderWords = func() map[string]string {
	meaning := map[string]string{}
	for gender, names := range map[string][]string{
		"male": words("m", "man", "mr", "herr", "hr", "pan", "mężczyzna", "mann", "männlich", "h", "homme", "masculin",
			"monsieur", "mister", "hombre", "masculino", "señor", "sr", "don", "1"),
		"female": words("f", "w", "k", "woman", "mrs", "ms", "miss", "frau", "fr", "pani", "kobieta", "weiblich",
			"femme", "féminin", "madame", "mademoiselle", "mme", "mlle", "mujer", "femenino", "señora", "señorita", "sra",
			"srta", "doña", "2"),
		"not_disclosed": words("-", "other", "unknown", "mx", "x", "d", "divers", "n/a", "inne", "nieznana", "autre", "otro",
			"0", "9"),
	} {
		for _, name := range names {
			meaning[search.Fold(name)] = gender
		}
	}
	return meaning
}()

// genderOf returns the gender that a word or a title means, with or without a point, or the text itself. Numbers are
// those of ISO 5218.
func genderOf(text string) string {
	if gender, found := genderWords[search.Fold(strings.TrimRight(strings.TrimSpace(text), "."))]; found {
		return gender
	}
	return text
}
