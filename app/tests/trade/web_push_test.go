package trade_test

import (
	"net/url"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
)

// Two nodes whose stores switch push messages to browsers on at the same time agree on one key, which stays.
func TestOneKeyForPushToBrowsers(t *testing.T) {
	dbtest.Both(t)
	servertest.OnNodes(t, 1, func(t *testing.T, n nodes, _ []string) {
		on := url.Values{"messageSettings[push][active]": {"1"}, "messageSettings[push][browsers]": {"1"}}.Encode()
		keys := map[string]bool{}
		for range 2 {
			for _, r := range n.AtOnce(8, func(node *client, _ int) reply {
				if r := node.Send("PUT", "/api/DEFAULT/admin/message/settings", servertest.FormType, on); r.Status != 200 {
					return r
				}
				return node.Send("GET", "/api/DEFAULT/customer/push-subscription/key", "", "")
			}) {
				if r.Status != 200 {
					t.Fatalf("%d %s", r.Status, r.Body)
				}
				keys[string(r.Body)] = true
			}
		}
		if len(keys) != 1 {
			t.Errorf("%d keys", len(keys))
		}
	})
}
