package timeline

import "testing"

func TestTypeOf(t *testing.T) {
	for _, c := range []struct{ kind, data, want string }{
		{"transfer", `{"type":"adding"}`, "transfer_adding"},
		{"transfer", `{"type":"p2p_spending"}`, "transfer_p2p_spending"},
		{"event", `{"type":"Platform.Domain.User.Event.CustomerWasActivated"}`, "event_customer_was_activated"},
		{"audit", `{"eventType":"UpdateCustomer","entityType":"customer"}`, "audit_update_customer"},
		{"purchase", `{"costInPoints":5}`, "purchase"},
		{"purchase", `[]`, "purchase"},
	} {
		if got := typeOf(c.kind, []byte(c.data)); got != c.want {
			t.Errorf("%s of %s is %s, want %s", c.kind, c.data, got, c.want)
		}
	}
}
