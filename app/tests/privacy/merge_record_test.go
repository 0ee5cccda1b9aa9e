package privacy_test

import (
	"encoding/json"
	"testing"

	"punchcard/loyalty/customer/merge"
)

// A record keeps what features handed over beside its own members, as earlier programs stored it.
func TestRecordsHoldWhatWasHandedOver(t *testing.T) {
	text, err := json.Marshal(&merge.Record{
		Coupons: []string{"c"}, Moved: map[string]json.RawMessage{"Notes": json.RawMessage(`["n"]`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, stored := range []string{string(text), `{"Coupons":["c"],"Notes":["n"],"Earning":{"Uses":null}}`} {
		var r *merge.Record
		if err := json.Unmarshal([]byte(stored), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Coupons) != 1 || string(r.Moved["Notes"]) != `["n"]` {
			t.Errorf("%s became %+v", stored, r)
		}
	}
	var none *merge.Record
	if text, err := json.Marshal(none); err != nil || string(text) != "null" {
		t.Errorf("no record became %s, %v", text, err)
	}
}
