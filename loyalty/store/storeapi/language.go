package storeapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"punchcard/api"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// contentLimit is the maximum length of a language's content, in characters.
const contentLimit = 1 << 20

// languageView is a language. Lists omit the content.
type languageView struct {
	Code      string `json:"code"`
	Name      string `json:"name"`
	Default   bool   `json:"default"`
	Order     int64  `json:"order"`
	Content   string `json:"content,omitempty"`
	UpdatedAt string `json:"updatedAt"`
}

type languageList struct {
	Translations []languageView `json:"translations"`
	Total        int            `json:"total"`
}

func viewOfLanguage(l *store.Language) languageView {
	return languageView{
		Code: l.Code, Name: l.Name, Default: l.Default, Order: l.Position, Content: l.Content,
		UpdatedAt: api.Timestamp(l.UpdatedAt, time.UTC), // languages belong to no store with a time zone
	}
}

func listLanguages(c *api.Call) error {
	response := languageList{Translations: []languageView{}}
	err := c.Read(func(tx *db.Tx) error {
		languages, err := store.AllLanguages(tx)
		for i := range languages {
			response.Translations = append(response.Translations, viewOfLanguage(&languages[i]))
		}
		response.Total = len(languages)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func getLanguage(c *api.Call) error {
	l, err := readLanguage(c, c.PathValue("code"))
	if err != nil {
		return err
	}
	return c.OK(viewOfLanguage(&l))
}

func readLanguage(c *api.Call, code string) (l store.Language, err error) {
	err = c.Read(func(tx *db.Tx) error {
		var found bool
		if l, found, err = store.FindLanguage(tx, code); err == nil && !found {
			err = fault.ErrNotFound
		}
		return err
	})
	return l, err
}

func addLanguage(c *api.Call) error {
	return saveLanguage(c, readCode, func(tx *db.Tx, l store.Language) (store.Language, error) {
		if err := store.AddLanguage(tx, l); err != nil {
			return l, err
		}
		l, _, err := store.FindLanguage(tx, l.Code)
		return l, err
	})
}

func changeLanguage(c *api.Call) error {
	code := c.PathValue("code")
	if _, err := readLanguage(c, code); err != nil { // an unknown language is 404 even if the data has errors
		return err
	}
	return saveLanguage(c, noCode, func(tx *db.Tx, l store.Language) (store.Language, error) {
		l.Code = code
		return store.ChangeLanguage(tx, l)
	})
}

func readCode(g *form.Group) string {
	return g.Text("code", form.NotBlank, form.MaxLength(nameLimit),
		form.Matches(form.Invalid("not_a_language"), store.IsLanguage))
}

// noCode is for a language whose code is in the path.
func noCode(*form.Group) string { return "" }

func readLanguageForm(g *form.Group, code func(*form.Group) string) store.Language {
	return store.Language{
		Name: g.Text("name", form.NotBlank, form.MaxLength(nameLimit)), Code: code(g),
		Default: g.Checkbox("default"), Position: g.Integer("order"),
		Content: g.Text("content", form.MaxLength(contentLimit), form.Matches(form.Invalid("not_an_object"), isObject)),
	}
}

func saveLanguage(c *api.Call, code func(*form.Group) string,
	run func(tx *db.Tx, l store.Language) (store.Language, error)) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "translation")
	l := readLanguageForm(group, code)
	if err := group.Err(); err != nil {
		return err
	}
	err = c.Write(func(tx *db.Tx) (err error) {
		tx.AfterCommit(c.Stores().Forget)
		l, err = run(tx, l)
		audit.Of(tx).SetEntity(l.Code)
		return err
	}, func() error { return c.OK(viewOfLanguage(&l)) })
	if errors.Is(err, store.ErrTaken) {
		group.AddError("code", form.AlreadyUsed)
		return group.Err()
	}
	return err
}

// isObject returns whether the text is a JSON object.
func isObject(text string) bool { return strings.HasPrefix(text, "{") && json.Valid([]byte(text)) }

func removeLanguage(removed func(tx *db.Tx, code string) error) func(c *api.Call) error {
	return func(c *api.Call) error {
		return c.Write(func(tx *db.Tx) error {
			tx.AfterCommit(c.Stores().Forget)
			code := c.PathValue("code")
			if err := store.RemoveLanguage(tx, code); err != nil {
				return err
			}
			return removed(tx, code)
		}, func() error { return c.OK(struct{}{}) })
	}
}

// getContent shows the texts of web applications in the requested language, or in the default language.
func getContent(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var content string
	err = c.Read(func(tx *db.Tx) (err error) {
		content = locale.Text(func(code string) string {
			l, _, readErr := store.FindLanguage(tx, code)
			err = errors.Join(err, readErr)
			return l.Content
		})
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(json.RawMessage(cmp.Or(content, "{}")))
}
