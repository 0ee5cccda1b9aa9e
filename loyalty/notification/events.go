package notification

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

const (
	userPrefix    = "Platform.Domain.User.Event."
	accountPrefix = "Platform.Domain.Account.Event."
)

type pointsAreAboutToExpire struct {
	Account   points.AccountRef `json:"accountId"`
	Customer  customer.Ref      `json:"customerId"`
	Points    points.Amount     `json:"points"`
	ExpiresAt string            `json:"expiresAt"` // of the first of them
}

type levelRef struct {
	LevelID string `json:"levelId"`
}

type customerLevelIsAboutToExpire struct {
	Customer  customer.Ref `json:"customerId"`
	Level     levelRef     `json:"levelId"`
	ExpiresAt string       `json:"expiresAt"` // the start of the day
}

type campaignRef struct {
	CampaignID string `json:"campaignId"`
}

type couponRef struct {
	ID   string `json:"id"`
	Code string `json:"code"`
}

type campaignCouponIsAboutToExpire struct {
	Customer     customer.Ref `json:"customerId"`
	Campaign     campaignRef  `json:"campaignId"`
	CampaignName string       `json:"campaignName"`
	Coupon       couponRef    `json:"coupon"`
	ActiveTo     string       `json:"activeTo"`
}

func (pointsAreAboutToExpire) EventType() string { return accountPrefix + "PointsAreAboutToExpire" }

func (customerLevelIsAboutToExpire) EventType() string {
	return userPrefix + "CustomerLevelIsAboutToExpire"
}

func (campaignCouponIsAboutToExpire) EventType() string {
	return userPrefix + "CampaignCouponIsAboutToExpire"
}

// Frequent is true for the three events because the notifications hold the same data.
func (pointsAreAboutToExpire) Frequent() bool        { return true }
func (customerLevelIsAboutToExpire) Frequent() bool  { return true }
func (campaignCouponIsAboutToExpire) Frequent() bool { return true }

func pointsEndingEvents(tx *db.Tx, s *store.Store, all []Notification) ([]event.Entry, error) {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].CustomerID
	}
	accounts, err := points.AccountIDs(tx, s.Key, ids...)
	if err != nil {
		return nil, err
	}
	entries := make([]event.Entry, len(all))
	for i := range all {
		n := &all[i]
		account := accounts[n.CustomerID]
		entries[i] = event.Entry{AggregateID: account, Fact: pointsAreAboutToExpire{
			points.AccountRef{AccountID: account}, customer.Ref{CustomerID: n.CustomerID}, n.Details.Points, expiry(s, n),
		}}
	}
	return entries, nil
}

func levelsEndingEvents(_ *db.Tx, s *store.Store, all []Notification) ([]event.Entry, error) {
	entries := make([]event.Entry, len(all))
	for i := range all {
		n := &all[i]
		entries[i] = event.Entry{AggregateID: n.CustomerID, Fact: customerLevelIsAboutToExpire{
			customer.Ref{CustomerID: n.CustomerID}, levelRef{n.SubjectID}, expiry(s, n),
		}}
	}
	return entries, nil
}

func couponsEndingEvents(_ *db.Tx, s *store.Store, all []Notification) ([]event.Entry, error) {
	entries := make([]event.Entry, len(all))
	for i := range all {
		n := &all[i]
		entries[i] = event.Entry{AggregateID: n.CustomerID, Fact: campaignCouponIsAboutToExpire{
			customer.Ref{CustomerID: n.CustomerID}, campaignRef{n.Details.CampaignID}, n.Details.Name,
			couponRef{n.SubjectID, n.Details.Code}, expiry(s, n),
		}}
	}
	return entries, nil
}

func expiry(s *store.Store, n *Notification) string {
	return api.EventTimestamp(n.Details.endsAt(), s.Zone)
}

// Endings are the events of points, coupons and levels that end soon.
var Endings = []event.Fact{pointsAreAboutToExpire{}, campaignCouponIsAboutToExpire{}, customerLevelIsAboutToExpire{}}

// Emissions returns the events of the job.
func Emissions() []event.Emission {
	return []event.Emission{{By: []string{"job ending notices"}, Facts: Endings, Again: true}}
}
