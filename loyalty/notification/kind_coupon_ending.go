package notification

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/purchase"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// couponEnding is about a coupon that can be used for a few more days.
var couponEnding = &kind{
	name:  "coupon_ending",
	event: template.CouponEnding,
	values: func(n *Notification) map[string]string {
		return map[string]string{"campaign_name": n.Details.Name, "coupon_code": n.Details.Code}
	},
	show:  func(n *Notification, v *view) { v.CouponID = n.SubjectID },
	names: namesOfCampaigns,
	days:  func(s *store.Settings) int { return s.ExpireCouponsNotificationDays },
	find:  findCouponsEnding, events: couponsEndingEvents,
}

func namesOfCampaigns(tx *db.Tx, storeKey int64, locale api.Locale, all []*Notification) (
	func(n *Notification) string, error) {
	ids := make([]string, len(all))
	for i, n := range all {
		ids[i] = n.Details.CampaignID
	}
	names, err := campaign.Names(tx, storeKey, locale, db.Distinct(ids)...)
	return func(n *Notification) string { return names[n.Details.CampaignID] }, err
}

func findCouponsEnding(tx *db.Tx, s *store.Store, day calendar.Day, after string) (e ending, err error) {
	found, last, err := purchase.Ending(tx, s.Key, day.Start(s.Zone), (day + 1).Start(s.Zone), after, chunk)
	for i := range found {
		p := &found[i]
		e.notices = append(e.notices, Notification{CustomerID: p.CustomerID, SubjectID: p.CouponID, Details: Details{
			Name: p.CampaignName, CampaignID: p.CampaignID, Code: p.Code, EndsAt: p.ActiveTo.UnixMicro(),
		}})
	}
	if len(found) == chunk {
		e.next = last
	}
	return e, err
}
