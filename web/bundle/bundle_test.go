package bundle_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"punchcard/web/bundle"
)

const root = ".."

// What is committed in dist was built from the sources beside it.
func TestDistIsFresh(t *testing.T) {
	built, err := bundle.Build(root)
	if err != nil {
		t.Fatal(err)
	}
	committed := map[string]bool{}
	err = filepath.WalkDir(filepath.Join(root, "dist"), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		short := filepath.ToSlash(strings.TrimPrefix(name, filepath.Join(root, "dist")+string(filepath.Separator)))
		committed[short] = bytes.Equal(content, built[short])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(built)) {
		if !committed[name] {
			t.Fatalf("web/dist is stale (%s): run go generate ./web", name)
		}
	}
	if len(committed) != len(built) {
		t.Fatalf("web/dist has %d files, %d were built: run go generate ./web", len(committed), len(built))
	}
}

// The first load of each app, compressed, stays within its limit.
func TestFirstLoad(t *testing.T) {
	built, err := bundle.Build(root)
	if err != nil {
		t.Fatal(err)
	}
	limits := map[string]int{"cockpit": 150_000, "till": 90_000, "me": 90_000} // bytes
	for _, app := range slices.Sorted(maps.Keys(limits)) {
		sum := 0
		for _, content := range built.FirstLoad(app) {
			sum += compressed(t, content)
		}
		t.Logf("%s: %d bytes compressed", app, sum)
		if sum > limits[app] {
			t.Errorf("the first load of %s is %d bytes compressed, the limit is %d", app, sum, limits[app])
		}
	}
}

func compressed(t *testing.T, content []byte) int {
	t.Helper()
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Len()
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// Every text that the sources use exists in every language, with the same parameters, and no other does. The compiler
// checks keys in the sources; keys that are made at run time begin with a prefix that stands in the sources.
func TestTexts(t *testing.T) {
	english, polish := readTexts(t, "en"), readTexts(t, "pl")
	for key, text := range english {
		other, found := polish[key]
		if !found {
			t.Errorf("pl.json has no %s", key)
		} else if a, b := parametersOf(text), parametersOf(other); !slices.Equal(a, b) {
			t.Errorf("%s has the parameters %v in English, %v in Polish", key, a, b)
		}
	}
	for key := range polish {
		if _, found := english[key]; !found {
			t.Errorf("en.json has no %s", key)
		}
	}
	used, err := bundle.UsedTexts(root, "api", "ui", "i18n", "cockpit", "till", "me")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range slices.Sorted(maps.Keys(english)) {
		if !used.Has(key) {
			t.Errorf("no source uses %s", key)
		}
	}
}

func readTexts(t *testing.T, language string) map[string]json.RawMessage {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "i18n", language+".json"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]json.RawMessage{}
	if err := json.Unmarshal(content, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

func parametersOf(text json.RawMessage) []string {
	names := map[string]bool{}
	for _, match := range parameter.FindAllSubmatch(text, -1) {
		names[string(match[1])] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// Every error that a person can cause has a text in the apps, by its code.
func TestErrorTexts(t *testing.T) {
	document, err := os.ReadFile(filepath.Join(root, "..", "docs", "errors.md"))
	if err != nil {
		t.Fatal(err)
	}
	texts := readTexts(t, "en")
	for _, line := range strings.Split(string(document), "\n") {
		columns := strings.Split(line, " | ")
		code, isCode := strings.CutPrefix(columns[0], "| `")
		code, closed := strings.CutSuffix(code, "`")
		if !isCode || !closed || len(columns) > 3 && columns[1] != "400" {
			continue // not an error, or one whose kind has a text, such as a lost session
		}
		if texts["error."+code] == nil && !strings.HasPrefix(code, "invalid_idempotency") {
			t.Errorf("no text for the error %s", code)
		}
	}
}
