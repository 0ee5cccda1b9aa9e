package feature_test

import (
	"encoding/json"
	"strings"
	"testing"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// A feature that stores personal data is not listed before it says how it exports, forgets and hands over.
func TestPersonalDataIsDeclared(t *testing.T) {
	forget := []feature.Trace{func(*db.Tx, *store.Store, string, string) (string, error) { return "", nil }}
	for _, c := range []struct {
		stored  feature.Personal
		missing string
	}{
		{feature.Personal{}, ""},
		{feature.Personal{NotExported: "a", NotForgotten: "b", NotHandedOver: "c"}, ""},
		{feature.Personal{NotExported: "a", Forget: forget, NotHandedOver: "c"}, ""},
		{feature.Personal{Forget: forget, NotHandedOver: "c"}, "exports"},
		{feature.Personal{NotExported: "a", NotHandedOver: "c"}, "forgets"},
		{feature.Personal{NotExported: "a", Forget: forget}, "hands over"},
		{feature.Personal{NotExported: "a", Forget: forget, NotForgotten: "b", NotHandedOver: "c"}, "forgets"},
	} {
		if got := complete(c.stored); !strings.Contains(got, c.missing) || (got == "") != (c.missing == "") {
			t.Errorf("%+v: %q, want %q", c.stored, got, c.missing)
		}
	}
}

// complete returns with what feature.Complete panics.
func complete(stored feature.Personal) (problem string) {
	defer func() { problem, _ = recover().(string) }()
	feature.Complete([]feature.Feature{{Section: feature.Section{Name: "Test"}, Customers: stored}})
	return ""
}

// What a HandOver moves comes back as it was, through JSON.
func TestHandOver(t *testing.T) {
	type rows struct{ IDs []string }
	var came rows
	h := feature.HandsOver("Rows", "rows",
		func(*db.Tx, *store.Store, string, string, int) (rows, int, error) {
			return rows{[]string{"a", "b"}}, 2, nil
		},
		func(_ *db.Tx, _ *store.Store, _, _ string, moved rows) error { came = moved; return nil })
	moved, n, err := h.Move(nil, nil, "from", "to", 9)
	if err != nil || n != 2 {
		t.Fatal(n, err)
	}
	text, err := json.Marshal(moved)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Back(nil, nil, "to", "from", text); err != nil || strings.Join(came.IDs, "") != "ab" {
		t.Errorf("%v, %v", came, err)
	}
	if err := h.Back(nil, nil, "to", "from", json.RawMessage("7")); err == nil {
		t.Error("a number was moved back")
	}
}
