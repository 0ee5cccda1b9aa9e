package bundle_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
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
		content, err := readCompressed(name)
		short := filepath.ToSlash(strings.TrimPrefix(name, filepath.Join(root, "dist")+string(filepath.Separator)))
		short = strings.TrimSuffix(short, ".gz")
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

func readCompressed(name string) ([]byte, error) {
	opened, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	reader, err := gzip.NewReader(opened)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
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

// pluralForms are the categories that whole numbers have in the languages of the apps.
var pluralForms = map[string][]string{
	"en": {"one", "other"}, "pl": {"few", "many", "one", "other"}, "de": {"one", "other"},
	"fr": {"many", "one", "other"}, "es": {"many", "one", "other"},
}

// Every text that the sources use exists in every language, with the same parameters and every plural form, and no
// other does. The compiler checks keys in the sources; keys that are made at run time begin with a prefix that stands
// in the sources.
func TestTexts(t *testing.T) {
	english := readTexts(t, "en")
	files, err := filepath.Glob(filepath.Join(root, "i18n", "*.json"))
	if err != nil || len(files) != len(pluralForms) {
		t.Errorf("there are %d languages with texts (%v), %d with plural forms", len(files), err, len(pluralForms))
	}
	for language, forms := range pluralForms {
		texts := readTexts(t, language)
		for key, text := range english {
			other, found := texts[key]
			if !found {
				t.Errorf("%s.json has no %s", language, key)
			} else if a, b := parametersOf(text), parametersOf(other); !slices.Equal(a, b) {
				t.Errorf("%s has the parameters %v in en.json, %v in %s.json", key, a, b, language)
			}
		}
		for key, text := range texts {
			if _, found := english[key]; !found {
				t.Errorf("en.json has no %s", key)
			}
			if string(text) == `""` {
				t.Errorf("%s is empty in %s.json", key, language)
			}
			var plural map[string]string
			if json.Unmarshal(text, &plural) == nil && !slices.Equal(slices.Sorted(maps.Keys(plural)), forms) {
				t.Errorf("%s has the plural forms %v in %s.json", key, slices.Sorted(maps.Keys(plural)), language)
			}
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
