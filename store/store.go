// Package store holds the shops of the platform with their settings, and the languages all share.
package store

import (
	"regexp"
	"slices"
	"time"

	"punchcard/platform/db"
)

// Store is one shop: everything but administrators, roles and languages belongs to exactly one.
type Store struct {
	Key       int64  // short inner key that leads every table; never shown
	ID        string // uuid, storeId on the wire
	Code      string // path segment; letters, digits, underscore
	Name      string
	Currency  string // ISO code, fixed at creation
	Active    bool
	Settings  Settings
	CreatedAt time.Time

	Zone *time.Location // of Settings.Timezone
}

// Points expiry modes of program-api 4.7.
const (
	ExpiryNever      = "all_time_active"
	ExpiryAfterDays  = "after_x_days"
	ExpiryMonthEnd   = "at_the_end_of_the_month"
	ExpiryYearEnd    = "at_the_end_of_the_year"
	TierTransactions = "transactions"
	TierPoints       = "points"
)

// Settings are a store's switches under the names of program-api group J.
type Settings struct {
	Timezone                 string `json:"timezone"`
	ProgramName              string `json:"programName"`
	PointsDaysExpiryAfter    string `json:"pointsDaysExpiryAfter"`
	PointsDaysActiveCount    int    `json:"pointsDaysActiveCount"` // days, with after_x_days
	AllTimeNotLocked         bool   `json:"allTimeNotLocked"`
	PointsDaysLocked         int    `json:"pointsDaysLocked"` // days, unless AllTimeNotLocked
	TierAssignType           string `json:"tierAssignType"`
	AccountActivationNeeded  bool   `json:"accountActivationRequired"`
	CommunicationMethod      string `json:"preferredCommunicationMethod"` // email or sms
	CustomerMayUnmarkCoupons bool   `json:"customerMayUnmarkCoupons"`
}

// DefaultSettings are those of a new store; UTC unless the installation says otherwise.
func DefaultSettings() Settings {
	return Settings{
		Timezone: "UTC", ProgramName: "Loyalty program",
		PointsDaysExpiryAfter: ExpiryAfterDays, PointsDaysActiveCount: 30, AllTimeNotLocked: true,
		TierAssignType: TierTransactions, AccountActivationNeeded: true, CommunicationMethod: "email",
	}
}

// Language is a language that texts may be translated into; one is the default.
type Language struct {
	Code     string
	Name     string
	Default  bool
	Position int64
}

// Languages are all languages in their order.
type Languages []Language

// languageCode is what a language looks like: en, pt_BR.
var languageCode = regexp.MustCompile(`^[A-Za-z]{2,3}([_-][A-Za-z0-9]+)?$`)

// With lists the codes of the languages and, after them, the submitted ones that are further languages;
// ok is false when one is no language.
func (l Languages) With(submitted []string) (codes []string, ok bool) {
	for _, language := range l {
		codes = append(codes, language.Code)
	}
	ok = true
	for _, code := range submitted {
		switch {
		case slices.Contains(codes, code):
		case languageCode.MatchString(code):
			codes = append(codes, code)
		default:
			ok = false
		}
	}
	return codes, ok
}

// Default is the code of the default language.
func (l Languages) Default() string {
	for _, language := range l {
		if language.Default {
			return language.Code
		}
	}
	return "en"
}

// New is what a store is made of.
type New struct {
	Code, Name, Currency string
	Settings             Settings
}

// Create adds an active store. The caller has checked that the code is free and allowed.
func Create(tx *db.Tx, in New) (*Store, error) {
	s := &Store{
		ID: tx.NewID(), Code: in.Code, Name: in.Name, Currency: in.Currency, Active: true,
		Settings: in.Settings, CreatedAt: tx.Now,
	}
	var err error
	if s.Key, err = nextKey(tx); err != nil {
		return nil, err
	}
	if err := insert(tx, s); err != nil {
		return nil, err
	}
	return s, s.locate()
}

func (s *Store) locate() (err error) {
	s.Zone, err = time.LoadLocation(s.Settings.Timezone)
	return err
}

// AddLanguage adds a language; content of the cockpit's own texts starts empty.
func AddLanguage(tx *db.Tx, language Language) error {
	return insertLanguage(tx, language)
}

// TranslationIDs takes n ids for translation rows and returns the first; they are never given again.
func TranslationIDs(tx *db.Tx, n int) (first int64, err error) {
	return takeNumbers(tx, "translation", n)
}
