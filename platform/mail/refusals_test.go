package mail_test

import (
	"strings"
	"testing"

	"punchcard/platform/mail"
	"punchcard/platform/mail/mailtest"
	"punchcard/platform/outbound"
)

// The outcomes of refusals.
const (
	retried  = "retried"
	doubtful = "doubtful" // retried, and final if it is repeated days later
	hopeless = "hopeless" // not sent again
	gone     = "gone"     // the address gets nothing more
)

func outcome(o outbound.Outcome) string {
	switch {
	case o.Gone && o.Hopeless:
		return gone
	case o.Doubtful && !o.Hopeless && !o.Gone:
		return doubtful
	case o.Hopeless && !o.Doubtful:
		return hopeless
	}
	return retried
}

var bare = [3]int{-1, -1, -1} // no enhanced code

// TestRefusals shows what ends the attempts, and what says that an address does not exist.
func TestRefusals(t *testing.T) {
	server := mailtest.Start(t)
	client := newClient(t, mail.Config{Reach: outbound.Loopback})
	for _, c := range []struct {
		name      string
		status    int
		enhanced  [3]int
		ofContent bool
		want      string
	}{
		{"unknown", 550, [3]int{5, 1, 1}, false, gone},
		{"unknown domain", 553, [3]int{5, 1, 2}, false, gone},
		{"bad syntax", 501, [3]int{5, 1, 3}, false, gone},
		{"moved", 551, [3]int{5, 1, 6}, false, gone},
		{"domain without mail", 556, [3]int{5, 1, 10}, false, gone},
		{"disabled", 550, [3]int{5, 2, 1}, false, gone},
		{"unknown, said late", 550, [3]int{5, 1, 1}, true, gone},
		{"550 alone", 550, bare, false, doubtful},
		{"551 alone", 551, bare, false, doubtful},
		{"553 alone", 553, [3]int{5, 0, 0}, false, doubtful},
		{"552 alone", 552, bare, false, retried},
		{"client host blocked", 554, bare, false, retried},
		{"full", 552, [3]int{5, 2, 2}, false, retried},
		{"full, said late", 552, [3]int{5, 2, 2}, true, retried},
		{"on a list", 550, [3]int{5, 7, 1}, false, retried},
		{"SPF failed", 550, [3]int{5, 7, 23}, false, retried},
		{"bad sender", 550, [3]int{5, 1, 8}, false, retried},
		{"access denied", 550, [3]int{5, 4, 1}, false, retried},
		{"too large for the system", 552, [3]int{5, 3, 4}, false, retried},
		{"daily limit", 550, [3]int{5, 4, 5}, false, retried},
		{"greylisted", 451, [3]int{4, 7, 1}, false, retried},
		{"relaying is denied", 554, [3]int{5, 7, 1}, false, retried},
		{"not authenticated", 530, [3]int{5, 5, 1}, false, retried},
		{"spam", 554, [3]int{5, 6, 0}, true, hopeless},
		{"refused content", 554, bare, true, hopeless},
		{"too large", 552, [3]int{5, 3, 4}, true, hopeless},
		{"policy on content", 550, [3]int{5, 7, 1}, true, retried},
		{"full disk", 452, [3]int{4, 3, 1}, true, retried},
	} {
		refuse := func(status int) {
			if c.ofContent {
				server.RefuseContent(status, c.enhanced)
			} else {
				server.Refuse("ida@example.org", status, c.enhanced)
			}
		}
		refuse(c.status)
		o := client.Send(t.Context(), serverOf(server), letter("ida@example.org"))
		if got := outcome(o); got != c.want || o.OK() || o.Status != c.status || strings.Contains(o.Problem, "ida@") {
			t.Errorf("%s: %s, want %s: %+v", c.name, got, c.want, o)
		}
		refuse(0)
	}
	if o := client.Send(t.Context(), serverOf(server), letter("ida@example.org")); !o.OK() {
		t.Errorf("accepted: %+v", o)
	}
}
