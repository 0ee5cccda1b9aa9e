package template

import "punchcard/core/store"

// samples are values of placeholders for previews and tests, by language.
var samples = map[string]map[string]string{
	"en": {
		"first_name": "Ida", "last_name": "Berg", "referrer_name": "Nora Vik", "new_contact": "ida@example.com",
		"level_name": "Gold", "previous_level_name": "Silver", "points": "120", "end_date": "2030-12-31",
		"campaign_name": "Free coffee", "campaign_text": "A free coffee for you.", "coupon_code": "COFFEE-7", "days": "90",
	},
	"pl": {
		"first_name": "Anna", "last_name": "Nowak", "referrer_name": "Ewa Zielińska", "new_contact": "anna@example.com",
		"level_name": "Złoty", "previous_level_name": "Srebrny", "points": "120", "end_date": "2030-12-31",
		"campaign_name": "Kawa gratis", "campaign_text": "Kawa gratis dla Ciebie.", "coupon_code": "KAWA-7", "days": "90",
	},
	"de": {
		"first_name": "Anna", "last_name": "Weber", "referrer_name": "Eva Brandt", "new_contact": "anna@example.com",
		"level_name": "Gold", "previous_level_name": "Silber", "points": "120", "end_date": "2030-12-31",
		"campaign_name": "Gratis-Kaffee", "campaign_text": "Ein Kaffee für Sie.", "coupon_code": "KAFFEE-7", "days": "90",
	},
	"fr": {
		"first_name": "Anne", "last_name": "Girard", "referrer_name": "Léa Morel", "new_contact": "anne@example.com",
		"level_name": "Or", "previous_level_name": "Argent", "points": "120", "end_date": "2030-12-31",
		"campaign_name": "Café offert", "campaign_text": "Un café pour vous.", "coupon_code": "CAFE-7", "days": "90",
	},
	"es": {
		"first_name": "Ana", "last_name": "Moreno", "referrer_name": "Eva Vidal", "new_contact": "ana@example.com",
		"level_name": "Oro", "previous_level_name": "Plata", "points": "120", "end_date": "2030-12-31",
		"campaign_name": "Café gratis", "campaign_text": "Un café para usted.", "coupon_code": "CAFE-7", "days": "90",
	},
}

// secretSamples stand for secrets. They are valid nowhere.
var secretSamples = map[string]string{
	"link": "https://example.com/sample", "token": "sample", "code": "123456", "password": "Sample-Password-1",
}

// sampleValues returns a sample of every placeholder, with the names of the program as they are.
func sampleValues(language string) map[string]string {
	chosen := samples[language]
	if chosen == nil {
		chosen = samples[base(language)]
	}
	if chosen == nil {
		chosen = samples["en"]
	}
	values := map[string]string{}
	for _, from := range []map[string]string{chosen, secretSamples} {
		for name, value := range from {
			values[name] = value
		}
	}
	return values
}

// Sample returns the text with samples of its values.
func (t *Template) Sample(s *store.Store) Text { return t.fill(s, sampleValues(t.Language)) }
