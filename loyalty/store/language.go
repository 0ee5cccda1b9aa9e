package store

import (
	"cmp"
	"regexp"
	"slices"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Language is a language that texts may be translated into; one is the default.
type Language struct {
	Code      string
	Name      string
	Default   bool
	Position  int64
	UpdatedAt time.Time
	Content   string // JSON of the cockpit's own texts; empty in lists
}

// Languages are all languages in their order.
type Languages []Language

// languageCode is what a language looks like: en, pt_BR.
var languageCode = regexp.MustCompile(`^[A-Za-z]{2,3}([_-][A-Za-z0-9]+)?$`)

// IsLanguage tells whether a code looks like a language's.
func IsLanguage(code string) bool { return languageCode.MatchString(code) }

// TranslationLimit is in how many further languages, which the platform does not know, one object has texts.
const TranslationLimit = 200

// With lists the codes of the languages and, after them, the submitted ones that are further languages; ok is false
// when one is no language, or when there are too many.
func (l Languages) With(submitted []string) (codes []string, ok bool) {
	for _, language := range l {
		codes = append(codes, language.Code)
	}
	ok = true
	for _, code := range submitted {
		switch {
		case slices.Contains(codes, code):
		case IsLanguage(code) && len(codes) < len(l)+TranslationLimit:
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

// ErrDefaultLanguage says that the default language has to stay.
var ErrDefaultLanguage = fault.New(fault.Refused, "default_language_required",
	"The default language cannot be removed.")

// AddLanguage adds a language and, when it is to be the default one, takes the mark from the former. A
// code that another language has is ErrTaken.
func AddLanguage(tx *db.Tx, l Language) error {
	l.Content, l.UpdatedAt = cmp.Or(l.Content, "{}"), tx.Now()
	if err := lockLanguages(tx); err != nil {
		return err
	}
	inserted, err := tx.InsertNew("languages", languageColumns+", content", append(l.row(), &l.Content))
	if err != nil {
		return err
	}
	if !inserted {
		return ErrTaken
	}
	return l.takeMark(tx)
}

// ChangeLanguage replaces a language and returns it as it is now; an unknown code is fault.ErrNotFound.
// The default one stays so until another takes the mark: there is always one.
func ChangeLanguage(tx *db.Tx, l Language) (Language, error) {
	if err := lockLanguages(tx); err != nil {
		return l, err
	}
	former, found, err := FindLanguage(tx, l.Code)
	if err != nil {
		return l, err
	}
	if !found {
		return l, fault.ErrNotFound
	}
	l.Content, l.UpdatedAt = cmp.Or(l.Content, "{}"), tx.Now()
	l.Default = l.Default || former.Default
	if err := updateLanguage(tx, &l); err != nil {
		return l, err
	}
	return l, l.takeMark(tx)
}

// RemoveLanguage removes a language; an unknown code is fault.ErrNotFound, the default one
// ErrDefaultLanguage. What was translated into it is removed by the rooms that hold it.
func RemoveLanguage(tx *db.Tx, code string) error {
	if err := lockLanguages(tx); err != nil {
		return err
	}
	former, found, err := FindLanguage(tx, code)
	switch {
	case err != nil:
		return err
	case !found:
		return fault.ErrNotFound
	case former.Default:
		return ErrDefaultLanguage
	}
	return deleteLanguage(tx, code)
}

func (l *Language) takeMark(tx *db.Tx) error {
	if !l.Default {
		return nil
	}
	return unmarkOtherLanguages(tx, l.Code)
}
