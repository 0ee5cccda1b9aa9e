package letter

import (
	"embed"
	"html/template"
	"strings"

	"punchcard/loyalty/branding"
	"punchcard/platform/mail"
)

// Look holds the name, the logo and the colors that a store's e-mails have.
type Look struct {
	Language string
	Program  string // its name
	Logo     string // URL; empty for none, and then the name is shown
	branding.Palette
}

//go:embed letter.html
var files embed.FS

// page writes an e-mail. It escapes all that stores and customers wrote.
var page = template.Must(template.New("letter.html").Funcs(template.FuncMap{"paragraphs": paragraphs}).
	ParseFS(files, "letter.html"))

// paragraphs returns the paragraphs of a text, with their line breaks, and URLs as links of a color.
func paragraphs(text, color string) []template.HTML {
	var all []template.HTML
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if paragraph = strings.Trim(paragraph, "\n"); paragraph != "" {
			// Linked escapes the text.
			linked := mail.Linked(paragraph, ` class="accent" style="color:`+color+`"`)
			all = append(all, template.HTML(strings.ReplaceAll(linked, "\n", "<br>\n")))
		}
	}
	return all
}

// Outlook for Windows knows no greatest width, but comments that others ignore.
const (
	outlookOpens  template.HTML = `<!--[if mso]><table role="presentation" width="600" align="center"><tr><td><![endif]-->`
	outlookCloses template.HTML = `<!--[if mso]></td></tr></table><![endif]-->`
)

// HTML returns an e-mail as HTML of tables and inline styles, which mail programs show alike: at most 600 pixels wide,
// and dark for people who prefer that.
func HTML(look *Look, subject string, parts []Part) (string, error) {
	var b strings.Builder
	err := page.Execute(&b, map[string]any{
		"Look": look, "Subject": subject, "Parts": parts, "OutlookOpens": outlookOpens, "OutlookCloses": outlookCloses,
	})
	return b.String(), err
}
