package message

import (
	"testing"

	"punchcard/core/access"
	"punchcard/loyalty/message/template"
)

// TestMailboxHidesSecrets shows that what a demonstration keeps of messages with secrets is shown only to those who may
// see where such messages go. A link of an administrator would make them that administrator.
func TestMailboxHidesSecrets(t *testing.T) {
	may := func(resources ...string) *access.Caller {
		granted := map[string][]string{}
		for _, r := range resources {
			granted[r] = []string{access.Modify}
		}
		return &access.Caller{Role: access.Administrator, Permissions: granted}
	}
	for _, e := range template.Events {
		stored := deliveryView{Event: e.Name, Subject: "subject", Content: "https://loyalty.example/reset/secret"}
		for _, c := range []struct {
			by    *access.Caller
			shown bool
		}{
			{may(access.Settings, access.Admin, access.Customers), len(e.Secret) == 0},
			{may(access.Security), true},
			{&access.Caller{Role: access.Administrator, Master: true}, true},
			{nobody, len(e.Secret) == 0},
		} {
			got := stored.shownTo(c.by)
			if (got == stored) != c.shown || !c.shown && (got.Content != mask || got.Subject != mask) {
				t.Errorf("%s: %+v", e.Name, got)
			}
		}
	}
}
