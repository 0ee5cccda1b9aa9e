package message

import (
	"cmp"
	"strings"

	"punchcard/core/store"
	"punchcard/loyalty/branding"
	"punchcard/loyalty/message/letter"
	"punchcard/platform/db"
)

// Blocks is the value of a message with the blocks of its e-mail, as letter.Encode returns them. Its value mailing_text
// is their plain text. It is no placeholder of texts.
const Blocks = "mailing_blocks"

// LookOf returns the look of a store's e-mails. server begins the address of the logo.
func LookOf(tx *db.Tx, of *store.Store, language, server string) (*letter.Look, error) {
	shown, err := branding.Show(tx, of)
	look := &letter.Look{
		Language: strings.ReplaceAll(language, "_", "-"), Program: of.Settings.ProgramName,
		Palette: branding.PaletteOf(of),
	}
	if shown.Logo != nil {
		look.Logo = server + shown.Logo.Path
	}
	return look, err
}

// htmlOf returns the e-mail of a message with blocks as HTML, empty for other messages. content is the text that the
// store's template makes of the message: what it puts around the blocks stands around them here, too. A template that
// leaves the text of the message out leaves the blocks out.
func (s *sender) htmlOf(tx *db.Tx, of *store.Store, m *Message, subject, content string, ending letter.Part) (
	string, error) {
	parts, err := letter.Decode(m.Values[Blocks])
	before, after, found := strings.Cut(content, m.Values["mailing_text"])
	if err != nil || len(parts) == 0 || !found {
		return "", err
	}
	parts = letter.Around(before, parts, after)
	if ending.Kind != "" {
		parts = append(parts, ending)
	}
	return s.html(tx, of, subject, m.Language, parts)
}

// html returns parts as an e-mail, empty without any.
func (c *Config) html(tx *db.Tx, of *store.Store, subject, language string, parts []letter.Part) (string, error) {
	if len(parts) == 0 {
		return "", nil
	}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return "", err
	}
	server := c.API(of)
	look, err := LookOf(tx, of, cmp.Or(language, languages.Default()), server)
	if err != nil {
		return "", err
	}
	if server == "" {
		look.Logo = "" // nobody could load it
	}
	return letter.HTML(look, subject, parts)
}
