// Package transfer is the endpoints of point transfers: points given and taken by hand, and the list
// of every movement with the customer it belongs to.
package transfer

import (
	"errors"
	"slices"

	"punchcard/access"
	"punchcard/api"
	"punchcard/customer"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/points"
	"punchcard/store"
)

// Endpoints are those of program-api group C that exist so far.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.PointTransfers, access.View)
	modify := access.AdministratorWith(access.PointTransfers, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/points/transfer", Access: view, Handle: list},
		{Method: "GET", Path: "/api/{storeCode}/seller/points/transfer", Access: access.Only(access.Seller), Handle: list},
		{Method: "GET", Path: "/api/{storeCode}/customer/points/transfer", Access: access.Only(access.Customer),
			Handle: list},
		{Method: "POST", Path: "/api/{storeCode}/points/transfer/add", Access: modify, Handle: add},
		{Method: "POST", Path: "/api/{storeCode}/points/transfer/spend", Access: modify, Handle: spend},
	}
}

// Limits of a transfer by hand.
const (
	commentLimit = 1024                           // characters
	pointsLimit  = 1_000_000_000_000              // points at most in one transfer
	daysLimit    = 36_500                         // days of validity at most
	leastPoints  = int64(decimal.Hundredths(100)) // one point, in hundredths
)

// request is what adding and spending have in common.
type request struct {
	customer string
	points   points.Amount
	comment  string
	issuer   string
}

func read(c *api.Call) (*form.Group, request, error) {
	body, err := c.Body()
	if err != nil {
		return nil, request{}, err
	}
	g := form.Read(body.Child("transfer"))
	r := request{issuer: points.ByAdmin}
	r.customer = g.UUID("customer", form.NotBlank)
	r.points = points.Amount(g.Decimal("points", 2, form.NotBlank, form.AtLeast(leastPoints),
		form.LessThan(pointsLimit*100)))
	r.comment = g.Text("comment", form.MaxLength(commentLimit))
	if c.Caller.Permanent {
		r.issuer = points.ByAPI
	}
	return g, r, nil
}

// add implements C4.
func add(c *api.Call) error {
	g, r, err := read(c)
	if err != nil {
		return err
	}
	days := g.Integer("validityDuration", form.AtLeast(1), form.LessThan(daysLimit))
	if err := g.Err(); err != nil {
		return err
	}
	return change(c, g, r, func(tx *db.Tx, w *points.Wallet) (*points.Transfer, event.Entry, error) {
		t, entry := w.Add(points.Grant{
			Value: r.points, Comment: r.comment, Issuer: r.issuer, ValidDays: int(days), CreatedAt: tx.Now,
		})
		return t, entry, nil
	})
}

// spend implements C5.
func spend(c *api.Call) error {
	g, r, err := read(c)
	if err != nil {
		return err
	}
	if err := g.Err(); err != nil {
		return err
	}
	return change(c, g, r, func(_ *db.Tx, w *points.Wallet) (*points.Transfer, event.Entry, error) {
		return w.Spend(r.points, r.comment, r.issuer)
	})
}

func change(c *api.Call, g *form.Group, r request,
	decide func(tx *db.Tx, w *points.Wallet) (*points.Transfer, event.Entry, error)) error {
	var made *points.Transfer
	err := c.Write(func(tx *db.Tx) error {
		if _, err := customer.Find(tx, c.Store.Key, r.customer); err != nil {
			return err
		}
		owner := points.Owner{Store: c.Store, CustomerID: r.customer}
		wallet, err := points.Change(tx, owner, func(w *points.Wallet) ([]event.Entry, error) {
			t, entry, err := decide(tx, w)
			made = t
			return []event.Entry{entry}, err
		})
		if err != nil || c.Store.Settings.TierAssignType != store.TierPoints {
			return err
		}
		return customer.CheckLevel(tx, c.Store, wallet.Account)
	})
	switch {
	case errors.Is(err, fault.ErrNotFound):
		g.AddError("customer", form.NotValid)
		return g.Err()
	case errors.Is(err, points.ErrNotEnough):
		g.AddError("points", "not enough points")
		return g.Err()
	case err != nil:
		return err
	}
	return c.OK(struct {
		ID string `json:"pointsTransferId"`
	}{made.ID})
}

