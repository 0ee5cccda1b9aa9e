package transaction

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// ref is the nested form of a transaction's id in event payloads.
type ref struct {
	ID string `json:"transactionId"`
}

type posRef struct {
	POSID string `json:"posId"`
}

type documentData struct {
	Number      string `json:"documentNumber"`
	Type        string `json:"documentType"`
	PurchasedAt string `json:"purchaseDate"`
	Place       string `json:"purchasePlace,omitempty"`
}

type transactionWasRegistered struct {
	Transaction             ref          `json:"transactionId"`
	Data                    documentData `json:"transactionData"`
	CustomerData            CustomerData `json:"customerData"`
	Items                   []Item       `json:"items"`
	POS                     *posRef      `json:"posId,omitempty"`
	ExcludedDeliverySKUs    []string     `json:"excludedDeliverySKUs"`
	ExcludedLevelSKUs       []string     `json:"excludedLevelSKUs"`
	ExcludedLevelCategories []string     `json:"excludedLevelCategories"`
	RevisedDocument         string       `json:"revisedDocument,omitempty"`
	Labels                  []Label      `json:"labels"`
}

type customerWasAssignedToTransaction struct {
	Transaction ref          `json:"transactionId"`
	Customer    customer.Ref `json:"customerId"`
	Email       string       `json:"email,omitempty"`
	Phone       string       `json:"phone,omitempty"`
}

type assignedTransactionToCustomer struct {
	Customer               customer.Ref  `json:"customerId"`
	Transaction            ref           `json:"transactionId"`
	GrossValue             decimal.Money `json:"grossValue"`
	WithoutDelivery        decimal.Money `json:"grossValueWithoutDeliveryCosts"`
	DocumentNumber         string        `json:"documentNumber"`
	AmountExcludedForLevel decimal.Money `json:"amountExcludedForLevel"`
	IsReturn               bool          `json:"isReturn"`
	RevisedDocument        string        `json:"revisedDocument,omitempty"`
}

func (transactionWasRegistered) EventType() string {
	return "Platform.Domain.Transaction.Event.TransactionWasRegistered"
}

func (customerWasAssignedToTransaction) EventType() string {
	return "Platform.Domain.Transaction.Event.CustomerWasAssignedToTransaction"
}

func (assignedTransactionToCustomer) EventType() string {
	return "Platform.Domain.User.Event.AssignedTransactionToCustomer"
}

func registered(s *store.Store, t *Transaction) event.Entry {
	fact := transactionWasRegistered{
		Transaction: ref{t.ID},
		Data: documentData{
			t.DocumentNumber, t.Type, api.EventTimestamp(t.PurchasedAt, s.Zone), t.PurchasePlace,
		},
		CustomerData: t.CustomerData, Items: t.Items,
		ExcludedDeliverySKUs:    append([]string{}, t.Excluded.DeliverySKUs...),
		ExcludedLevelSKUs:       append([]string{}, t.Excluded.LevelSKUs...),
		ExcludedLevelCategories: append([]string{}, t.Excluded.LevelCategories...),
		RevisedDocument:         t.RevisedDocument, Labels: append([]Label{}, t.Labels...),
	}
	if t.POSID != "" {
		fact.POS = &posRef{t.POSID}
	}
	return event.Entry{AggregateID: t.ID, Fact: fact}
}

func assigned(t *Transaction, who *customer.Customer) []event.Entry {
	return []event.Entry{
		{AggregateID: t.ID, Fact: customerWasAssignedToTransaction{
			ref{t.ID}, customer.Ref{CustomerID: who.ID}, who.Email, who.Phone,
		}},
		{AggregateID: who.ID, Fact: assignedTransactionToCustomer{
			Customer: customer.Ref{CustomerID: who.ID}, Transaction: ref{t.ID}, GrossValue: t.Amounts.Gross,
			WithoutDelivery: t.Amounts.WithoutDelivery, DocumentNumber: t.DocumentNumber,
			AmountExcludedForLevel: t.Amounts.ExcludedForLevel, IsReturn: t.Type == Return,
			RevisedDocument: t.RevisedDocument,
		}},
	}
}

// Facts are the events of transactions, for the emissions of package app, which knows all hooks.
var Facts = struct{ Registered, Matched, Assigned event.Fact }{
	transactionWasRegistered{}, customerWasAssignedToTransaction{}, assignedTransactionToCustomer{},
}
