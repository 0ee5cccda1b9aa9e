package purchase

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/platform/event"
)

const (
	userPrefix     = "Platform.Domain.User.Event."
	campaignPrefix = "Platform.Domain.Campaign.Event."
)

type campaignRef struct {
	CampaignID string `json:"campaignId"`
}

type transactionRef struct {
	TransactionID string `json:"transactionId"`
}

func transactionOf(id string) *transactionRef {
	if id == "" {
		return nil
	}
	return &transactionRef{id}
}

type couponRef struct {
	ID   string `json:"id"`
	Code string `json:"code"`
}

type campaignWasBoughtByCustomer struct {
	Customer     customer.Ref    `json:"customerId"`
	Campaign     campaignRef     `json:"campaignId"`
	CreatedAt    string          `json:"createdAt"`
	CostInPoints points.Amount   `json:"costInPoints"`
	Coupon       couponRef       `json:"coupon"`
	CampaignName string          `json:"campaignName"`
	Reward       string          `json:"reward"`
	Status       string          `json:"status"`
	ActiveSince  *string         `json:"activeSince,omitempty"`
	ActiveTo     *string         `json:"activeTo,omitempty"`
	Transaction  *transactionRef `json:"transactionId,omitempty"`
}

func (campaignWasBoughtByCustomer) EventType() string {
	return userPrefix + "CampaignWasBoughtByCustomer"
}

// Frequent is true because the purchase holds the same data.
func (campaignWasBoughtByCustomer) Frequent() bool { return true }

func wasBought(s *store.Store, p *Purchase) event.Fact {
	return campaignWasBoughtByCustomer{
		Customer: customer.Ref{CustomerID: p.CustomerID}, Campaign: campaignRef{p.CampaignID},
		CreatedAt: api.EventTimestamp(p.PurchasedAt, s.Zone), CostInPoints: p.Cost,
		Coupon: couponRef{p.CouponID, p.Code}, CampaignName: p.CampaignName, Reward: p.Reward, Status: p.Status,
		ActiveSince: optional(p.ActiveSince, s), ActiveTo: optional(p.ActiveTo, s),
		Transaction: transactionOf(p.TransactionID),
	}
}

func optional(t time.Time, s *store.Store) *string {
	if t.IsZero() {
		return nil
	}
	text := api.EventTimestamp(t, s.Zone)
	return &text
}

type campaignUsageWasChanged struct {
	Customer    customer.Ref    `json:"customerId"`
	Campaign    campaignRef     `json:"campaignId"`
	Coupon      couponRef       `json:"coupon"`
	Used        bool            `json:"used"`
	Transaction *transactionRef `json:"transactionId,omitempty"`
	UsageDate   *string         `json:"usageDate,omitempty"`
}

func (campaignUsageWasChanged) EventType() string { return userPrefix + "CampaignUsageWasChanged" }

type campaignBoughtDeliveryStatusWasChanged struct {
	CouponID string       `json:"couponId"`
	Status   string       `json:"status"`
	Customer customer.Ref `json:"customerId"`
}

func (campaignBoughtDeliveryStatusWasChanged) EventType() string {
	return campaignPrefix + "CampaignBoughtDeliveryStatusWasChanged"
}

type campaignStatusWasChanged struct {
	Customer    customer.Ref    `json:"customerId"`
	Campaign    campaignRef     `json:"campaignId"`
	Coupon      couponRef       `json:"coupon"`
	Status      string          `json:"status"`
	Transaction *transactionRef `json:"transactionId,omitempty"`
}

func (campaignStatusWasChanged) EventType() string { return userPrefix + "CampaignStatusWasChanged" }

type campaignWasReturned struct {
	Customer   customer.Ref `json:"customerId"`
	PurchaseID string       `json:"purchaseId"`
	Coupon     couponRef    `json:"coupon"`
}

func (campaignWasReturned) EventType() string { return userPrefix + "CampaignWasReturned" }

// wasReturned is the event of a used voucher, part of which is given back as the new voucher made, or of a cancelled
// coupon, for which made is the coupon itself.
func wasReturned(old, made *Purchase) event.Entry {
	return event.Entry{AggregateID: old.CustomerID, Fact: campaignWasReturned{
		Customer: customer.Ref{CustomerID: old.CustomerID}, PurchaseID: old.CouponID,
		Coupon: couponRef{made.CouponID, made.Code},
	}}
}

type rewardsOfSaleWereReturned struct {
	Customer    customer.Ref    `json:"customerId"`
	Transaction *transactionRef `json:"transactionId"`
	Cancelled   int             `json:"cancelledCoupons"` // those that nobody had used
	Used        int             `json:"usedCoupons"`      // these stay used
}

func (rewardsOfSaleWereReturned) EventType() string { return userPrefix + "RewardsOfSaleWereReturned" }

// rewardsReturned is the event of a sale that is completely returned, with the coupons that it brought.
func rewardsReturned(sale *transaction.Transaction, customerID string, cancelled, used int) event.Entry {
	return event.Entry{AggregateID: customerID, Fact: rewardsOfSaleWereReturned{
		customer.Ref{CustomerID: customerID}, transactionOf(sale.ID), cancelled, used,
	}}
}

