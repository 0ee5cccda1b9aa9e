package store

import (
	"cmp"
	"regexp"
	"slices"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Language is a language of translations. One language is the default.
type Language struct {
	Code      string
	Name      string
	Default   bool
	Position  int64
	UpdatedAt time.Time
	Content   string // texts of web applications as a JSON object; empty in lists
}

// Languages are all languages in their order.
type Languages []Language

// languageCode matches codes such as en and pt_BR.
var languageCode = regexp.MustCompile(`^[A-Za-z]{2,3}([_-][A-Za-z0-9]+)?$`)

// IsLanguage returns whether a text has the form of a language code.
func IsLanguage(code string) bool { return languageCode.MatchString(code) }

// Has reports whether one of the languages has the code. Its case counts.
func (l Languages) Has(code string) bool {
	return slices.ContainsFunc(l, func(known Language) bool { return known.Code == code })
}

// TranslationLimit is how many translations one object can have beyond those into the known languages.
const TranslationLimit = 200

// With returns the codes of the languages, followed by the submitted codes of other languages. ok is false if a
// submitted code is not valid or if there are too many.
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

// MaxName is the maximum length of the name of a language and of a translated name, in characters.
const MaxName = 255

// ReadTranslations reads the field translations, which has a group for each language. It visits those of all languages,
// and then submitted ones into others, with the name that each has. Only the default language requires a name.
func (l Languages) ReadTranslations(g *form.Group, visit func(code, name string, others *form.Group)) {
	texts := g.Group("translations")
	codes, valid := l.With(g.Keys("translations"))
	if !valid {
		g.AddError("translations", form.Invalid("not_a_language"))
	}
	for _, code := range codes {
		rules := []form.Rule{form.MaxLength(MaxName)}
		if code == l.Default() {
			rules = append(rules, form.NotBlank)
		}
		of := texts.Group(code)
		visit(code, of.Text("name", rules...), of)
	}
}

// Default returns the code of the default language.
func (l Languages) Default() string {
	for _, language := range l {
		if language.Default {
			return language.Code
		}
	}
	return "en"
}

// ErrDefaultLanguage refuses the removal of the default language.
var ErrDefaultLanguage = fault.New(fault.Refused, "default_language_required",
	"The default language cannot be removed.")

// AddLanguage adds a language. A new default language replaces the former one. The error is ErrTaken if there is a
// language with the code.
func AddLanguage(tx *db.Tx, l Language) error {
	l.Content, l.UpdatedAt = cmp.Or(l.Content, "{}"), tx.Now()
	if err := lockLanguages(tx); err != nil {
		return err
	}
	inserted, err := languageTable.InsertNew(tx, &l)
	if err != nil {
		return err
	}
	if !inserted {
		return ErrTaken
	}
	return l.replaceDefault(tx)
}

// ChangeLanguage replaces a language and returns it. The default language stays the default until another one becomes
// it. The error is fault.ErrNotFound for an unknown code.
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
	return l, l.replaceDefault(tx)
}

// RemoveLanguage removes a language, but not the translations into it, which belong to other features. The error is
// fault.ErrNotFound for an unknown code, and ErrDefaultLanguage for the default language.
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

func (l *Language) replaceDefault(tx *db.Tx) error {
	if !l.Default {
		return nil
	}
	return unmarkOtherLanguages(tx, l.Code)
}
