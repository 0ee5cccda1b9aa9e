package storeapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"punchcard/api"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// contentLimit is the length of a language's texts, in characters.
const contentLimit = 1 << 20

// languageView is the wire form of a language; lists leave the content out.
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
		UpdatedAt: api.Timestamp(l.UpdatedAt, time.UTC), // languages belong to no store and its time zone
	}
}

// listLanguages implements J14.
func listLanguages(c *api.Call) error {
	answer := languageList{Translations: []languageView{}}
	err := c.Read(func(tx *db.Tx) error {
		languages, err := store.AllLanguages(tx)
		for i := range languages {
			answer.Translations = append(answer.Translations, viewOfLanguage(&languages[i]))
		}
		answer.Total = len(languages)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

// getLanguage implements J16.
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

// addLanguage implements J15.
func addLanguage(c *api.Call) error {
	return saveLanguage(c, readCode, func(tx *db.Tx, l store.Language) (store.Language, error) {
		if err := store.AddLanguage(tx, l); err != nil {
			return l, err
		}
		l, _, err := store.FindLanguage(tx, l.Code)
		return l, err
	})
}

// changeLanguage implements J17.
func changeLanguage(c *api.Call) error {
	code := c.PathValue("code")
	if _, err := readLanguage(c, code); err != nil { // 404 for an unknown one comes before errors in its data
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

// noCode is for a language whose code the path tells.
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
		return err
	})
	if errors.Is(err, store.ErrTaken) {
		group.AddError("code", form.AlreadyUsed)
		return group.Err()
	}
	if err != nil {
		return err
	}
	return c.OK(viewOfLanguage(&l))
}

// isObject accepts the text of one JSON object.
func isObject(text string) bool { return strings.HasPrefix(text, "{") && json.Valid([]byte(text)) }

// removeLanguage implements J18.
func removeLanguage(removed func(tx *db.Tx, code string) error) func(c *api.Call) error {
	return func(c *api.Call) error {
		err := c.Write(func(tx *db.Tx) error {
			tx.AfterCommit(c.Stores().Forget)
			code := c.PathValue("code")
			if err := store.RemoveLanguage(tx, code); err != nil {
				return err
			}
			return removed(tx, code)
		})
		if err != nil {
			return err
		}
		return c.OK(struct{}{})
	}
}

// getContent implements J19: the cockpit's own texts in the language asked for, else in the default one.
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
