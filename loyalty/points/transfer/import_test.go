package transfer

import (
	"errors"
	"testing"

	"punchcard/platform/fault"
)

// FuzzImportedTransfers checks that any file is refused as a whole, or becomes records with identifiers.
func FuzzImportedTransfers(f *testing.F) {
	f.Add([]byte(`<pointsTransfers><pointsTransfer>
		<customerId>c</customerId><points>2</points>
	</pointsTransfer></pointsTransfers>`))
	f.Add([]byte("customerEmail,points,type\nida@example.org,10,adding\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		records, err := Import().Read(file)
		if _, is := errors.AsType[*fault.Error](err); err != nil && (!is || records != nil) {
			t.Fatalf("%d records, %v", len(records), err)
		}
		for _, r := range records {
			if r.Identifier() == "" {
				t.Fatal("a record has no identifier")
			}
		}
	})
}
