package template

import (
	"slices"
	"testing"
)

func TestBuiltInTextsAreComplete(t *testing.T) {
	wanted := map[key]bool{}
	for _, e := range Events {
		for _, channel := range e.Channels {
			for _, language := range builtInLanguages {
				k := key{e.Name, channel, language}
				wanted[k] = true
				text, exists := builtIns[k]
				if !exists || text.Content == "" {
					t.Errorf("%v has no text", k)
				}
				for _, part := range []string{text.Subject, text.Content} {
					if name := unknown(part, e.Names()); name != "" {
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
