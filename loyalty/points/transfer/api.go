// Package transfer serves the endpoints of point transfers: adding and spending by hand, transfers from one customer
// to another, and lists of transfers with their customers.
package transfer

import (
	"errors"
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of docs/behaviour/points.md#endpoints.
func Endpoints(h Hooks) []api.Endpoint {
	viewer := access.AdministratorWith(access.PointTransfers, access.View)
	modify := access.AdministratorWith(access.PointTransfers, access.Modify)
	self, seller := access.Only(access.Customer), access.Only(access.Seller)
	const ofStore, giveFrom = "/api/{storeCode}/", "Give points of one customer to another"
	list := func(path string, rule access.Rule, filters func(q *form.Group)) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: ofStore + path, Access: rule, Handle: h.list,
			Summary: "List transfers of points, the newest first", Query: api.PageQuery(points.Sortable.Columns, filters),
			Response: viewList{}}
	}
	post := func(event, path, summary string, rule access.Rule, handle func(*api.Call) error,
		fields func(g *form.Group)) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: ofStore + path, Access: rule, Factor: api.ByPoints(pointsOf),
			Handle:  handle,
			Summary: summary, Form: func(g *form.Group) { fields(g.Group("transfer")) }, Response: madeTransfer{},
			Audit: api.Audited(event, "transfer")}
	}
	taken := api.Reads(readRequest)
	return []api.Endpoint{
		list("points/transfer", viewer, filtersOfAll),
		list("seller/points/transfer", seller, filtersOfAll),
		list("customer/points/transfer", self, filtersOfOwn),
		{Method: "GET", Path: ofStore + "points/transfers", Access: viewer, Handle: byDate,
			Summary: "Sum up points by the date on which they were earned, spent, expired or unlocked",
			Query:   func(q *form.Group) { readDates(q) }, Response: map[string]points.Amount{}},
		{Method: "GET", Path: ofStore + "points/transfer/{transfer}", Access: viewer, Handle: h.show,
			Summary: "Show a transfer of points, with what it took or what is left of it", Response: detail{}},
		{Method: "GET", Path: ofStore + "csv/points/transfer", Access: viewer, Handle: h.exportList,
			Summary: "Export transfers of points", Query: api.TableQuery(exportColumns, filtersOfAll),
			Response: api.Tables},
		{Method: "GET", Path: ofStore + "admin/customer/{customer}/lots", Access: viewer, Handle: h.lots,
			Summary: "List the points of a customer by lot, those that are spent first at the top", Response: lotList{}},
		post("AddPoints", "points/transfer/add", "Give points to a customer", modify, add, describeGrant),
		post("SpendPoints", "points/transfer/spend", "Take points from a customer", modify, spend, taken),
		post("BlockPoints", "points/transfer/block", "Block points of a customer", modify, block, taken),
		post("AddPoints", "pos/points/transfer/add", "Give points to a customer", seller, add, describeGrant),
		post("SpendPoints", "pos/points/transfer/spend", "Take points from a customer", seller, spend, taken),
		{Method: "POST", Path: ofStore + "points/transfer/{transfer}/cancel", Access: modify, Factor: api.TakesBack,
			Handle: cancel, Summary: "Cancel a transfer of points", Audit: api.Audited("CancelTransfer", "transfer")},
		{Method: "POST", Path: ofStore + "points/transfer/{transfer}/activate", Access: modify,
			Factor: api.ByPoints(pointsOfTransfer), Handle: activate,
			Summary: "Let pending points be spent now", Response: api.NoContent{},
			Audit: api.Audited("ActivateTransfer", "transfer")},
		{Method: "POST", Path: ofStore + "points/transfer/{transfer}/expire", Access: modify,
			Factor: api.ByPoints(pointsOfTransfer), Handle: expire,
			Summary: "Let points expire now", Response: api.NoContent{},
			Audit: api.Audited("ExpireTransfer", "transfer")},
		post("TransferPoints", "admin/p2p-points-transfer", giveFrom, modify, giveFor, describeGiftFor),
		post("TransferPoints", "admin/p2p-points-tranfer", giveFrom, modify, giveFor, describeGiftFor),
		post("TransferPoints", "customer/points/p2p-transfer", "Give points to another customer", self, h.give,
			api.Reads(readGift)),
	}
}

