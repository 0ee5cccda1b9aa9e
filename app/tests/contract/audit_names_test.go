package contract_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"punchcard/app"
)

// writesNothing matches the paths of previews and searches, which have no entry.
var writesNothing = regexp.MustCompile(
	`/(preview|simulate|validate|checkout(/loyalty)?|search/customer|setup/link|till/device)$`)

// The cockpit has a text for every event and every kind of object that calls write to the audit log.
func TestAuditNamesHaveTexts(t *testing.T) {
	content, err := os.ReadFile("../../../web/i18n/en.json")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]any{}
	if err := json.Unmarshal(content, &texts); err != nil {
		t.Fatal(err)
	}
	for _, e := range app.EndpointTable() {
		named := e.Named()
		if e.Method == "GET" || writesNothing.MatchString(e.Path) {
			continue
		}
		if texts["audit.event."+named.Event] == nil {
			t.Errorf("%s %s: en.json has no audit.event.%s", e.Method, e.Path, named.Event)
		}
		if texts["audit.entity."+named.Entity] == nil {
			t.Errorf("%s %s: en.json has no audit.entity.%s", e.Method, e.Path, named.Entity)
		}
	}
}
