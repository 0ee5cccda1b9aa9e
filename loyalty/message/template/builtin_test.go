package template

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestBuiltInTextsAreComplete(t *testing.T) {
	wanted := map[Key]bool{}
	for _, e := range Events {
		for _, channel := range e.Channels {
			for _, language := range builtInLanguages {
				k := Key{e.Name, channel, language}
				wanted[k] = true
				text, exists := builtIns[k]
				if !exists || text.Content == "" {
					t.Errorf("%v has no text", k)
				}
				for _, part := range []string{text.Subject, text.Content} {
					if name := unknown(part, e.names()); name != "" {
						t.Errorf("%v has the unknown placeholder %s", k, name)
					}
				}
				if (text.Subject == "") == (channel == Email) && channel != Push {
					t.Errorf("%v: only e-mails and push messages have a subject, and e-mails need one", k)
				}
			}
		}
		for _, off := range e.Off {
			if !slices.Contains(e.Channels, off) {
				t.Errorf("%s: %s is no channel of it", e.Name, off)
			}
		}
	}
	for k := range builtIns {
		if !wanted[k] {
			t.Errorf("%v is a text of no event", k)
		}
	}
}

func TestUnknown(t *testing.T) {
	names := []string{"first_name", "link"}
	for text, want := range map[string]string{
		"":                                 "",
		"Hello {{ first_name }}, {{link}}": "",
		"a { b } }} c":                     "",
		"{{ last_name }} x":                "{{ last_name }}",
		"{{first_name}} {{#if x}} {{/if}}": "{{#if x}}",
		"{{ first_name | upper }}":         "{{ first_name | upper }}",
		"{{\nfirst_name }}":                "{{",
		"{{{ first_name }}}":               "{{{ first_name }}",
		"{{ First_name }}":                 "{{ First_name }}",
		"{{ 0123456789012345678901234567890123456789": "{{ 0123456789012345678901234567890123456",
	} {
		if got := unknown(text, names); got != want {
			t.Errorf("unknown(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestDocument shows that docs/behaviour/messages.md lists every event with its channels and placeholders.
func TestDocument(t *testing.T) {
	page, err := os.ReadFile("../../../docs/behaviour/messages.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range Events {
		var channels, names []string
		for _, channel := range e.Channels {
			if !e.enabled(channel) {
				channel += " (off)"
			}
			channels = append(channels, channel)
		}
		for _, name := range slices.Concat(e.Placeholders, e.Secret) {
			names = append(names, "`"+name+"`")
			if !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("the page does not describe %s", name)
			}
		}
		label := e.Label
		if e.Marketing {
			label += "; marketing"
		}
		row := fmt.Sprintf("| `%s` | %s | %s | %s |", e.Name, label, strings.Join(channels, ", "), strings.Join(names, ", "))
		if !strings.Contains(string(page), row) {
			t.Errorf("the page lacks the row\n%s", row)
		}
	}
}
