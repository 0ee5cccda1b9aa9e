package transaction

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// tillEndpoints returns the endpoints of docs/behaviour/transactions.md#receipts-at-the-till.
func (h Hooks) tillEndpoints() []api.Endpoint {
	sellers := access.Only(access.Seller).WithPIN()
	return []api.Endpoint{
		{Method: "POST", Path: ofStore + "seller/transaction", Access: sellers, Factor: api.Everyday,
			Do:      api.Write(h.inAtTill(api.LocaleQuery, form.NotBlank), h.registerAtTill),
			Summary: "Register a sale or a return at the seller's point of sale",
			Audit:   api.Audited("RegisterTransaction", "transaction")},
		{Method: "POST", Path: ofStore + "seller/transaction/preview", Access: sellers, Factor: api.NoWrite, Unkeyed: true,
			Do:      api.Respond(h.inAtTill(explainQuery), h.preview),
			Summary: "Tell what a sale or a return would change, without registering it",
			Audit:   api.Audited("RegisterTransaction", "transaction")}, // of the transaction that is rolled back
	}
}

// tillCall is a seller's call about a document.
type tillCall struct {
	locale    api.Locale
	explained bool
	by        seller.Seller
}

// tillDocument is a document as sellers send it.
type tillDocument struct {
	Transaction
	customerID string // empty to find the customer by the data of the document
}

// inAtTill reads a document of the calling seller. number are rules of its number.
func (h Hooks) inAtTill(query func(*form.Group), number ...form.Rule) api.Input[api.Given[tillCall, tillDocument]] {
	read := func(g *form.Group, s *store.Store) tillDocument { return readAtTill(g, s, number...) }
	return api.Following(h.readTillCall, api.BodyInStore("transaction", read).AlsoQuery(query))
}

func (h Hooks) readTillCall(c *api.Call) (t tillCall, err error) {
	if t.locale, err = c.Locale(); err != nil {
		return t, err
	}
	if t.explained, err = h.wantsRules(c); err != nil {
		return t, err
	}
	t.by, err = seller.Permitted(c, func(r *seller.Rights) bool { return r.AllowTransactions })
	return t, err
}

// errPreviewed ends the database transaction of a preview, so that nothing of it is stored.
var errPreviewed = errors.New("transaction: the preview is rolled back")

// registeredView is a registered document with what it has changed.
type registeredView struct {
	identity
	previewView
}

func (h Hooks) registerAtTill(w *api.Writing, in api.Given[tillCall, tillDocument]) (v registeredView, err error) {
	draft, who, err := atTill(w.Call, w.Tx, in)
	if err != nil {
		return v, err
	}
	v.Coupons = []earned{}
	made, err := h.compare(w.Tx, w.Store, in.First.locale, draft, who, &v.previewView)
	if err != nil {
		return v, err
	}
	v.ID = made.ID
	return v, nil
}

// compare registers a document and notes what it changes for its customer.
func (h Hooks) compare(tx *db.Tx, s *store.Store, locale api.Locale, draft Transaction, who *customer.Customer,
	changes *previewView) (made *Transaction, err error) {
	var before points.Account
	var bought map[string]map[string]int64
	if who != nil {
		if before, err = points.Balance(tx, s, who.ID); err != nil {
			return nil, err
		}
		if bought, err = points.Bought(tx, s.Key, who.ID); err != nil {
			return nil, err
		}
	}
	if made, err = registerFor(tx, s, draft, who, h); err != nil || who == nil {
		return made, err
	}
	if err := changes.fill(tx, s, locale, who, before); err != nil {
		return made, err
	}
	return made, changes.addCoupons(tx, s, who.ID, bought[who.ID])
}

// previewView holds the effects that a document would have.
type previewView struct {
	CustomerID   string        `json:"customerId,omitempty"` // none if the data of the document finds nobody
	Points       points.Amount `json:"points"`               // that a sale earns, below 0 if a return takes some
	Balance      points.Amount `json:"balance"`              // that can be spent afterwards
	LockedPoints points.Amount `json:"lockedPoints"`         // pending afterwards
	LevelID      string        `json:"levelId,omitempty"`    // afterwards
	LevelName    string        `json:"levelName,omitempty"`
	LevelChanges bool          `json:"levelChanges"`
	Coupons      []earned      `json:"coupons"` // that the sale brings
}

// earned is a number of coupons of one campaign.
type earned struct {
	CampaignID string `json:"campaignId"`
	Quantity   int64  `json:"quantity"`
}

