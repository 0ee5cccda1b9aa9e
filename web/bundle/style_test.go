package bundle_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	mediaRule = regexp.MustCompile(`(?s)@[a-z]+[^{;]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}`)
	ruleStart = regexp.MustCompile(`([^{}]+)\{[^{}]*\}`)
	oneClass  = regexp.MustCompile(`^\.[\w-]+$`)
)

// All areas of an app share its style sheet, so each gives its classes names of their own. Otherwise one area changes
// how another looks. Apps may style the classes of base.css anew.
func TestClassesBelongToOneArea(t *testing.T) {
	for _, app := range []string{"cockpit", "till", "me"} {
		owners := map[string]string{}
		for _, folder := range []string{"ui", app} {
			err := filepath.WalkDir(filepath.Join(root, folder), func(name string, entry fs.DirEntry, err error) error {
				if err != nil || filepath.Ext(name) != ".css" || entry.Name() == "base.css" {
					return err
				}
				text, err := os.ReadFile(name)
				for _, rule := range ruleStart.FindAllStringSubmatch(mediaRule.ReplaceAllString(string(text), ""), -1) {
					for selector := range strings.SplitSeq(rule[1], ",") {
						class := strings.TrimSpace(selector)
						if !oneClass.MatchString(class) {
							continue
						}
						if owner := owners[class]; owner != "" && owner != name {
							t.Errorf("%s is in %s and in %s", class, owner, name)
						}
						owners[class] = name
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(owners) == 0 {
			t.Errorf("%s has no classes", app)
		}
	}
}
