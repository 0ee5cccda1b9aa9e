// Package category stores the groups in which a store shows its campaigns.
package category

import (
	"cmp"
	"slices"
	"strings"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/keytext"
	"punchcard/platform/search"
)

// Limit is the number of categories that a store can have. It is low enough to read all of them at once.
const Limit = 1000

// ErrLimit is returned when a store that has Limit categories creates another.
var ErrLimit = fault.New(fault.Refused, "too_many_categories", "The store has as many categories as it can have: 1000.")

// Category is a group of campaigns. Campaigns can have an inactive category, and be filtered by it. Only lists
// of active categories leave it out.
type Category struct {
	StoreKey     int64
	ID           string
	Active       bool
	SortOrder    int64
	Translations []Translation
}

// Translation is the name of a category in one language.
type Translation struct {
	Name   string `json:"name"`
	ID     int64  `json:"id"`
	Locale string `json:"locale"`
}

// Name returns the category's name in the locale.
func (c *Category) Name(locale api.Locale) string {
	return locale.Text(func(code string) string {
		for _, t := range c.Translations {
			if t.Locale == code {
				return t.Name
			}
		}
		return ""
	})
}

// Create adds a category and returns its id, or ErrLimit.
func Create(tx *db.Tx, s *store.Store, c Category) (string, error) {
	n, err := countCategories(tx, s.Key)
	if err != nil {
		return "", err
	}
	if n >= Limit {
		return "", ErrLimit
	}
	c.StoreKey, c.ID = s.Key, tx.NewID()
	if err := c.number(tx, nil); err != nil {
		return "", err
	}
	return c.ID, insertCategory(tx, &c)
}

// Update replaces everything but the id of a category. The translation of a language keeps its id.
func Update(tx *db.Tx, s *store.Store, id string, c Category) error {
	old, err := lockCategory(tx, s.Key, id)
	if err != nil {
		return err
	}
	c.StoreKey, c.ID = s.Key, id
	if err := c.number(tx, old.Translations); err != nil {
		return err
	}
	return updateCategory(tx, &c)
}

// number assigns ids to translations: the old one of the language if there is one, otherwise a new one.
func (c *Category) number(tx *db.Tx, old []Translation) error {
	c.Translations = slices.Clone(c.Translations)
	for i := range c.Translations {
		t := &c.Translations[i]
		known := slices.IndexFunc(old, func(o Translation) bool { return o.Locale == t.Locale })
		if known >= 0 {
			t.ID = old[known].ID
			continue
		}
		id, err := store.TranslationIDs(tx, 1)
		if err != nil {
			return err
		}
		t.ID = id
	}
	return nil
}

// SetActive activates or deactivates a category. Repeating it has no further effect.
func SetActive(tx *db.Tx, s *store.Store, id string, active bool) error {
	c, err := lockCategory(tx, s.Key, id)
	if err != nil {
		return err
	}
	c.Active = active
	return updateCategory(tx, &c)
}

// SelectNames returns a query for the names of categories, and the map by id that it fills. Ids must be distinct;
// unknown ones are missing from the result.
func SelectNames(tx *db.Tx, storeKey int64, locale api.Locale, ids ...string) (map[string]string, db.Query) {
	names := make(map[string]string, len(ids))
	return names, selectSome(tx, storeKey, ids, func(c Category) { names[c.ID] = c.Name(locale) })
}

// sortable compares categories by each field that a list can be sorted by.
var sortable = map[string]func(a, b *Category, locale api.Locale) int{
	"campaignCategoryId": func(a, b *Category, _ api.Locale) int { return cmp.Compare(a.ID, b.ID) },
	"name": func(a, b *Category, l api.Locale) int {
		return cmp.Compare(search.Fold(a.Name(l)), search.Fold(b.Name(l)))
	},
	"active": func(a, b *Category, _ api.Locale) int {
		return cmp.Compare(number(a.Active), number(b.Active))
	},
	"sortOrder": func(a, b *Category, _ api.Locale) int { return cmp.Compare(a.SortOrder, b.SortOrder) },
}

// sortBy sorts categories by the field of the page, or by sortOrder and name if it has none. It sorts here rather than
// in the database, because the name of a category depends on the languages of the request, and there are at most Limit.
func sortBy(all []Category, page api.Page, locale api.Locale) {
	usual := func(a, b *Category) int {
		return cmp.Or(cmp.Compare(a.SortOrder, b.SortOrder),
			cmp.Compare(search.Fold(a.Name(locale)), search.Fold(b.Name(locale))))
	}
	order := usual
	if chosen := sortable[page.Sort]; chosen != nil {
		order = func(a, b *Category) int { return chosen(a, b, locale) }
	}
	slices.SortStableFunc(all, func(a, b Category) int {
		if page.Descending {
			a, b = b, a
		}
		return order(&a, &b)
	})
}

func number(flag bool) int {
	if flag {
		return 1
	}
	return 0
}

// matches reports whether the name in the locale contains the text or, if whole is set, equals it. Case is
// ignored.
func (c *Category) matches(locale api.Locale, text string, whole bool) bool {
	name := keytext.Fold(c.Name(locale))
	text = keytext.Fold(text)
	return name == text || !whole && strings.Contains(name, text)
}
