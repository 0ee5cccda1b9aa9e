package storeapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
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

func listLanguages(r *api.Reading) (languageList, error) {
	languages, err := store.AllLanguages(r.Tx)
	list := languageList{make([]languageView, len(languages)), len(languages)}
	for i := range languages {
		list.Translations[i] = viewOfLanguage(&languages[i])
	}
	return list, err
}

func showLanguage(r *api.Reading) (languageView, error) {
	l, err := languageOf(r.Call, r.Tx)
	return viewOfLanguage(&l), err
}

// languageOf returns the language that the path names.
func languageOf(c *api.Call, tx *db.Tx) (store.Language, error) {
	l, found, err := store.FindLanguage(tx, c.PathValue("code"))
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return l, err
}

func findLanguage(w *api.Writing) (store.Language, error) { return languageOf(w.Call, w.Tx) }

func addLanguage(w *api.Writing, l store.Language) (languageView, error) {
	if err := store.AddLanguage(w.Tx, l); err != nil {
		return languageView{}, refusedCode(w, err)
	}
	w.Tx.AfterCommit(w.Stores().Forget)
	w.Entry().SetEntity(l.Code)
	l, _, err := store.FindLanguage(w.Tx, l.Code)
	return viewOfLanguage(&l), err
}

func replaceLanguage(w *api.Writing, old, l store.Language) (languageView, error) {
	w.Tx.AfterCommit(w.Stores().Forget)
	w.Entry().SetEntity(old.Code)
	l.Code = old.Code
	l, err := store.ChangeLanguage(w.Tx, l)
	return viewOfLanguage(&l), err
}

// refusedCode reports store.ErrTaken as an error of the field code.
func refusedCode(w *api.Writing, err error) error {
	if errors.Is(err, store.ErrTaken) {
		return w.Refuse("code", form.AlreadyUsed)
	}
	return err
}

func readCode(g *form.Group) string {
	return g.Text("code", form.NotBlank, form.MaxLength(nameLimit),
		form.Matches(form.Invalid("not_a_language"), store.IsLanguage))
}

func readNewLanguage(g *form.Group) store.Language { return readLanguageForm(g, readCode) }

// readLanguage reads a language whose code is in the path.
func readLanguage(g *form.Group) store.Language {
	return readLanguageForm(g, func(*form.Group) string { return "" })
}

func readLanguageForm(g *form.Group, code func(*form.Group) string) store.Language {
	return store.Language{
		Name: g.Text("name", form.NotBlank, form.MaxLength(nameLimit)), Code: code(g),
		Default: g.Checkbox("default"), Position: g.Integer("order"),
		Content: g.Text("content", form.MaxLength(contentLimit), form.Matches(form.Invalid("not_an_object"), isObject)),
	}
}

// isObject returns whether the text is a JSON object.
func isObject(text string) bool { return strings.HasPrefix(text, "{") && json.Valid([]byte(text)) }

func removeLanguage(w *api.Writing) (none struct{}, err error) {
	w.Tx.AfterCommit(w.Stores().Forget)
	code := w.PathValue("code")
	if err := store.RemoveLanguage(w.Tx, code); err != nil {
		return none, err
	}
	stores, err := store.All(w.Tx)
	if err != nil {
		return none, err
	}
	for i := range stores {
		if err := feature.React(w.Tx, &stores[i], LanguageRemoved{code}); err != nil {
			return none, err
		}
	}
	return none, nil
}

// showContent shows the texts of web applications in the requested language, or in the default language.
func showContent(r *api.Reading, locale api.Locale) (json.RawMessage, error) {
	var failed error
	content := locale.Text(func(code string) string {
		l, _, err := store.FindLanguage(r.Tx, code)
		failed = errors.Join(failed, err)
		return l.Content
	})
	return json.RawMessage(cmp.Or(content, "{}")), failed
}