// pointsOf returns how many points a call wants to move, in hundredths, and 0 if its number is not valid.
func pointsOf(c *api.Call) (int64, error) {
	body, err := c.Body()
	if err != nil {
		return 0, err
	}
	g := form.Read(body, "transfer")
	wanted := ReadPoints(g)
	if g.Err() != nil {
		return 0, nil
	}
	return int64(wanted), nil
}

// pointsOfTransfer returns the points of the transfer of the path, in hundredths, and 0 if there is none.
func pointsOfTransfer(c *api.Call) (int64, error) {
	var found points.Transfer
	err := c.Read(func(tx *db.Tx) (err error) {
		found, _, err = points.Find(tx, c.Store, strings.ToLower(c.PathValue("transfer")))
		return err
	})
	if errors.Is(err, fault.ErrNotFound) {
		return 0, nil
	}
	return int64(found.Value), err
}

// Limits of a transfer by hand.
const (
	commentLimit = 1024                           // characters
	pointsLimit  = 1_000_000_000_000              // points in one transfer
	pointsDigits = 2                              // after the point
	daysLimit    = 36_500                         // days of validity
	leastPoints  = int64(decimal.Hundredths(100)) // one point, in hundredths
)

// errNotEnough is the form error when more points are taken than the customer has.
var errNotEnough = fault.New(fault.Fields, "not_enough_points", "not enough points")

// request holds the fields that adding, spending and blocking have in common.
type request struct {
	customer string
	points   points.Amount
	comment  string
	issuer   string
}

func readCall(c *api.Call) (*form.Group, request, error) {
	issuer, err := issuerOf(c)
	if err != nil {
		return nil, request{}, err
	}
	body, err := c.Body()
	if err != nil {
		return nil, request{}, err
	}
	g := form.Read(body, "transfer")
	r := readRequest(g)
	r.issuer = issuer
	return g, r, nil
}

func readRequest(g *form.Group) request {
	return request{
		customer: g.UUID("customer", form.NotBlank), points: ReadPoints(g), comment: ReadComment(g),
	}
}

// readDays reads the number of days for which added points are valid.
func readDays(g *form.Group) int {
	return int(g.Integer("validityDuration", form.AtLeast(1), form.LessThan(daysLimit)))
}

func describeGrant(g *form.Group) {
	readRequest(g)
	readDays(g)
}

// ReadComment reads the comment of a transfer by hand.
func ReadComment(g *form.Group) string { return g.Text("comment", form.MaxLength(commentLimit)) }

// ReadPoints reads a number of points. further are its rules beside those of all transfers.
func ReadPoints(g *form.Group, further ...form.Rule) points.Amount {
	return points.Amount(g.Decimal("points", pointsDigits, append(further, form.NotBlank, form.AtLeast(leastPoints),
		form.LessThan(pointsLimit*100))...))
}

// issuerOf returns the issuer of the caller's transfers. A seller needs the permission to transfer points.
func issuerOf(c *api.Call) (string, error) {
	switch {
	case c.Caller.Role == access.Customer:
		return points.BySystem, nil
	case c.Caller.Role == access.Administrator && c.Caller.Permanent:
		return points.ByAPI, nil
	case c.Caller.Role == access.Administrator:
		return points.ByAdmin, nil
	}
	_, err := seller.Permitted(c, func(r *seller.Rights) bool { return r.AllowPointTransfer })
	return points.BySeller, err
}

