package transaction

import (
	"errors"
	"strings"

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
	query := api.PageQuery(sortable.Columns, api.Reads(exampleFilter))
	list := func(path string, rule access.Rule, handle func(*api.Call) error) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: ofStore + path, Access: rule, Handle: handle,
			Summary: "List transactions", Query: query, Response: viewList{}}
	}
	show := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: ofStore + path, Access: rule, Handle: getTransaction,
			Summary: "Show a transaction", Response: transactionView{}}
	}
	assign := func(path string, rule access.Rule, describe func(*form.Group)) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: ofStore + path, Access: rule, Factor: api.Everyday, Handle: r.assign,
			Summary: "Assign a transaction to a customer", Form: describe, Response: identity{},
			Audit: api.Audited("AssignTransaction", "transaction")}
	}
	appendLabels := func(method string) api.Endpoint {
		return api.Endpoint{Method: method, Path: ofStore + "customer/transaction/labels/append", Access: self,
			Factor: api.Own, Handle: appendOwnLabels, Summary: "Add labels to an own transaction",
			Form: func(g *form.Group) { readOwnLabels(g.Group("append")) }, Response: identity{},
			Audit: api.Audited("UpdateTransactionLabels", "transaction")}
	}
	return append(r.tillEndpoints(), []api.Endpoint{
		{Method: "POST", Path: ofStore + "transaction", Access: modify, Factor: api.Everyday, Handle: r.register,
			Summary: "Register a sale or a return of a till or shop", Response: identity{},
			Form:  func(g *form.Group) { readForm(g.Group("transaction"), store.Example) },
			Audit: api.Audited("RegisterTransaction", "transaction")},
		list("transaction", view.And(access.Seller), listAll),
		show("transaction/{transaction}", view),
		list("customer/transaction", self, listAll),
		show("customer/transaction/{transaction}", self),
		list("seller/transaction/customer/{customer}", seller, listOfCustomer),
		list("seller/transaction/{documentNumber}", seller, listOfDocument),
		list("seller/transaction", seller, listAll),
		assign("admin/transaction/customer/assign", modify, describeAssignment),
		assign("customer/transaction/customer/assign", self, describeOwnAssignment),
		assign("pos/transaction/customer/assign", seller, describeAssignment),
		assign("seller/transaction/customer/assign", seller, describeAssignment),
		{Method: "POST", Path: ofStore + "admin/transaction/labels", Access: modify, Factor: api.Everyday,
			Handle: replaceLabels, Summary: "Replace the labels of a transaction", Response: identity{},
			Form:  func(g *form.Group) { readSentLabels(g.Group("transaction_labels")) },
			Audit: api.Audited("UpdateTransactionLabels", "transaction")},
		appendLabels("PUT"),
		appendLabels("POST"),
		{Method: "GET", Path: ofStore + "transaction/item/labels", Access: view, Handle: listItemLabels,
			Summary: "List the labels of items", Response: itemLabelList{}},
		{Method: "POST", Path: ofStore + "transaction/simulate", Access: view.And(access.Seller), Factor: api.NoWrite,
			Handle: r.simulate, Summary: "Tell how many points a sale would earn", Response: simulated{}, Unkeyed: true,
			Query: func(q *form.Group) { explainQuery(q); api.AtQuery(q) },
			Form:  func(g *form.Group) { readSimulation(g.Group("transaction"), store.Example) }},
	}...)
}

// register registers a transaction.
func (r *Registrar) register(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "transaction")
	draft := Draft{c.Store, readForm(g, c.Store)}
	if g.Err() == nil {
		return r.batch.Serve(c, g, draft)
	}
	err = c.Read(func(tx *db.Tx) error { return examine(tx, c.Store, draft.Transaction, r.Hooks) })
	if refused, is := errors.AsType[*Refused](err); is { // further errors of the form
		refused.AddTo(g)
	} else if err != nil {
		return err
	}
	return g.Err()
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
}

// getTransaction serves one transaction. Customers see only their own.
func getTransaction(c *api.Call) error {
	var response transactionView
	err := c.Read(func(tx *db.Tx) error {
		t, err := Find(tx, c.Store.Key, strings.ToLower(c.PathValue("transaction")))
		if err != nil {
			return err
		}
		if c.Caller.Role == access.Customer && t.CustomerID != c.Caller.ID {
			return fault.ErrNotFound
		}
		views, err := viewsOf(tx, c.Store, []Transaction{*t})
		response = views[0]
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
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

// simulate serves the points that a sale would earn. See docs/behaviour/transactions.md#simulation.
func (h Hooks) simulate(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	if err := c.MoveByQuery(); err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	explained, err := h.wantsRules(c)
	if err != nil {
		return err
	}
	g := form.Read(body, "transaction")
	sale := readSimulation(g, c.Store)
	if err := g.Err(); err != nil {
		return err
	}
	var response simulated
	err = c.Read(func(tx *db.Tx) error {
		who, err := identify(tx, c.Store, &sale)
		if err != nil {
			return err
		}
		if who != nil {
			sale.CustomerID = who.ID
		}
		sale.complete(tx, c.Store)
		switch {
		case explained:
			response.Points, response.Rules, err = h.Explain(tx, c.Store, locale, &sale)
		case who != nil && h.Simulate != nil:
			response.Points, err = h.Simulate(tx, c.Store, &sale)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}
