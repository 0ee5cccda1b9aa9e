package app_test

import (
	"net/url"
	"testing"

	"punchcard/platform/db/dbtest"
)

// Two nodes whose stores switch push messages to browsers on at the same time agree on one key, which stays.
func TestOneKeyForPushToBrowsers(t *testing.T) {
	dbtest.Both(t)
	onNodes(t, 1, func(t *testing.T, n nodes, _ []string) {
		on := url.Values{"messageSettings[push][active]": {"1"}, "messageSettings[push][browsers]": {"1"}}.Encode()
		keys := map[string]bool{}
		for range 2 {
			for _, r := range n.atOnce(8, func(node *client, _ int) reply {
				if r := node.send("PUT", "/api/DEFAULT/admin/message/settings", urlencoded, on); r.status != 200 {
					return r
				}
				return node.send("GET", "/api/DEFAULT/customer/push-subscription/key", "", "")
			}) {
				if r.status != 200 {
					t.Fatalf("%d %s", r.status, r.body)
				}
				keys[string(r.body)] = true
			}
		}
		if len(keys) != 1 {
			t.Errorf("%d keys", len(keys))
		}
	})
}
