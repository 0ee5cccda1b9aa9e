package transaction

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

const ofStore = "/api/{storeCode}/"

// Endpoints returns the endpoints of docs/behaviour/transactions.md#endpoints.
func (r *Registrar) Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Transactions, access.View)
	modify := access.AdministratorWith(access.Transactions, access.Modify)
	self, seller := access.Only(access.Customer), access.Only(access.Seller)
	query := api.InFilteredPages(sortable.Columns, api.Reads(exampleFilter))
	list := func(path string, rule access.Rule, of func(*api.Reading, api.ListRequest) (viewList, error)) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: ofStore + path, Access: rule, Do: api.Read(query, of),
			Summary: "List transactions"}
	}
	show := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: ofStore + path, Access: rule, Do: api.Show(showTransaction),
			Summary: "Show a transaction"}
	}
	assign := func(path string, rule access.Rule, in api.Input[assignment]) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: ofStore + path, Access: rule, Factor: api.Everyday,
			Do:      api.Write(api.LeaveErrors(in), r.assign).Guessing(r.Guesses, isWrongGuess),
			Summary: "Assign a transaction to a customer", Audit: api.Audited("AssignTransaction", "transaction")}
	}
	appendLabels := func(method string) api.Endpoint {
		return api.Endpoint{Method: method, Path: ofStore + "customer/transaction/labels/append", Access: self,
			Factor: api.Own, Do: api.Write(api.Body("append", readOwnLabels), appendOwnLabels),
			Summary: "Add labels to an own transaction", Audit: api.Audited("UpdateTransactionLabels", "transaction")}
	}
	of := api.Body("assign", readAssignment)
	return append(r.tillEndpoints(), []api.Endpoint{
		{Method: "POST", Path: ofStore + "transaction", Access: modify, Factor: api.Everyday,
			Do: r.batch.Operation(api.BodyInCall("transaction", r.readDraft, func(g *form.Group) {
				readDraft(g, store.Example, g.Submitted("customer"))
			}),
				registeredDraft{}),
			Summary: "Register a sale or a return of a till or shop",
			Audit:   api.Audited("RegisterTransaction", "transaction")},
		list("transaction", view.And(access.Seller), listAll),
		show("transaction/{transaction}", view),
		list("customer/transaction", self, listAll),
		show("customer/transaction/{transaction}", self),
		list("seller/transaction/customer/{customer}", seller, listOfCustomer),
		list("seller/transaction/{documentNumber}", seller, listOfDocument),
		list("seller/transaction", seller, listAll),
		assign("admin/transaction/customer/assign", modify, of),
		assign("customer/transaction/customer/assign", self, api.BodyInCall("assign", readClaim, api.Reads(readNumber))),
		assign("pos/transaction/customer/assign", seller, of),
		assign("seller/transaction/customer/assign", seller, of),
		{Method: "POST", Path: ofStore + "admin/transaction/labels", Access: modify, Factor: api.Everyday,
			Do:      api.Write(api.Body("transaction_labels", readSentLabels), replaceLabels),
			Summary: "Replace the labels of a transaction", Audit: api.Audited("UpdateTransactionLabels", "transaction")},
		appendLabels("PUT"),
		appendLabels("POST"),
		{Method: "GET", Path: ofStore + "transaction/item/labels", Access: view, Do: api.Show(listItemLabels),
			Summary: "List the labels of items"},
		{Method: "POST", Path: ofStore + "transaction/simulate", Access: view.And(access.Seller), Factor: api.NoWrite,
			Do:      api.Read(inSimulation, r.simulate).First((*api.Call).MoveByQuery),
			Summary: "Tell how many points a sale would earn", Unkeyed: true},
	}...)
}

// readDraft reads a document. To the errors of its form it adds those that only the database shows.
func (r *Registrar) readDraft(c *api.Call, g *form.Group) (Draft, error) {
	draft := readDraft(g, c.Store, g.HasValue("customer"))
	draft.tells = c.Prefers("return", "representation") || draft.Customer != ""
	if g.Err() == nil {
		return draft, nil
	}
	err := c.Read(func(tx *db.Tx) error { return examine(tx, draft, r.Hooks) })
	if refused, is := errors.AsType[*Refused](err); is {
		refused.AddTo(g)
		err = nil
	}
	return draft, err
}

// AddTo adds the errors to the fields of the form.
func (r *Refused) AddTo(g *form.Group) {
	if r.Document != nil {
		g.Group("transactionData").AddError("documentNumber", r.Document)
	}
	if r.Ahead {
		g.Group("transactionData").AddError("purchaseDate", errAhead)
	}
	if r.POSUnknown {
		g.AddError(posField(g), errUnknownPOS)
	}
	if r.Revised != nil {
		g.AddError("revisedDocument", r.Revised)
	}
	if r.CustomerUnknown {
		g.AddError("customer", errUnknownCustomer)
	}
}

// showTransaction shows one transaction. Customers see only their own.
func showTransaction(r *api.Reading) (transactionView, error) {
	t, err := Find(r.Tx, r.Store.Key, r.PathID("transaction"))
	if err != nil {
		return transactionView{}, err
	}
	if r.Caller.Role == access.Customer && t.CustomerID != r.Caller.ID {
		return transactionView{}, fault.ErrNotFound
	}
	views, err := viewsOf(r.Tx, r.Store, []Transaction{*t})
	if err != nil {
		return transactionView{}, err
	}
	return views[0], nil
}

// complete adds what a document that is not registered has besides its form.
func (t *Transaction) complete(tx *db.Tx, s *store.Store) {
	t.StoreKey, t.Excluded = s.Key, excludedNow(s)
	t.Amounts = t.Excluded.sum(t.Items)
	if t.PurchasedAt.IsZero() {
		t.PurchasedAt = tx.Now()
	}
}

// NewSale returns a sale of now that is not registered.
func NewSale(tx *db.Tx, s *store.Store, customerID, posID string, items []Item) *Transaction {
	t := Transaction{Type: Sell, CustomerID: customerID, POSID: posID, Items: items}
	t.complete(tx, s)
	return &t
}

// Purchases returns what a sale adds to the sums of its customer.
func (t *Transaction) Purchases() customer.Purchases { return t.Amounts.purchases(1) }

type simulated struct {
	Points decimal.Hundredths `json:"points"`
	Rules  []ExplainedRule    `json:"rules,omitzero"` // nil unless the request asks for explanations
}

var inSimulation = api.BodyInStore("transaction", readSimulation).AlsoQuery(func(q *form.Group) {
	explainQuery(q)
	api.AtQuery(q)
})

// simulate computes the points that a sale would earn. See docs/behaviour/transactions.md#simulation.
func (h Hooks) simulate(r *api.Reading, sale Transaction) (s simulated, err error) {
	locale, err := r.Locale()
	if err != nil {
		return s, err
	}
	explained, err := h.wantsRules(r.Call)
	if err != nil {
		return s, err
	}
	who, err := identify(r.Tx, r.Store, &sale)
	if err != nil {
		return s, err
	}
	if who != nil {
		sale.CustomerID = who.ID
	}
	sale.complete(r.Tx, r.Store)
	switch {
	case explained:
		s.Points, s.Rules, err = h.Explain(r.Tx, r.Store, locale, &sale)
	case who != nil && h.Simulate != nil:
		s.Points, err = h.Simulate(r.Tx, r.Store, &sale)
	}
	return s, err
}