type campaignCouponWasChanged struct {
	Customer    customer.Ref    `json:"customerId"`
	Campaign    campaignRef     `json:"campaignId"`
	Transaction *transactionRef `json:"transactionId"`
	CreatedAt   string          `json:"createdAt"` // purchase time of the old one
	NewCoupon   couponRef       `json:"newCoupon"`
}

func (campaignCouponWasChanged) EventType() string { return userPrefix + "CampaignCouponWasChanged" }

// couponChanged is the event of a voucher that is replaced by another.
func couponChanged(s *store.Store, old, made *Purchase) event.Entry {
	return event.Entry{AggregateID: old.CustomerID, Fact: campaignCouponWasChanged{
		Customer: customer.Ref{CustomerID: old.CustomerID}, Campaign: campaignRef{old.CampaignID},
		Transaction: transactionOf(old.TransactionID), CreatedAt: api.EventTimestamp(old.PurchasedAt, s.Zone),
		NewCoupon: couponRef{made.CouponID, made.Code},
	}}
}

// statusChanged is the event of a coupon that became active, expired or was cancelled.
func statusChanged(p *Purchase) event.Entry {
	return event.Entry{AggregateID: p.CustomerID, Fact: campaignStatusWasChanged{
		Customer: customer.Ref{CustomerID: p.CustomerID}, Campaign: campaignRef{p.CampaignID},
		Coupon: couponRef{p.CouponID, p.Code}, Status: p.Status, Transaction: transactionOf(p.TransactionID),
	}}
}

// deliveryChanged is the event of a coupon whose delivery status changed.
func deliveryChanged(p *Purchase) event.Entry {
	return event.Entry{AggregateID: p.CustomerID, Fact: campaignBoughtDeliveryStatusWasChanged{
		CouponID: p.CouponID, Status: p.DeliveryStatus, Customer: customer.Ref{CustomerID: p.CustomerID},
	}}
}

// usageChanged returns the events of a coupon that was marked as used or unused.
func usageChanged(s *store.Store, p *Purchase) []event.Entry {
	entries := []event.Entry{{AggregateID: p.CustomerID, Fact: campaignUsageWasChanged{
		Customer: customer.Ref{CustomerID: p.CustomerID}, Campaign: campaignRef{p.CampaignID},
		Coupon: couponRef{p.CouponID, p.Code}, Used: p.Used, Transaction: transactionOf(p.UsedForTransactionID),
		UsageDate: optional(p.UsedAt, s),
	}}}
	if p.Used {
		entries = append(entries, deliveryChanged(p))
	}
	return entries
}

// Facts are the coupon events that operations of other packages append, too.
var Facts = struct {
	Bought, StatusChanged, Returned, CouponChanged, RewardsReturned, UsageChanged, DeliveryChanged event.Fact
}{
	campaignWasBoughtByCustomer{}, campaignStatusWasChanged{}, campaignWasReturned{}, campaignCouponWasChanged{},
	rewardsOfSaleWereReturned{}, campaignUsageWasChanged{}, campaignBoughtDeliveryStatusWasChanged{},
}

// Emissions returns the events of the endpoints and jobs.
func Emissions() []event.Emission {
	const ofStore = "/api/{storeCode}/"
	const delivery = ofStore + "admin/customer/{customer}/bought/coupon/{coupon}/changeDeliveryStatus"
	return []event.Emission{
		{By: []string{
			"POST " + ofStore + "admin/customer/{customer}/campaign/{campaign}/buy",
			"POST " + ofStore + "customer/campaign/{campaign}/buy",
			"POST " + ofStore + "seller/customer/{customer}/campaign/{campaign}/buy",
		}, Facts: []event.Fact{campaignWasBoughtByCustomer{}, points.Facts.Spent}, Again: true},
		{By: []string{
			"POST " + ofStore + "admin/campaign/coupons/mark_as_used",
			"POST " + ofStore + "customer/campaign/coupons/mark_as_used",
			"POST " + ofStore + "seller/coupons/mark_as_used",
		}, Facts: []event.Fact{
			campaignStatusWasChanged{}, campaignUsageWasChanged{}, campaignBoughtDeliveryStatusWasChanged{},
		}, Again: true},
		{By: []string{"PUT " + delivery, "POST " + delivery}, Facts: []event.Fact{campaignBoughtDeliveryStatusWasChanged{}}},
		{By: []string{"POST " + ofStore + "admin/" + cancelling, "POST " + ofStore + "seller/" + cancelling},
			Facts: []event.Fact{
				campaignStatusWasChanged{}, points.Facts.Returned, points.Facts.Moved, points.Facts.Added,
				campaignWasReturned{},
				campaignStatusWasChanged{}, customer.Facts.Moved,
			}},
		{By: []string{"POST " + ofStore + "points/deleted-accounts/cancel"}, Facts: []event.Fact{
			campaignStatusWasChanged{}, points.Facts.Returned, points.Facts.Moved, points.Facts.Added,
			campaignWasReturned{}, campaignStatusWasChanged{}, points.Facts.Reset,
		}, Again: true},
		{By: []string{"job coupons"}, Facts: []event.Fact{campaignStatusWasChanged{}}, Again: true},
	}
}