// add adds points, for administrators and sellers.
func add(c *api.Call) error {
	g, r, err := readCall(c)
	if err != nil {
		return err
	}
	days := readDays(g)
	return change(c, g, r, func(tx *db.Tx, w *points.Wallet) (*points.Transfer, event.Entry, error) {
		t, entry := w.Add(points.Grant{
			Value: r.points, Comment: r.comment, Issuer: r.issuer, ValidDays: days, CreatedAt: tx.Now(),
		})
		return t, entry, nil
	})
}

// spend takes points, for administrators and sellers.
func spend(c *api.Call) error { return take(c, (*points.Wallet).Spend) }

// block blocks points.
func block(c *api.Call) error { return take(c, (*points.Wallet).Block) }

func take(c *api.Call, from func(w *points.Wallet, value points.Amount, comment, issuer string) (
	*points.Transfer, event.Entry, error)) error {
	g, r, err := readCall(c)
	if err != nil {
		return err
	}
	return change(c, g, r, func(_ *db.Tx, w *points.Wallet) (*points.Transfer, event.Entry, error) {
		return from(w, r.points, r.comment, r.issuer)
	})
}

// errUnknown is returned when a form names a customer that the store does not have.
var errUnknown = errors.New("the store has no such customer")

// change makes a transfer of the customer that the form names.
func change(c *api.Call, g *form.Group, r request,
	decide func(tx *db.Tx, w *points.Wallet) (*points.Transfer, event.Entry, error)) error {
	if err := g.Err(); err != nil {
		return err
	}
	var made *points.Transfer
	err := c.Write(func(tx *db.Tx) error {
		if err := requireCustomer(tx, c.Store.Key, r.customer); err != nil {
			return err
		}
		err := membership.Change(tx, c.Store, r.customer, func(w *points.Wallet) (entry event.Entry, err error) {
			made, entry, err = decide(tx, w)
			return entry, err
		})
		if err == nil {
			audit.Of(tx).SetCustomer(r.customer)
			audit.Of(tx).SetEntity(made.ID)
		}
		return err
	}, func() error { return c.OK(madeTransfer{made.ID}) })
	switch {
	case errors.Is(err, errUnknown):
		g.AddError("customer", form.Invalid("unknown_customer"))
		return g.Err()
	case errors.Is(err, points.ErrNotEnough):
		g.AddError("points", errNotEnough)
		return g.Err()
	}
	return err
}

type madeTransfer struct {
	ID string `json:"pointsTransferId"`
}

// requireCustomer returns why a customer is gone, and errUnknown for one that the store never had.
func requireCustomer(tx *db.Tx, storeKey int64, customerID string) error {
	found, err := customer.FindAll(tx, storeKey, customerID)
	if err != nil {
		return err
	}
	who := found[customerID]
	if who == nil {
		return errUnknown
	}
	return who.Gone()
}

// cancel cancels the transfer of the path.
func cancel(c *api.Call) error {
	return alter(c, points.ErrNotCancelable, (*points.Wallet).Cancel, c.Done)
}

// activate unlocks the pending transfer of the path.
func activate(c *api.Call) error {
	return alter(c, points.ErrNotPending, (*points.Wallet).Unlock, c.NoContent)
}

// expire expires the transfer of the path.
func expire(c *api.Call) error {
	return alter(c, points.ErrNotActive, (*points.Wallet).Expire, c.NoContent)
}

// alter lets act change the transfer of the path, and responds. It returns refusal if the transfer has expired already.
func alter(c *api.Call, refusal error, act func(w *points.Wallet, t *points.Transfer) (event.Entry, error),
	respond func() error) error {
	id := strings.ToLower(c.PathValue("transfer"))
	return c.Write(func(tx *db.Tx) error {
		who, err := points.OwnerOf(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		audit.Of(tx).SetCustomer(who)
		return membership.Change(tx, c.Store, who, func(w *points.Wallet) (event.Entry, error) {
			t, err := w.Transfer(id)
			if err != nil {
				return event.Entry{}, err
			}
			if t.StateAt(tx.Now()) == points.Expired {
				return event.Entry{}, refusal
			}
			return act(w, t)
		})
	}, respond)
}
