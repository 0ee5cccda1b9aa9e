package customerapi

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// FuzzImportedCustomers checks that any file is refused as a whole, or becomes records that are read or refused.
func FuzzImportedCustomers(f *testing.F) {
	f.Add([]byte(`<customers><customer><firstName>Ida</firstName><address><city>Oslo</city></address>
		<labels><label><key>k</key><value>v</value></label></labels><levelID>x</levelID></customer></customers>`))
	f.Add([]byte("email;firstName;labels;address.city\r\nida@example.org;\"I;da\";k:v;Oslo\r\n;;;\r\n"))
	f.Add([]byte("\xef\xbb\xbfE-Mail\tgender\n"))
	kind := Import()
	f.Fuzz(func(t *testing.T, file []byte) {
		records, err := kind.Read(file)
		if _, is := errors.AsType[*fault.Error](err); err != nil && (!is || records != nil) {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for _, r := range records {
			_, err := r.(*customerRecord).read(store.Example, time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
			if _, is := errors.AsType[*fault.Error](err); err != nil && !is {
				t.Fatalf("%v is no answer to a client", err)
			}
		}
	})
}

// No switch of a file is on unless it says so.
func TestSwitchesOfImportedCustomers(t *testing.T) {
	const rest = ",email,firstName,lastName,gender\n%s,ida@example.org,Ida,Berg,female\n"
	kind := Import()
	states := map[string]func(e *entry) bool{
		"active":             func(e *entry) bool { return e.in.Active },
		"sendActivationMail": func(e *entry) bool { return e.greet },
		"agreement1":         func(e *entry) bool { return e.in.Agreements[0] },
		"agreement2":         func(e *entry) bool { return e.in.Agreements[1] },
		"agreement3":         func(e *entry) bool { return e.in.Agreements[2] },
	}
	for field, state := range states {
		for text, want := range map[string]string{
			"N": "off", "nie": "off", "NEIN": "off", "non": "off", "0": "off", "false": "off", "FAŁSZ": "off",
			"Y": "on", "tak": "on", "Ja": "on", "oui": "on", "sí": "on", "1": "on", "TRUE": "on",
			"perhaps": "refused", "2": "refused", "null": "refused",
		} {
			records, err := kind.Read(fmt.Appendf(nil, field+rest, text))
			if err != nil {
				t.Fatal(err)
			}
			got := "off"
			e, err := records[0].(*customerRecord).read(store.Example, time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
			if refused, is := errors.AsType[*fault.Error](err); is {
				got = "refused"
				if tree := refused.Detail.(form.Tree); tree.Problems()[0].Pointer != "#/"+field {
					t.Errorf("%s=%s: %v", field, text, tree.Problems())
				}
			} else if state(e) {
				got = "on"
			}
			if got != want {
				t.Errorf("%s=%s is %s, want %s", field, text, got, want)
			}
		}
	}
}
