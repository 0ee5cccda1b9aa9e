package mailing

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/branding"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/letter"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// material holds the rewards and pictures that the blocks of texts show.
type material struct {
	campaigns map[string]*campaign.Campaign
	shown     branding.Shown
	server    string // begins the addresses of pictures; empty in a preview, whose page is of the same server
	pages     string // begins those of rewards
	bare      bool   // without pictures, because nobody could load them
}

// gather reads what blocks show, in all languages.
func (svc *Service) gather(tx *db.Tx, s *store.Store, words *Words) (m material, err error) {
	var ids []string
	any := false
	for _, text := range words.Texts {
		for _, b := range text.Blocks {
			any = true
			if b.Campaign != "" {
				ids = append(ids, b.Campaign)
			}
			if of, _, found := strings.Cut(b.Picture, "/"); found {
				ids = append(ids, of)
			}
		}
	}
	if !any {
		return m, nil
	}
	m.server, m.pages = svc.messages.API(s), svc.messages.Pages(s)
	m.bare = m.server == ""
	if m.shown, err = branding.Show(tx, s); err != nil || len(ids) == 0 {
		return m, err
	}
	m.campaigns, err = svc.catalogue.FindAll(tx, s.Key, db.Distinct(ids)...)
	return m, err
}

// parts returns the blocks of a text to a customer. A picture that was removed, and a reward that customers do not see
// now, are left out. href returns the address that leads to a target.
func (w *writer) parts(c *customer.Customer, blocks []letter.Block, values map[string]string,
	href func(target string) string) (parts []letter.Part) {
	for _, b := range blocks {
		p := letter.Part{
			Kind: b.Kind, Text: template.Fill(w.store, b.Text, values), Code: template.Fill(w.store, b.Code, values),
			Link: href(b.Link),
		}
		switch b.Kind {
		case letter.Picture:
			if p.Image = w.picture(b.Picture); p.Image == "" {
				continue
			}
		case letter.Reward:
			of := w.campaigns[b.Campaign]
			if of == nil || !of.VisibleAt(w.now) {
				continue
			}
			w.present(&p, of, api.Locale{Wanted: c.Locale, Default: w.usual}, href)
		}
		parts = append(parts, p)
	}
	return parts
}

// present fills the part of a reward. Its own text takes the place of the short description.
func (w *writer) present(p *letter.Part, of *campaign.Campaign, locale api.Locale, href func(target string) string) {
	p.Title = of.Name(locale)
	p.Text = cmp.Or(p.Text, of.Text(locale, func(t *campaign.Translation) string { return t.ShortDescription }))
	if of.Reward.Buyable && of.Cost > 0 {
		p.Note = of.Cost.String() + " " + w.store.Settings.ProgramPointsPlural
	}
	if photos := of.Definition.Photos; len(photos) > 0 {
		p.Image = w.picture(of.ID + "/" + photos[0].ID)
	}
	if w.pages != "" {
		p.Link = href(w.pages + "/me/" + w.store.Code + "/rewards/" + of.ID)
	}
}

// picture returns the address of a picture, empty if there is none.
func (w *writer) picture(name string) string {
	if w.bare {
		return ""
	}
	if of, photo, found := strings.Cut(name, "/"); found {
		c := w.campaigns[of]
		if c == nil || !slices.ContainsFunc(c.Definition.Photos, func(p campaign.Image) bool { return p.ID == photo }) {
			return ""
		}
		return w.server + "/api/" + w.store.Code + "/campaign/" + of + "/photo/" + photo
	}
	files := map[string]*branding.FileView{
		branding.HeroImage: w.shown.HeroImage, branding.Logo: w.shown.Logo, branding.SmallLogo: w.shown.SmallLogo,
	}
	if files[name] == nil {
		return ""
	}
	return w.server + files[name].Path
}

// targets are the addresses to which the blocks of messages lead, by their ids.
type targets map[string]string

// add adds a target, and returns its id, which is the same for the same target.
func (t targets) add(target string) (id string) {
	id = targetID(target)
	t[id] = target
	return id
}

func targetID(target string) string {
	const idBytes = 12
	sum := sha256.Sum256([]byte(target))
	return base64.RawURLEncoding.EncodeToString(sum[:idBytes])
}

// save stores the targets of a source, which stay what they are when the source is changed.
func (t targets) save(tx *db.Tx, storeKey int64, sourceID string) error {
	var rows []*target
	for _, id := range slices.Sorted(maps.Keys(t)) {
		rows = append(rows, &target{storeKey, sourceID, id, t[id]})
	}
	return targetTable.InsertOr(tx, "ON CONFLICT DO NOTHING", rows...)
}

type target struct {
	storeKey          int64
	sourceID, id, url string
}

var targetTable = db.NewTable("marketing_targets", "store_id, source_id, target_id", func(t *target) db.Row {
	return db.Row{"store_id", &t.storeKey, "source_id", &t.sourceID, "target_id", &t.id, "target", &t.url}
})

// TargetOf returns the stored target that the path names, or the link of the source if it names none.
func TargetOf(c *api.Call, tx *db.Tx, sourceID, link string) (string, error) {
	id := c.PathValue("target")
	if id == "" {
		return link, nil
	}
	t, found, err := targetTable.One(tx,
		`SELECT target FROM marketing_targets WHERE store_id = ? AND source_id = ? AND target_id = ?`,
		c.Store.Key, sourceID, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return t.url, err
}

// same leads to a target without counting.
func same(target string) string { return target }

// html returns the e-mail of a preview, empty if the text has no blocks. Its pictures are those of this server.
func html(tx *db.Tx, s *store.Store, text *Text, language string) (string, error) {
	if len(text.parts) == 0 {
		return "", nil
	}
	look, err := message.LookOf(tx, s, language, "")
	if err != nil {
		return "", err
	}
	return letter.HTML(look, text.Subject, text.parts)
}
