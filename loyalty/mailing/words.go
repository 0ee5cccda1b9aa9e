package mailing

import (
	"slices"
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/letter"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

const (
	subjectLimit = 255
	contentLimit = 20_000
	// ShortLimit is the length of the short text, in characters: three SMS of 160.
	ShortLimit = 480
	linkLimit  = 2_000
)

// Words are the texts of a mailing or a journey.
type Words struct {
	Texts map[string]Text `json:"texts"`          // by language
	Link  string          `json:"link,omitempty"` // the target of the placeholder link
}

// Text is the text of a mailing in a language.
type Text struct {
	Subject string `json:"subject,omitempty"` // of e-mails and push messages
	Content string `json:"content,omitempty"` // of e-mails without blocks
	Short   string `json:"short,omitempty"`   // of the other channels
	// Blocks are e-mails in the look of the store. Their plain text is made of them.
	Blocks []letter.Block `json:"blocks,omitempty"`

	parts []letter.Part // the blocks as a customer gets them
}

func (t *Text) isEmpty() bool {
	return t.Subject == "" && t.Content == "" && t.Short == "" && len(t.Blocks) == 0
}

// in returns the text in the best language: the wanted one, its base, the default one, its base, or any.
func (w *Words) in(wanted, usual string) Text {
	base := func(code string) string {
		code, _, _ = strings.Cut(strings.ReplaceAll(code, "-", "_"), "_")
		return code
	}
	for _, code := range []string{wanted, base(wanted), usual, base(usual)} {
		if t, found := w.Texts[code]; found {
			return t
		}
	}
	first := ""
	for code := range w.Texts {
		if first == "" || code < first {
			first = code
		}
	}
	return w.Texts[first]
}

// ReadChannels reads the channels of a mailing or a journey.
func ReadChannels(g *form.Group) []string {
	return g.Texts("channels", form.MinItems(1), form.Matches(form.UnknownChoice, func(name string) bool {
		return name == "" || slices.Contains(message.MailingChannels, name)
	}))
}

// ownPlaceholders are those of mailings and journeys, besides the ones that all messages have.
var ownPlaceholders = []string{"points", "level_name", "link"}

// ReadWords reads the texts that channels need, with further placeholders, and the target of the link.
func ReadWords(g *form.Group, channels []string, languages store.Languages, placeholders ...string) (w Words) {
	w.Texts = readTexts(g.Group("texts"), channels, languages, slices.Concat(ownPlaceholders, placeholders))
	if len(w.Texts) == 0 && !g.Failed("texts") {
		g.AddError("texts", form.NoItems)
	}
	w.Link = g.Text("link", form.MaxLength(linkLimit), form.Matches(form.NotValid, letter.IsWebAddress))
	return w
}

func readTexts(g *form.Group, channels []string, languages store.Languages, placeholders []string) map[string]Text {
	texts := map[string]Text{}
	known := form.Matches(form.NotValid, func(text string) bool {
		return template.Unknown(text, placeholders...) == ""
	})
	mail := slices.Contains(channels, template.Email)
	push := slices.Contains(channels, template.Push)
	short := slices.ContainsFunc(channels, func(channel string) bool {
		return channel != template.Email && channel != ""
	})
	for _, l := range languages {
		t := g.Group(l.Code)
		text := Text{
			Subject: t.Text("subject", form.MaxLength(subjectLimit), known),
			Content: t.Text("content", form.MaxLength(contentLimit), known),
			Short:   t.Text("short", form.MaxLength(ShortLimit), known),
			Blocks:  letter.Read(t, known),
		}
		failed := slices.ContainsFunc([]string{"subject", "content", "short", "blocks"}, t.Failed)
		if text.isEmpty() && !failed {
			continue // not written in this language
		}
		content := mail && len(text.Blocks) == 0
		if len(text.Blocks) > 0 {
			text.Content = ""
		}
		for name, of := range map[string]struct {
			text     string
			required bool
		}{"subject": {text.Subject, mail || push}, "content": {text.Content, content}, "short": {text.Short, short}} {
			if of.required && of.text == "" && !t.Failed(name) {
				t.AddError(name, form.Blank)
			}
		}
		texts[l.Code] = text
	}
	return texts
}

// writer writes texts to customers.
type writer struct {
	store   *store.Store
	words   *Words
	usual   string // language
	balance map[string]points.Account
	levels  []level.Level
	now     time.Time
	material
}

func (svc *Service) newWriter(tx *db.Tx, s *store.Store, words *Words, customers ...*customer.Customer) (
	*writer, error) {
	w := &writer{store: s, words: words, now: tx.Now()}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return nil, err
	}
	w.usual = languages.Default()
	if w.levels, err = level.All(tx, s.Key); err != nil {
		return nil, err
	}
	if w.material, err = svc.gather(tx, s, words); err != nil {
		return nil, err
	}
	var ids []string
	for _, c := range customers {
		if c.ID != "" { // not the made-up one of a preview
			ids = append(ids, c.ID)
		}
	}
	balance, query := points.SelectBalances(tx, s, ids...)
	w.balance = balance
	if len(ids) == 0 {
		return w, nil
	}
	return w, tx.Run(query)
}

// write returns the text to a customer. Names are left out of the subject if somebody else may have entered them. link
// is that of the placeholder, and href returns the address that leads to a target of a block.
func (w *writer) write(c *customer.Customer, link string, further map[string]string,
	href func(target string) string) Text {
	of := w.words.in(c.Locale, w.usual)
	values := c.MessageValues()
	values["points"], values["link"] = decimal.Hundredths(w.balance[c.ID].Points).String(), link
	if l := level.Find(w.levels, c.LevelID); l != nil {
		values["level_name"] = l.Name(api.Locale{Wanted: c.Locale, Default: w.usual})
	}
	for name, value := range further {
		values[name] = value
	}
	inSubject := values
	if !c.EmailVerified {
		inSubject = template.WithoutNames(values)
	}
	t := Text{
		Subject: template.Fill(w.store, of.Subject, inSubject), Content: template.Fill(w.store, of.Content, values),
		Short: template.Fill(w.store, of.Short, values),
	}
	if len(of.Blocks) > 0 {
		t.parts = w.parts(c, of.Blocks, values, href)
		t.Content = letter.Plain(t.parts)
	}
	return t
}
