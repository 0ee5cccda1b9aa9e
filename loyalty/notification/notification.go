// Package notification notifies customers of campaigns that became available, and of coupons, points
// and levels that end soon. It keeps their inboxes, and pushes notifications to the store's gateway.
package notification

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// The kinds of notifications.
const (
	Campaign     = "campaign" // a campaign became available
	CouponEnding = "coupon_ending"
	PointsEnding = "points_ending"
	LevelEnding  = "level_ending"
)

// Notification is one entry in the inbox of a customer.
type Notification struct {
	StoreKey   int64
	CustomerID string
	ID         string // grows with time
	Kind       string
	SubjectID  string // the campaign, coupon or level; empty for points
	Details    Details
	CreatedAt  time.Time
	ReadAt     time.Time // zero while unread
}

// Details are the data that a notification's text is made from.
type Details struct {
	Text       string        `json:"text,omitempty"`       // of a campaign, as an administrator wrote it
	Name       string        `json:"name,omitempty"`       // of the coupon's campaign, or of the level
	CampaignID string        `json:"campaignId,omitempty"` // of the coupon
	Code       string        `json:"code,omitempty"`       // of the coupon
	Points     points.Amount `json:"points,omitempty"`     // that end
	EndsAt     int64         `json:"endsAt,omitempty"`     // microseconds since 1970
}

// endsAt returns when the subject of the notification ends, zero when it does not.
func (d *Details) endsAt() time.Time {
	if d.EndsAt == 0 {
		return time.Time{}
	}
	return time.UnixMicro(d.EndsAt)
}

// texts are the built-in texts by kind and language: %[1]s is the day, %[2]s what ends.
var texts = map[string]map[string]string{
	CouponEnding: {
		"en": "Your coupon for %[2]s can be used until %[1]s.", "pl": "Kupon na %[2]s możesz wykorzystać do %[1]s.",
	},
	PointsEnding: {"en": "You have points that end on %[1]s: %[2]s.", "pl": "Punkty, które wygasają %[1]s: %[2]s."},
	LevelEnding:  {"en": "Your level %[2]s ends on %[1]s.", "pl": "Poziom %[2]s obowiązuje do %[1]s."},
}

// translate replaces the stored names of campaigns and levels by their present names in the locale.
// The stored name stays if there is none.
func translate(tx *db.Tx, storeKey int64, locale api.Locale, all []Notification) error {
	var campaigns []string
	for i := range all {
		if all[i].Kind == CouponEnding {
			campaigns = append(campaigns, all[i].Details.CampaignID)
		}
	}
	var byID map[string]*campaign.Campaign
	var err error
	if len(campaigns) > 0 {
		if byID, err = campaign.FindAll(tx, storeKey, db.Distinct(campaigns)...); err != nil {
			return err
		}
	}
	var levels []level.Level
	if slices.ContainsFunc(all, func(n Notification) bool { return n.Kind == LevelEnding }) {
		if levels, err = level.All(tx, storeKey); err != nil {
			return err
		}
	}
	for i := range all {
		n, name := &all[i], ""
		if c := byID[n.Details.CampaignID]; c != nil {
			name = c.Name(locale)
		} else if l := level.Find(levels, n.SubjectID); l != nil {
			name = l.Name(locale)
		}
		n.Details.Name = cmp.Or(name, n.Details.Name)
	}
	return nil
}

// text returns the text in the locale, or in English if there is none.
func (n *Notification) text(s *store.Store, locale api.Locale) string {
	if n.Kind == Campaign {
		return n.Details.Text
	}
	format := locale.Text(func(code string) string { return texts[n.Kind][code] })
	if format == "" {
		format = texts[n.Kind]["en"]
	}
	what := n.Details.Name
	if n.Kind == PointsEnding {
		what = n.Details.Points.String()
	}
	return fmt.Sprintf(format, n.Details.endsAt().In(s.Zone).Format(time.DateOnly), what)
}