// explainedView is a preview with the earning rules.
type explainedView struct {
	previewView
	Rules []ExplainedRule `json:"rules,omitzero"` // nil unless the request asks for explanations
}

// preview registers the document and rolls it back, so that every rule counts as it would.
func (h Hooks) preview(c *api.Call, in api.Given[tillCall, tillDocument]) (v explainedView, err error) {
	err = c.Write(func(tx *db.Tx) error {
		draft, who, err := atTill(c, tx, in)
		if err != nil {
			return err
		}
		if draft.DocumentNumber == "" {
			draft.DocumentNumber = tx.NewID()
		}
		v = explainedView{previewView: previewView{Coupons: []earned{}}}
		if in.First.explained && draft.Type == Sell {
			if v.Rules, err = h.explain(tx, c.Store, in.First.locale, draft, who); err != nil {
				return err
			}
		}
		_, err = h.compare(tx, c.Store, in.First.locale, draft, who, &v.previewView)
		return err
	}, func() error { return errPreviewed })
	if errors.Is(err, errPreviewed) {
		err = nil
	}
	return v, err
}

// fill compares the customer with the account before the document.
func (v *previewView) fill(tx *db.Tx, s *store.Store, locale api.Locale, who *customer.Customer,
	before points.Account) error {
	after, err := points.Balance(tx, s, who.ID)
	if err != nil {
		return err
	}
	now, err := customer.Find(tx, s.Key, who.ID)
	if err != nil {
		return err
	}
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return err
	}
	v.CustomerID, v.Balance, v.LockedPoints = who.ID, after.Points, after.Locked
	v.Points = after.Points + after.Locked - before.Points - before.Locked
	v.LevelID, v.LevelChanges = now.LevelID, now.LevelID != who.LevelID
	if l := level.Find(levels, now.LevelID); l != nil {
		v.LevelName = l.Name(locale)
	}
	return nil
}

// addCoupons compares what the customer has bought with what was bought before the document.
func (v *previewView) addCoupons(tx *db.Tx, s *store.Store, customerID string, before map[string]int64) error {
	bought, err := points.Bought(tx, s.Key, customerID)
	after := bought[customerID]
	for _, id := range slices.Sorted(maps.Keys(after)) {
		if n := after[id] - before[id]; n > 0 {
			v.Coupons = append(v.Coupons, earned{id, n})
		}
	}
	return err
}

// atTill returns the document of a call with its customer, who is nil if the data of the document finds nobody.
func atTill(c *api.Call, tx *db.Tx, in api.Given[tillCall, tillDocument]) (draft Transaction, who *customer.Customer,
	err error) {
	draft = in.In.Transaction
	draft.POSID = in.First.by.POSID
	who, err = customerAtTill(tx, c.Store, &draft, in.In.customerID)
	if errors.Is(err, fault.ErrNotFound) {
		return draft, nil, c.Refuse("customerId", form.Invalid("unknown_customer"))
	}
	if err == nil && draft.Type == Return {
		who, err = customerOfSale(tx, c.Store, &draft, who)
	}
	return draft, who, err
}

// customerOfSale returns the customer of the sale of a return, or who if the sale cannot be returned for them.
func customerOfSale(tx *db.Tx, s *store.Store, t *Transaction, who *customer.Customer) (*customer.Customer, error) {
	sale, err := FindByDocument(tx, s.Key, t.RevisedDocument)
	switch {
	case errors.Is(err, fault.ErrNotFound):
		return who, nil
	case err != nil || !sale.takes(s, t, who):
		return who, err
	}
	return sale.owner(tx, who)
}

// customerAtTill returns the active customer with the id, whose data it writes into the document, or without an id the
// one that the data of the document identifies.
func customerAtTill(tx *db.Tx, s *store.Store, t *Transaction, id string) (*customer.Customer, error) {
	if id == "" {
		return identify(tx, s, t)
	}
	who, err := customer.Find(tx, s.Key, id)
	if err == nil && !who.IsActive() {
		err = fault.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	t.CustomerData.complete(who)
	return who, nil
}

// complete adds the name and the contacts of a customer, unless the data has some.
func (d *CustomerData) complete(who *customer.Customer) {
	if d.Name == "" {
		d.Name = strings.TrimSpace(who.FirstName + " " + who.LastName)
	}
	if d.Email == "" && d.Phone == "" && d.LoyaltyCard == "" {
		d.Email, d.Phone, d.LoyaltyCard = who.Email, who.Phone, who.LoyaltyCard
	}
}
