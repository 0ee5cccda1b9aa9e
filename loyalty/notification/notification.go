// Package notification notifies customers of campaigns that became available, and of coupons, points
// and levels that end soon. It keeps their inboxes, and pushes notifications to the store's gateway.
package notification

import (
	"time"

	"punchcard/loyalty/points"
)

// Notification is one entry in the inbox of a customer.
type Notification struct {
	StoreKey   int64
	CustomerID string
	ID         string // grows with time
	Kind       string // the name of a kind in kinds
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
	Link       string        `json:"link,omitempty"`       // of a mailing
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
