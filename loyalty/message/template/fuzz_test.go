package template

import (
	"strings"
	"testing"

	"punchcard/core/store"
)

// FuzzRender fills in texts that saving would accept. Every placeholder is replaced by its value, nothing else
// changes, and a value is not read again.
func FuzzRender(f *testing.F) {
	for _, text := range []string{
		"Hello {{ first_name }}", "{{first_name}}{{ last_name }}", "{ { first_name } }", "}}{{", "{{{ first_name }}}",
		"{{ campaign_text }}\n{{\tfirst_name\t}}", "{{ first_name }", "{{ first_name | upper }}",
	} {
		f.Add(text, "Ida", "Come\nand {{ last_name }}")
	}
	e := Find(CampaignAvailable)
	f.Fuzz(func(t *testing.T, text, name, campaign string) {
		if unknown(text, e.names()) != "" {
			return
		}
		filled := Text{Subject: text, Content: text}.fill(&store.Store{}, map[string]string{
			"first_name": name, "campaign_text": campaign,
		})
		if strings.ContainsAny(filled.Subject, "\r\n") {
			t.Errorf("%q has line breaks in the subject", filled.Subject)
		}
		want, rest := "", text
		for {
			before, after, found := strings.Cut(rest, "{{")
			want += before
			if !found {
				break
			}
			inside, more, closed := strings.Cut(after, "}}")
			if !closed {
				t.Fatalf("%q was accepted", text)
			}
			switch strings.Trim(inside, " \t") {
			case "first_name":
				want += oneLine(name)
			case "campaign_text":
				want += campaign
			}
			rest = more
		}
		if filled.Content != want {
			t.Errorf("%q became %q, want %q", text, filled.Content, want)
		}
	})
}
