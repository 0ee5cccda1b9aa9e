package notification

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/message"
	"punchcard/loyalty/points"
)

type list struct {
	Notifications []view `json:"notifications"`
	Total         int64  `json:"total"`
	Unread        int64  `json:"unread"` // of the whole inbox, also when the list is filtered
}

// view is a notification as customers and administrators see it.
type view struct {
	ID         string         `json:"notificationId"`
	Kind       string         `json:"kind"`
	Text       string         `json:"text"`
	CampaignID string         `json:"campaignId,omitempty"`
	CouponID   string         `json:"couponId,omitempty"`
	CouponCode string         `json:"couponCode,omitempty"`
	LevelID    string         `json:"levelId,omitempty"`
	Link       string         `json:"link,omitempty"` // of a mailing
	Points     *points.Amount `json:"points,omitempty"`
	EndsAt     *string        `json:"endsAt,omitempty"`
	CreatedAt  string         `json:"createdAt"`
	Read       bool           `json:"read"`
	ReadAt     *string        `json:"readAt,omitempty"`
}

func newView(s *store.Store, t *texts, n *Notification) view {
	v := view{
		ID: n.ID, Kind: n.Kind, Text: t.of(n).Content, CampaignID: n.Details.CampaignID, CouponCode: n.Details.Code,
		EndsAt:    api.OptionalTimestamp(n.Details.endsAt(), s.Zone),
		CreatedAt: api.Timestamp(n.CreatedAt, s.Zone), Read: !n.ReadAt.IsZero(),
		ReadAt: api.OptionalTimestamp(n.ReadAt, s.Zone),
	}
	kindOf(n).show(n, &v)
	return v
}

type announcementList struct {
	Campaigns []announcementView `json:"campaigns"`
	Total     int64              `json:"total"`
}

// announcementView is the progress of one campaign.
type announcementView struct {
	CampaignID string  `json:"campaignId"`
	Name       string  `json:"name,omitempty"` // in lists that ask for it
	State      string  `json:"state" enum:"running,finished"`
	Total      int64   `json:"total"` // size of the audience when it started
	Done       int64   `json:"done"`  // customers of the audience examined so far
	Notified   int64   `json:"told"`  // customers ever notified
	StartedAt  string  `json:"startedAt"`
	FinishedAt *string `json:"finishedAt,omitempty"`
}

func announcementViewOf(s *store.Store, a *Announcement) announcementView {
	return announcementView{
		CampaignID: a.CampaignID, State: a.State, Total: a.Total, Done: a.Done, Notified: a.Notified,
		StartedAt: api.Timestamp(a.StartedAt, s.Zone), FinishedAt: api.OptionalTimestamp(a.FinishedAt, s.Zone),
	}
}

// gatewayView shows the secret only in the response that generated it.
type gatewayView struct {
	URL    string `json:"url"`
	Active bool   `json:"active"`
	Secret string `json:"signingSecret,omitempty"`
}

type pushList struct {
	Pushes []pushView `json:"pushes"`
	Total  int        `json:"total"` // up to delivery.CountLimit
}

type pushView struct {
	ID            string `json:"pushId"` // the webhook-id of the call
	Notifications int    `json:"notifications"`
	api.AttemptState
	FinishedAt *string `json:"finishedAt,omitempty"`
}

// testResult is the outcome of a call that tests the gateway.
type testResult struct {
	PushID    string `json:"pushId"`
	Delivered bool   `json:"delivered"`
	Status    int    `json:"status"` // 0 without a response
	Error     string `json:"error,omitempty"`
}

// shownStates are the states of pushes, and pushStates those of the messages that they are.
var (
	shownStates = []string{"pending", "delivered", "dead"}
	pushStates  = map[string]string{"pending": message.Waiting, "delivered": message.Sent, "dead": message.Dead}
)

func pushViewOf(s *store.Store, d *message.Delivery) pushView {
	v := pushView{
		ID: d.ID, Notifications: d.Size, AttemptState: api.AttemptStateOf(&d.Progress, s.Zone),
		FinishedAt: api.OptionalTimestamp(d.FinishedAt, s.Zone),
	}
	for shown, state := range pushStates {
		if state == d.State {
			v.State = shown
		}
	}
	return v
}
