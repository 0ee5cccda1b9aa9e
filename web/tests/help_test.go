package tests

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"punchcard/web/webtest"
)

// Every screen of the cockpit has a help page in every language, which has the same parts in all. Pages have links to
// pages that exist.
func TestHelpPages(t *testing.T) {
	languages, err := filepath.Glob("../i18n/*.json")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{"overview": true}
	for _, r := range readRoutes(t) {
		if first := strings.Split(r.path, "/")[1]; r.app == "cockpit" && !r.open && first != "" {
			names[first] = true
		}
	}
	for _, file := range languages {
		language := strings.TrimSuffix(filepath.Base(file), ".json")
		files, err := os.ReadDir(filepath.Join("../help", language))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if name := strings.TrimSuffix(f.Name(), ".md"); !names[name] {
				t.Errorf("help/%s/%s.md is of no screen", language, name)
			}
		}
		for name := range names {
			english, text := readHelp(t, "en", name), readHelp(t, language, name)
			for _, sign := range []string{"\n## ", "\n- ", "\n1. ", "\n2. ", "\n3. ", "](", "**"} {
				if a, b := strings.Count(english, sign), strings.Count(text, sign); a != b {
					t.Errorf("help/%s/%s.md has %q %d times, %d times in English", language, name, sign, b, a)
				}
			}
			for _, link := range strings.Split(text, "](")[1:] {
				if target, _, _ := strings.Cut(link, ")"); !names[target] {
					t.Errorf("help/%s/%s.md leads to %s, which is no page", language, name, target)
				}
			}
		}
	}
}

func readHelp(t *testing.T, language, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../help", language, name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(content, []byte("# ")) {
		t.Errorf("help/%s/%s.md does not begin with its title", language, name)
	}
	return string(content)
}

// Help opens with the keyboard beside the screen, and its links lead to other pages.
func TestHelpByKeyboard(t *testing.T) {
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/rules", webtest.Options{})
	p.WaitFor("heading", "Earning rules")
	enter(t, p, "Help")
	p.WaitFor("dialog", "Earning rules")
	p.Axe()
	tabTo(t, p, "link", "settings")
	p.Press("Enter")
	p.WaitFor("dialog", "Settings")
	p.Press("Escape")
	p.WaitForNo("dialog", "Settings")
	p.WaitPath("/DEFAULT/rules")
}
