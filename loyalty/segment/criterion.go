package segment

import (
	"encoding/json"
	"fmt"
	"strings"

	"punchcard/platform/decimal"
)

// The types of criteria.
const (
	Anniversary       = "anniversary"
	BoughtInPOS       = "bought_in_pos"
	TransactionCount  = "transaction_count"
	TransactionAmount = "transaction_amount"
	AverageAmount     = "average_transaction_amount"
	LastPurchase      = "last_purchase_n_days_before"
	PurchasePeriod    = "purchase_period"
	PercentInPOS      = "transaction_percent_in_pos"
	BoughtSKUs        = "bought_skus"
	BoughtMakers      = "bought_makers"
	BoughtLabels      = "bought_labels"
	HasLabels         = "customer_has_labels"
	HasLabelValues    = "customer_has_labels_with_values"
	CustomerList      = "customer_list"
)

// The values of Criterion.AnniversaryType.
const (
	Birthday     = "birthday"
	Registration = "registration"
)

// Criterion is one rule, as stored and shown. Only the fields of its type are set.
type Criterion struct {
	ID              string              `json:"criterionId"`
	Type            string              `json:"type"`
	AnniversaryType string              `json:"anniversaryType,omitempty"`
	Days            int64               `json:"days,omitempty"`
	POSIDs          []string            `json:"posIds,omitempty"`
	Min             *int64              `json:"min,omitempty"`
	Max             *int64              `json:"max,omitempty"`
	FromAmount      *decimal.Hundredths `json:"fromAmount,omitempty"`
	ToAmount        *decimal.Hundredths `json:"toAmount,omitempty"`
	FromDate        string              `json:"fromDate,omitempty"` // YYYY-MM-DD
	ToDate          string              `json:"toDate,omitempty"`   // YYYY-MM-DD, included
	POSID           string              `json:"posId,omitempty"`
	Percent         Percent             `json:"percent,omitempty"`
	SKUs            []string            `json:"skuIds,omitempty"`
	Makers          []string            `json:"makers,omitempty"`
	Labels          []Label             `json:"labels,omitempty"`
	Customers       []string            `json:"customers,omitempty"` // ids; stored in segment_lists
}

// Label is a key with a value. An empty value stands for any.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value,omitempty"`
}

// folded returns the label in the form in which labels are compared: in lower case.
func (l Label) folded() Label { return Label{strings.ToLower(l.Key), strings.ToLower(l.Value)} }

// Percent is hundredths of a percent, encoded as a fraction: 25 % is 0.25.
type Percent int64

const whole = Percent(100_00)

// MarshalJSON encodes a fraction.
func (p Percent) MarshalJSON() ([]byte, error) {
	text := fmt.Sprintf("%d.%04d", p/whole, p%whole) // never negative
	return []byte(strings.TrimSuffix(strings.TrimRight(text, "0"), ".")), nil
}

// UnmarshalJSON decodes a fraction.
func (p *Percent) UnmarshalJSON(text []byte) error {
	var fraction float64
	if err := json.Unmarshal(text, &fraction); err != nil {
		return err
	}
	*p = Percent(fraction*float64(whole) + 0.5)
	return nil
}
