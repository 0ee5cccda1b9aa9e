package trade_test

import (
	"testing"

	"punchcard/platform/db/dbtest"
)

// What deleted customers have left is in no list that asks somebody to act, is named apart in what is owed, and is
// cancelled by one call.
func TestWhatDeletedCustomersHaveLeft(t *testing.T) {
	dbtest.Both(t)
	eachPair(t, func(p *pair) {
		p.post("admin/customer/"+p.a+"/campaign/"+p.campaign+"/buy", object{})
		p.add(p.nodes[0], p.a, 7) // pending
		for _, id := range []string{p.a, p.customers[2]} {
			p.post("points/transfer/add", object{"transfer": object{"customer": id, "points": 4, "validityDuration": 9}})
		}
		const analytics = "/api/DEFAULT/admin/analytics/"
		before, due := p.admin.Get(analytics+"owed"), p.admin.Get(analytics+"expiring")
		if before["deleted"] != nil {
			t.Errorf("nobody is deleted: %v", before["deleted"])
		}
		p.admin.Send("DELETE", "/api/DEFAULT/customer/"+p.a, "", "").Must(t)
		p.admin.Send("POST", "/api/DEFAULT/admin/customer/"+p.b+"/anonymize", "", "").Must(t)
		after, left := p.admin.Get(analytics+"owed"), p.admin.Get(analytics+"expiring")
		if of := after["deleted"].(map[string]any); of["customers"] != 2.0 || of["points"] != 20.0-3+7+4+20 {
			t.Errorf("of deleted accounts: %v", of)
		}
		if before["total"].(map[string]any)["points"] != after["total"].(map[string]any)["points"] {
			t.Errorf("owed %v, before %v", after["total"], before["total"])
		}
		if due["customers"] != 2.0 || left["customers"] != 1.0 {
			t.Errorf("points of %v customers expire soon, before %v", left["customers"], due["customers"])
		}
		for _, part := range p.admin.Get("/api/DEFAULT/admin/attention")["parts"].([]any) {
			if part := part.(map[string]any); part["kind"] == "pointsExpiring" && part["total"] != left["customers"] {
				t.Errorf("attention names %v", part)
			}
		}
		const call = "points/deleted-accounts/cancel"
		if done := p.post(call, object{}); done["accounts"] != 2.0 || done["coupons"] != 1.0 || done["points"] != 51.0 {
			t.Errorf("cancelled: %v", done)
		}
		if now := p.admin.Get(analytics + "owed"); now["deleted"] != nil {
			t.Errorf("left of deleted accounts: %v", now["deleted"])
		}
		if again := p.post(call, object{}); again["accounts"] != 0.0 {
			t.Errorf("cancelled again: %v", again)
		}
	})
}
