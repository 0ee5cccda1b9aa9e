package template

import (
	"embed"
	"fmt"
	"strings"
)

// Built-in texts by language. A line "[event channel]" begins each of them.
//
//go:embed texts/*.txt
var textFiles embed.FS

// builtInLanguages are those of the built-in texts.
var builtInLanguages = []string{"en", "pl", "de", "fr", "es"}

var builtIns = readBuiltIns()

func readBuiltIns() map[Key]Text {
	all := map[Key]Text{}
	for _, language := range builtInLanguages {
		content, err := textFiles.ReadFile("texts/" + language + ".txt")
		if err != nil {
			panic(err)
		}
		for _, section := range strings.Split("\n"+string(content), "\n[")[1:] {
			heading, text, _ := strings.Cut(section, "]\n")
			event, channel, found := strings.Cut(heading, " ")
			if !found {
				panic(fmt.Sprintf("texts/%s.txt: wrong heading %q", language, heading))
			}
			all[Key{event, channel, language}] = parseText(text)
		}
	}
	return all
}

// parseText reads a text whose first line may be its subject.
func parseText(text string) (t Text) {
	if rest, found := strings.CutPrefix(text, "Subject: "); found {
		t.Subject, text, _ = strings.Cut(rest, "\n")
	}
	t.Content = strings.TrimSpace(text)
	return t
}
