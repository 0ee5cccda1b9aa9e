package segment

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/platform/decimal"
)

// view is a segment in responses.
type view struct {
	SegmentID                string             `json:"segmentId"`
	Name                     string             `json:"name"`
	Description              string             `json:"description,omitempty"`
	Active                   bool               `json:"active"`
	CreatedAt                string             `json:"createdAt"`
	Parts                    []Part             `json:"parts"`
	CustomersCount           int64              `json:"customersCount"`
	AverageTransactionAmount decimal.Money      `json:"averageTransactionAmount"`
	AverageTransactions      decimal.Hundredths `json:"averageTransactions"` // per member
	AverageCLV               decimal.Money      `json:"averageClv"`          // amount bought per member
	Currency                 string             `json:"currency"`
}

func newView(shop *store.Store, s *Segment, f Totals) view {
	return view{
		SegmentID: s.ID, Name: s.Name, Description: s.Description, Active: s.Active,
		CreatedAt: api.Timestamp(s.CreatedAt, shop.Zone), Parts: s.Parts, CustomersCount: f.Members,
		AverageTransactionAmount: f.AverageTransaction(shop.MoneyDigits()), AverageTransactions: f.AverageTransactions(),
		AverageCLV: f.AverageValue(shop.MoneyDigits()), Currency: shop.Currency,
	}
}

type viewList struct {
	Segments []view `json:"segments"`
	Total    int    `json:"total"`
}

type identity struct {
	SegmentID string `json:"segmentId"`
}

// member is a customer in the list of a segment.
type member struct {
	customerapi.Summary
	SegmentID   string                 `json:"segmentId"`
	SegmentName string                 `json:"segmentName"`
	Status      customerapi.StatusView `json:"status"`
}

type memberList struct {
	Customers []member `json:"customers"`
	Total     int64    `json:"total"`
}
