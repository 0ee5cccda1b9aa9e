package checkout

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

const eventPrefix = "Platform.Domain.Reservation.Event."

// reservationRef is the nested form of a reservation's id in event payloads.
type reservationRef struct {
	ID string `json:"reservationId"`
}

type transactionRef struct {
	ID string `json:"transactionId"`
}

type basketWasReserved struct {
	Reservation  reservationRef `json:"reservationId"`
	Customer     *customer.Ref  `json:"customerId,omitempty"`
	CreatedAt    string         `json:"createdAt"`
	ExpiresAt    string         `json:"expiresAt"`
	ToPay        decimal.Money  `json:"toPay"`
	CostInPoints points.Amount  `json:"costInPoints"`
	Coupons      []string       `json:"coupons"`   // ids
	Campaigns    []string       `json:"campaigns"` // of which one is bought each
}

func (basketWasReserved) EventType() string { return eventPrefix + "BasketWasReserved" }

func wasReserved(s *store.Store, r *reservation, of *checkout) event.Entry {
	fact := basketWasReserved{
		Reservation: reservationRef{r.ID}, CreatedAt: api.EventTimestamp(r.CreatedAt, s.Zone),
		ExpiresAt: api.EventTimestamp(r.ExpiresAt, s.Zone), CostInPoints: of.cost, Coupons: r.Basket.couponIDs(),
		Campaigns: []string{},
	}
	if r.CustomerID != "" {
		fact.Customer = &customer.Ref{CustomerID: r.CustomerID}
	}
	for i := range r.Basket.Items {
		fact.ToPay += r.Basket.Items[i].GrossValue
	}
	for _, reward := range r.Basket.Rewards {
		fact.Campaigns = append(fact.Campaigns, reward.CampaignID)
	}
	return event.Entry{AggregateID: r.ID, Fact: fact}
}

type reservationWasConfirmed struct {
	Reservation    reservationRef `json:"reservationId"`
	Customer       *customer.Ref  `json:"customerId,omitempty"`
	Transaction    transactionRef `json:"transactionId"`
	DocumentNumber string         `json:"documentNumber"`
}

func (reservationWasConfirmed) EventType() string { return eventPrefix + "ReservationWasConfirmed" }

func wasConfirmed(r *reservation) event.Entry {
	fact := reservationWasConfirmed{
		Reservation: reservationRef{r.ID}, Transaction: transactionRef{r.TransactionID}, DocumentNumber: r.DocumentNumber,
	}
	if r.CustomerID != "" {
		fact.Customer = &customer.Ref{CustomerID: r.CustomerID}
	}
	return event.Entry{AggregateID: r.ID, Fact: fact}
}

type reservationWasCancelled struct {
	Reservation reservationRef `json:"reservationId"`
	Customer    *customer.Ref  `json:"customerId,omitempty"`
}

func (reservationWasCancelled) EventType() string { return eventPrefix + "ReservationWasCancelled" }

func wasCancelled(r *reservation) event.Entry {
	fact := reservationWasCancelled{Reservation: reservationRef{r.ID}}
	if r.CustomerID != "" {
		fact.Customer = &customer.Ref{CustomerID: r.CustomerID}
	}
	return event.Entry{AggregateID: r.ID, Fact: fact}
}

// Emissions returns the events of the endpoints.
func Emissions() []event.Emission {
	return []event.Emission{
		{By: []string{"POST /api/{storeCode}/checkout/reserve"}, Facts: []event.Fact{basketWasReserved{}}},
		{By: []string{"POST " + ofReservation + "/confirm"}, Facts: []event.Fact{
			purchase.Facts.Bought, points.Facts.Spent, transaction.Facts.Registered, transaction.Facts.Matched,
			transaction.Facts.Assigned, purchase.Facts.Bought, points.Facts.Added, customer.Facts.Moved,
			purchase.Facts.StatusChanged, purchase.Facts.UsageChanged, purchase.Facts.DeliveryChanged,
			reservationWasConfirmed{},
		}, Again: true},
		{By: []string{"POST " + ofReservation + "/cancel"}, Facts: []event.Fact{reservationWasCancelled{}}},
		{By: []string{"POST " + restoring}, Facts: []event.Fact{
			purchase.Facts.UsageChanged, points.Facts.Returned, points.Facts.Moved, points.Facts.Added,
			purchase.Facts.Returned, purchase.Facts.StatusChanged, customer.Facts.Moved,
		}, Again: true},
	}
}