// view is the points transfer of program-api 2.5.
type view struct {
	ID                        string          `json:"pointsTransferId"`
	AccountID                 string          `json:"accountId"`
	CustomerID                string          `json:"customerId"`
	CustomerFirstName         string          `json:"customerFirstName"`
	CustomerLastName          string          `json:"customerLastName"`
	CustomerEmail             string          `json:"customerEmail,omitempty"`
	CustomerPhone             string          `json:"customerPhone,omitempty"`
	CustomerLoyaltyCardNumber string          `json:"customerLoyaltyCardNumber,omitempty"`
	CreatedAt                 string          `json:"createdAt"`
	ExpiresAt                 *string         `json:"expiresAt,omitempty"`
	ExpireAt                  *string         `json:"expireAt,omitempty"` // the old name
	LockedUntil               *string         `json:"lockedUntil,omitempty"`
	Value                     points.Amount   `json:"value"`
	State                     string          `json:"state"`
	Type                      string          `json:"type"`
	Comment                   string          `json:"comment"`
	Issuer                    string          `json:"issuer"`
	TransactionID             *transactionRef `json:"transactionId,omitempty"`
	RevisedTransactionID      *transactionRef `json:"revisedTransactionId,omitempty"`
	SenderID                  string          `json:"senderId,omitempty"`
	ReceiverID                string          `json:"receiverId,omitempty"`
}

type transactionRef struct {
	TransactionID string `json:"transactionId"`
}

func viewOf(s *store.Store, t *points.Transfer, accountID string, who *customer.Customer) view {
	v := view{
		ID: t.ID, AccountID: accountID, CustomerID: t.CustomerID, CreatedAt: api.Timestamp(t.CreatedAt, s.Zone),
		ExpiresAt: api.OptionalTimestamp(t.ExpiresAt, s.Zone), ExpireAt: api.OptionalTimestamp(t.ExpiresAt, s.Zone),
		LockedUntil: api.OptionalTimestamp(t.LockedUntil, s.Zone), Value: t.Value, State: t.State, Type: t.Type,
		Comment: t.Comment, Issuer: t.Issuer,
	}
	if who != nil {
		v.CustomerFirstName, v.CustomerLastName, v.CustomerEmail = who.FirstName, who.LastName, who.Email
		v.CustomerPhone, v.CustomerLoyaltyCardNumber = who.Phone, who.LoyaltyCard
	}
	if t.TransactionID != "" {
		v.TransactionID = &transactionRef{t.TransactionID}
	}
	if t.RevisedTransactionID != "" {
		v.RevisedTransactionID = &transactionRef{t.RevisedTransactionID}
	}
	switch t.Type {
	case points.P2PAdding:
		v.SenderID = t.OtherCustomerID
	case points.P2PSpending:
		v.ReceiverID = t.OtherCustomerID
	}
	return v
}

// list implements C1 to C3, newest first.
func list(c *api.Call) error {
	asked, err := c.Page()
	if err != nil {
		return err
	}
	filter, err := readFilter(c)
	if err != nil {
		return err
	}
	answer := struct {
		Transfers []view `json:"transfers"`
		Total     int64  `json:"total"`
	}{Transfers: []view{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := points.List(tx, c.Store.Key, filter, asked)
		if answer.Total = total; err != nil || len(found) == 0 {
			return err
		}
		ids := make([]string, len(found))
		for i := range found {
			ids[i] = found[i].CustomerID
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
		customers, err := customer.FindAll(tx, c.Store.Key, ids...)
		if err != nil {
			return err
		}
		accounts, err := points.AccountIDs(tx, c.Store.Key, ids...)
		if err != nil {
			return err
		}
		for i := range found {
			t := &found[i]
			answer.Transfers = append(answer.Transfers,
				viewOf(c.Store, t, accounts[t.CustomerID], customers[t.CustomerID]))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

func readFilter(c *api.Call) (points.Filter, error) {
	query, err := c.Query()
	if err != nil {
		return points.Filter{}, err
	}
	f := points.Filter{
		States: texts(query.Child("state")), Types: texts(query.Child("type")), CustomerID: query.Child("customerId").Text(),
	}
	if c.Caller.Role == access.Customer {
		f.CustomerID = c.Caller.ID
	}
	return f, nil
}

// texts reads a filter that may be sent once or as a list.
func texts(n *form.Node) []string {
	if !n.IsGroup() {
		if text := n.Text(); text != "" {
			return []string{text}
		}
		return nil
	}
	var all []string
	for _, entry := range n.Children() {
		all = append(all, entry.Text())
	}
	return all
}
