// Package transaction registers sales and returns at points of sale, and matches them with customers.
package transaction

import (
	"math/big"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/platform/decimal"
	"punchcard/platform/keytext"
	"punchcard/platform/phone"
)

// The types of documents.
const (
	Sell   = "sell"
	Return = "return"
)

// Transaction is one document of a point of sale: a sale or a return. See docs/behaviour/transactions.md#fields.
type Transaction struct {
	StoreKey        int64
	ID              string
	DocumentNumber  string    // unique in the store
	Type            string    // Sell or Return
	RevisedID       string    // on a return: its sale
	RevisedDocument string    // that sale's document number
	CustomerID      string    // empty while the buyer is unknown
	AssignedAt      time.Time // when it last got a customer; it stays when they are deleted
	LevelID         string    // of the customer when it got one
	POSID           string
	PurchasedAt     time.Time
	RegisteredAt    time.Time
	PurchasePlace   string
	Amounts         Amounts
	Returned        Amounts // of a sale: the sum of its returns, never more than its Amounts
	FullyReturned   bool    // of a sale: completely returned; of a return: it completed the return of its sale
	CustomerData    CustomerData
	Items           []Item
	Labels          []Label
	Excluded        Excluded
	LinePoints      []decimal.Hundredths // that each item gives; nil if a return takes a share by value

	moved     decimal.Hundredths // to its customer by the registration; not stored
	phoneKey  string             // of CustomerData, in the form in which filters compare it
	recasedOf string             // an earlier document number that differs only in case
}

// Amounts are the sums of a document's items.
type Amounts struct {
	Gross            decimal.Money
	WithoutDelivery  decimal.Money
	ExcludedForLevel decimal.Money // the part that levels do not count
	ExcludedDelivery decimal.Money // the part of ExcludedForLevel that is also delivery
}

// Excluded holds the store's lists of exclusions at the time of registration.
type Excluded struct {
	DeliverySKUs    []string `json:"deliverySKUs,omitempty"`
	LevelSKUs       []string `json:"levelSKUs,omitempty"`
	LevelCategories []string `json:"levelCategories,omitempty"`
}

// CustomerData is the data about the buyer in the document.
type CustomerData struct {
	Name        string   `json:"name"`
	Email       string   `json:"email,omitempty"` // lower case
	Phone       string   `json:"phone,omitempty"`
	LoyaltyCard string   `json:"loyaltyCardNumber,omitempty"`
	NIP         string   `json:"nip,omitempty"`
	Address     *Address `json:"address,omitempty"`
}

// value returns the data for a field by which customers are identified.
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

// Address is the buyer's address. All parts are optional.
type Address struct {
	Street   string `json:"street,omitempty"`
	Address1 string `json:"address1,omitempty"`
	Address2 string `json:"address2,omitempty"`
	Postal   string `json:"postal,omitempty"`
	City     string `json:"city,omitempty"`
	Province string `json:"province,omitempty"`
	Country  string `json:"country,omitempty"`
}

// Item is one item of a document.
type Item struct {
	SKU        SKU                 `json:"sku"`
	Name       string              `json:"name"`
	Quantity   decimal.Thousandths `json:"quantity"`
	GrossValue decimal.Money       `json:"grossValue"` // for the whole quantity; negative for a discount
	Category   string              `json:"category"`
	Maker      string              `json:"maker,omitempty"`
	Labels     []Label             `json:"labels"`
}

// IsDiscount reports whether the item only takes something off the document. Nobody has bought its product.
func (i *Item) IsDiscount() bool { return i.GrossValue < 0 }

// SKU identifies a product.
type SKU struct {
	Code string `json:"code"`
}

// Label is a key with a value on a transaction or an item.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// excludedNow returns the lists of the store's settings.
func excludedNow(s *store.Store) Excluded {
	return Excluded{
		DeliverySKUs: s.Settings.ExcludedDeliverySKUs, LevelSKUs: s.Settings.ExcludedLevelSKUs,
		LevelCategories: s.Settings.ExcludedLevelCategories,
	}
}

// sum adds up the items. Discounts never make a part negative, or larger than the whole. See
// docs/behaviour/transactions.md#excluded-items.
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
	a.WithoutDelivery = min(a.Gross, max(0, a.WithoutDelivery))
	a.ExcludedForLevel = min(a.Gross, max(0, a.ExcludedForLevel))
	a.ExcludedDelivery = min(a.ExcludedForLevel, max(0, a.ExcludedDelivery))
	return a
}

// Left returns the amounts of a sale minus its returns.
func (t *Transaction) Left() Amounts { return t.Amounts.minus(t.Returned) }

// takeBack adds a return to its sale, and returns the amounts by which it reduces the sale. A return that exceeds the
// rest of the sale counts as the rest. See docs/behaviour/transactions.md#returns.
func (t *Transaction) takeBack(returned Amounts) (taken Amounts) {
	left := t.Left()
	rest := left.without(returned)
	t.Returned, t.FullyReturned = t.Amounts.minus(rest), rest.Gross == 0
	return left.minus(rest)
}

// without subtracts amounts. No sum falls below zero, and no part exceeds the whole.
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

// share returns the points that a return takes back: earned times returned / of, but at most what earlier returns did
// not take. If last is set, the sale is completely returned, and all of the rest is taken.
func share(earned, taken decimal.Hundredths, returned, of decimal.Money, last bool) decimal.Hundredths {
	left := max(0, earned-taken)
	if last {
		return left
	}
	return min(left, earned.MulDiv(int64(returned), int64(of)))
}

// staying returns how many whole points stay of those that a sale earned, for what is left of it. They are rounded as
// rules round them.
func (t *Transaction) staying(s *store.Settings, earned decimal.Hundredths) decimal.Hundredths {
	if t.Amounts.Gross == 0 || t.FullyReturned {
		return 0
	}
	exact := new(big.Int).Mul(big.NewInt(int64(earned)), big.NewInt(int64(t.Left().Gross)))
	return decimal.Hundredths(s.RoundPoints(new(big.Rat).SetFrac(exact, big.NewInt(int64(t.Amounts.Gross)))).Int64())
}

// filterKey returns a text in the form in which filters compare it: trimmed and in lower case. The leading space
// keeps a text that looks like an id from being stored as one, so that parts of it can be found.
func filterKey(text string) string { return " " + keytext.Fold(text) }

// phoneFilterKey is filterKey for phones.
func phoneFilterKey(s *store.Store, text string) string {
	return " " + phone.Key(text, s.Settings.Country)
}
