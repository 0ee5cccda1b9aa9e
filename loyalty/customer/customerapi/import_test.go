package customerapi

import (
	"errors"
	"testing"

	"punchcard/loyalty/store"
	"punchcard/platform/fault"
)

// FuzzImportedCustomers checks that any file is refused as a whole, or becomes records that are read or refused.
func FuzzImportedCustomers(f *testing.F) {
	f.Add([]byte(`<customers><customer><firstName>Ida</firstName><address><city>Oslo</city></address>
		<labels><label><key>k</key><value>v</value></label></labels><levelID>x</levelID></customer></customers>`))
	f.Add([]byte("email;firstName;labels;address.city\r\nida@example.org;\"I;da\";k:v;Oslo\r\n;;;\r\n"))
	f.Add([]byte("\xef\xbb\xbfE-Mail\tgender\n"))
	kind := Import(ImportHooks{})
	f.Fuzz(func(t *testing.T, file []byte) {
		records, err := kind.Read(file)
		if _, is := errors.AsType[*fault.Error](err); err != nil && (!is || records != nil) {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for _, r := range records {
			g, _, err := r.(*customerRecord).registration(store.Example)
			if err == nil {
				err = g.Err()
			}
			if _, is := errors.AsType[*fault.Error](err); err != nil && !is {
				t.Fatalf("%v is no answer to a client", err)
			}
		}
	})
}
