// Package mail sends e-mails by SMTP. Connections stay open for a while and carry several e-mails.
package mail

import (
	"errors"
	"fmt"
	"html"
	"net/mail"
	"regexp"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"

	"punchcard/platform/keytext"
)

// MaxText is the maximum length of a text of an e-mail, in bytes.
const MaxText = 1 << 20

// Mail is an e-mail to one person.
type Mail struct {
	ID       string // the beginning of its Message-Id, the same at every attempt
	From     string // address
	FromName string
	ReplyTo  string // address; empty for From
	To       string // address
	Subject  string
	Text     string
	HTML     string // empty: made of Text
	At       time.Time
	// Unsubscribe is the URL that ends e-mails like this one, by one click; empty for none.
	Unsubscribe string
}

var (
	errAddress = errors.New("the address is not valid")
	errSender  = errors.New("the address that e-mails come from is not valid")
	errReplyTo = errors.New("the address for answers is not valid")
)

// message returns the e-mail with its headers, as plain text and as HTML. Nothing in it adds a header.
func (m *Mail) message() (*gomail.Msg, error) {
	switch {
	case !keytext.IsAddress(m.To):
		return nil, errAddress
	case !keytext.IsAddress(m.From):
		return nil, errSender
	case m.ReplyTo != "" && !keytext.IsAddress(m.ReplyTo):
		return nil, errReplyTo
	}
	if len(m.Text) > MaxText || len(m.HTML) > MaxText {
		return nil, fmt.Errorf("the text is longer than %d bytes", MaxText)
	}
	from := keytext.ASCIIAddress(m.From)
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.EnvelopeFromMailAddress(&mail.Address{Address: from})
	msg.FromMailAddress(&mail.Address{Name: line(m.FromName), Address: from}) // is quoted or encoded as needed
	msg.ToMailAddress(&mail.Address{Address: keytext.ASCIIAddress(m.To)})
	if m.ReplyTo != "" {
		msg.ReplyToMailAddress(&mail.Address{Address: keytext.ASCIIAddress(m.ReplyTo)})
	}
	msg.SetMessageIDWithValue(m.ID + "@" + keytext.ASCIIHost(from[strings.LastIndex(from, "@")+1:]))
	msg.SetDateWithValue(m.At)
	msg.Subject(line(m.Subject))
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Unsubscribe != "" {
		msg.SetGenHeaderPreformatted("List-Unsubscribe", "<"+line(m.Unsubscribe)+">")
		msg.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.html())
	return msg, nil
}

// html returns the HTML of the e-mail.
func (m *Mail) html() string {
	if m.HTML != "" {
		return m.HTML
	}
	return HTML(m.Text)
}

// line replaces control characters, such as line breaks, by blanks.
func line(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text))
}

// link matches a URL in a text, with the punctuation that may follow it.
var link = regexp.MustCompile(`https?://[^\s<>"']+`)

// HTML returns a plain text as an HTML document: paragraphs, each in the direction of its script, line breaks, and URLs
// as links. Everything else in the text is escaped.
func HTML(text string) string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" ` +
		`content="width=device-width"></head><body style="font:16px/1.5 sans-serif;max-width:600px;` +
		`margin:0 auto;padding:16px">` + "\n")
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		linked := Linked(strings.Trim(paragraph, "\n"), "")
		b.WriteString(`<p dir="auto">` + strings.ReplaceAll(linked, "\n", "<br>\n") + "</p>\n")
	}
	b.WriteString("</body></html>\n")
	return b.String()
}

// Linked escapes a text and turns its URLs into links. attributes are HTML that each of them gets, with a blank before
// it.
func Linked(text, attributes string) string {
	var b strings.Builder
	after := 0
	for _, at := range link.FindAllStringIndex(text, -1) {
		url := strings.TrimRight(text[at[0]:at[1]], ".,;:!?)")
		b.WriteString(html.EscapeString(text[after:at[0]]))
		escaped := html.EscapeString(url)
		b.WriteString(`<a href="` + escaped + `"` + attributes + `>` + escaped + `</a>`)
		after = at[0] + len(url)
	}
	b.WriteString(html.EscapeString(text[after:]))
	return b.String()
}
