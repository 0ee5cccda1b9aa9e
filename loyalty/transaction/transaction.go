// Package transaction holds what was bought and brought back at tills and in shops, and to whom it belongs.
package transaction

import (
	"slices"
	"strings"
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/decimal"
)

// The types of documents.
const (
	Sell   = "sell"
	Return = "return"
)

// Transaction is one document of a till or shop (program-api 2.9).
type Transaction struct {
	StoreKey        int64
	ID              string
	DocumentNumber  string // unique in the store
	Type            string // Sell or Return
	RevisedID       string // on a return: the sale it takes back
	RevisedDocument string // that sale's document number
	CustomerID      string // empty while nobody is known to have bought
	AssignedAt      time.Time
	POSID           string
	PurchasedAt     time.Time
	RegisteredAt    time.Time
	PurchasePlace   string
	Amounts         Amounts
	Returned        Amounts // of a sale: what its returns took, never more than its Amounts
	FullyReturned   bool    // of a sale: nothing of it is left; of a return: it left nothing of its sale
	CustomerData    CustomerData
	Items           []Item
	Labels          []Label
	Excluded        Excluded
}

// Amounts are the sums of a document's lines.
type Amounts struct {
	Gross            decimal.Hundredths
	WithoutDelivery  decimal.Hundredths
	ExcludedForLevel decimal.Hundredths // the part that no level counts
	ExcludedDelivery decimal.Hundredths // the part of ExcludedForLevel that is delivery too
}

// Excluded are the store's lists of exclusions as they were when the document arrived.
type Excluded struct {
	DeliverySKUs    []string `json:"deliverySKUs,omitempty"`
	LevelSKUs       []string `json:"levelSKUs,omitempty"`
	LevelCategories []string `json:"levelCategories,omitempty"`
}

// CustomerData is what the till knows of the buyer.
type CustomerData struct {
	Name        string   `json:"name"`
	Email       string   `json:"email,omitempty"` // lower case
	Phone       string   `json:"phone,omitempty"`
	LoyaltyCard string   `json:"loyaltyCardNumber,omitempty"`
	NIP         string   `json:"nip,omitempty"`
	Address     *Address `json:"address,omitempty"`
}

// value is what the data has for a field by which customers are identified.
func (d *CustomerData) value(field string) string {
	switch field {
	case store.ByEmail:
		return d.Email
	case store.ByPhone:
		return d.Phone
	case store.ByLoyaltyCard:
		return d.LoyaltyCard
	}
	return ""
}

// Address is the buyer's, as the till knows it; all parts may be missing.
type Address struct {
	Street   string `json:"street,omitempty"`
	Address1 string `json:"address1,omitempty"`
	Address2 string `json:"address2,omitempty"`
	Postal   string `json:"postal,omitempty"`
	City     string `json:"city,omitempty"`
	Province string `json:"province,omitempty"`
	Country  string `json:"country,omitempty"`
}

// Item is one line of a document.
type Item struct {
	SKU        SKU                `json:"sku"`
	Name       string             `json:"name"`
	Quantity   int64              `json:"quantity"`
	GrossValue decimal.Hundredths `json:"grossValue"` // of the whole line
	Category   string             `json:"category"`
	Maker      string             `json:"maker,omitempty"`
	Labels     []Label            `json:"labels"`
}

// SKU names a product.
type SKU struct {
	Code string `json:"code"`
}

// Label is a key and value put on a transaction or an item.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// excludedNow are the lists of the store's settings.
func excludedNow(s *store.Store) Excluded {
	return Excluded{
		DeliverySKUs: s.Settings.ExcludedDeliverySKUs, LevelSKUs: s.Settings.ExcludedLevelSKUs,
		LevelCategories: s.Settings.ExcludedLevelCategories,
	}
}

// sum adds up the lines (program-api 4.2).
func (e *Excluded) sum(items []Item) (a Amounts) {
	for i := range items {
		item := &items[i]
		delivery := slices.Contains(e.DeliverySKUs, item.SKU.Code)
		excluded := slices.Contains(e.LevelSKUs, item.SKU.Code) || slices.Contains(e.LevelCategories, item.Category)
		a.Gross += item.GrossValue
		if !delivery {
			a.WithoutDelivery += item.GrossValue
		}
		if excluded {
			a.ExcludedForLevel += item.GrossValue
		}
		if excluded && delivery {
			a.ExcludedDelivery += item.GrossValue
		}
	}
	return a
}

// Left is what returns have left of a sale.
func (t *Transaction) Left() Amounts { return t.Amounts.minus(t.Returned) }

// takeBack notes a return on its sale and tells how much of the sale it takes: never more than is left. A
// return that exceeds the rest counts as the rest (program-api 4.10).
func (t *Transaction) takeBack(returned Amounts) (taken Amounts) {
	left := t.Left()
	rest := left.without(returned)
	t.Returned, t.FullyReturned = t.Amounts.minus(rest), rest.Gross == 0
	return left.minus(rest)
}

// without is what is left after some is taken: nothing falls below zero, and no part exceeds the whole.
func (a Amounts) without(b Amounts) Amounts {
	gross := max(0, a.Gross-b.Gross)
	excluded := min(gross, max(0, a.ExcludedForLevel-b.ExcludedForLevel))
	return Amounts{
		Gross: gross, WithoutDelivery: min(gross, max(0, a.WithoutDelivery-b.WithoutDelivery)),
		ExcludedForLevel: excluded, ExcludedDelivery: min(excluded, max(0, a.ExcludedDelivery-b.ExcludedDelivery)),
	}
}

func (a Amounts) minus(b Amounts) Amounts {
	return Amounts{
		a.Gross - b.Gross, a.WithoutDelivery - b.WithoutDelivery, a.ExcludedForLevel - b.ExcludedForLevel,
		a.ExcludedDelivery - b.ExcludedDelivery,
	}
}

// share is how many points a return takes back: the part of what its sale earned that its value is of the
// sale's, never more than earlier returns left, and all of that when nothing is left of the sale.
func share(earned, taken, returned, of decimal.Hundredths, last bool) decimal.Hundredths {
	left := max(0, earned-taken)
	if last {
		return left
	}
	return min(left, earned.MulDiv(int64(returned), int64(of)))
}

// filterKey is how filters compare texts: trimmed, without regard to case. Behind the space even a text that
// looks like an id stays a text, so that parts of it can be found.
func filterKey(text string) string { return " " + strings.ToLower(strings.TrimSpace(text)) }
