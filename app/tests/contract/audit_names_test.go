package contract_test

import (
	"encoding/json"
	"os"
	"testing"

	"punchcard/app"
	"punchcard/core/api"
)

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
		named := e.Audit
		if named == (api.Audit{}) {
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
