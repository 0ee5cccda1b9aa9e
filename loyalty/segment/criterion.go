package segment

import (
	"encoding/json"
	"fmt"
	"strings"

	"punchcard/platform/decimal"
)

// The types of criteria (program-api, group E).
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

// Criterion is one rule, as it is stored and shown: the fields of its type are set, the others are not.
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
	Customers       []string            `json:"customers,omitempty"` // ids; stored apart, see segment_lists
}

// Label is a key with a value, or any value when there is none.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value,omitempty"`
}

// folded is the label as labels are compared: without regard to case.
func (l Label) folded() Label { return Label{strings.ToLower(l.Key), strings.ToLower(l.Value)} }

// Percent is hundredths of a percent, written as a fraction: 25 % as 0.25.
type Percent int64

const whole = Percent(100_00)

// MarshalJSON implements json.Marshaler.
func (p Percent) MarshalJSON() ([]byte, error) {
	text := fmt.Sprintf("%d.%04d", p/whole, p%whole) // never negative
	return []byte(strings.TrimSuffix(strings.TrimRight(text, "0"), ".")), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Percent) UnmarshalJSON(text []byte) error {
	var fraction float64
	if err := json.Unmarshal(text, &fraction); err != nil {
		return err
	}
	*p = Percent(fraction*float64(whole) + 0.5)
	return nil
}
