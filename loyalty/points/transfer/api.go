// Package transfer serves the endpoints of point transfers: adding and spending by hand, transfers from one customer
// to another, and lists of transfers with their customers.
package transfer

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
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
func Endpoints(guesses api.Guesses) []api.Endpoint {
	viewer := access.AdministratorWith(access.PointTransfers, access.View)
	modify := access.AdministratorWith(access.PointTransfers, access.Modify)
	self, seller := access.Only(access.Customer), access.Only(access.Seller)
	const ofStore, giveFrom = "/api/{storeCode}/", "Give points of one customer to another"
	list := func(path string, rule access.Rule, filters func(q *form.Group)) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: ofStore + path, Access: rule,
			Do:      api.Read(api.InCall(api.PageQuery(points.Sortable.Columns, filters), readList), listTransfers),
			Summary: "List transfers of points, the newest first"}
	}
	post := func(event, path, summary string, rule access.Rule, do api.Operation) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: ofStore + path, Access: rule, Factor: api.ByPoints(pointsOf),
			Do: do, Summary: summary, Audit: api.Audited(event, "transfer")}
	}
	addPoints, spendPoints := api.Write(grantBody, add), api.Write(requestBody, spend)
	give := func(path, summary string, rule access.Rule, handle func(*api.Call) error,
		fields func(g *form.Group)) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: ofStore + path, Access: rule, Factor: api.ByPoints(pointsOf),
			Handle:  handle,
			Summary: summary, Form: func(g *form.Group) { fields(g.Group("transfer")) }, Response: madeTransfer{},
			Audit: api.Audited("TransferPoints", "transfer")}
	}
	return []api.Endpoint{
		list("points/transfer", viewer, filtersOfAll),
		list("seller/points/transfer", seller, filtersOfAll),
		list("customer/points/transfer", self, filtersOfOwn),
		{Method: "GET", Path: ofStore + "points/transfers", Access: viewer, Do: api.Read(inDates, byDate),
			Summary: "Sum up points by the date on which they were earned, spent, expired or unlocked"},
		{Method: "GET", Path: ofStore + "points/transfer/{transfer}", Access: viewer, Do: api.Show(showTransfer),
			Summary: "Show a transfer of points, with what it took or what is left of it"},
		{Method: "GET", Path: ofStore + "csv/points/transfer", Access: viewer, Handle: exportList,
			Summary: "Export transfers of points", Query: api.TableQuery(exportColumns, filtersOfAll),
			Response: api.Tables},
		{Method: "GET", Path: ofStore + "admin/customer/{customer}/lots", Access: viewer, Do: api.Show(listLots),
			Summary: "List the points of a customer by lot, those that are spent first at the top"},
		post("AddPoints", "points/transfer/add", "Give points to a customer", modify, addPoints),
		post("SpendPoints", "points/transfer/spend", "Take points from a customer", modify, spendPoints),
		post("BlockPoints", "points/transfer/block", "Block points of a customer", modify, api.Write(requestBody, block)),
		post("AddPoints", "pos/points/transfer/add", "Give points to a customer", seller, addPoints),
		post("SpendPoints", "pos/points/transfer/spend", "Take points from a customer", seller, spendPoints),
		{Method: "POST", Path: ofStore + "points/transfer/{transfer}/cancel", Access: modify, Factor: api.TakesBack,
			Do: api.Act(cancel), Summary: "Cancel a transfer of points", Audit: api.Audited("CancelTransfer", "transfer")},
		{Method: "POST", Path: ofStore + "points/transfer/{transfer}/activate", Access: modify,
			Factor: api.ByPoints(pointsOfTransfer), Do: api.Act(activate), Summary: "Let pending points be spent now",
			Audit: api.Audited("ActivateTransfer", "transfer")},
		{Method: "POST", Path: ofStore + "points/transfer/{transfer}/expire", Access: modify,
			Factor: api.ByPoints(pointsOfTransfer), Do: api.Act(expire), Summary: "Let points expire now",
			Audit: api.Audited("ExpireTransfer", "transfer")},
		give("admin/p2p-points-transfer", giveFrom, modify, giveFor, describeGiftFor),
		give("admin/p2p-points-tranfer", giveFrom, modify, giveFor, describeGiftFor),
		give("customer/points/p2p-transfer", "Give points to another customer", self, giveOwn(guesses),
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
		found, _, err = points.Find(tx, c.Store, c.PathID("transfer"))
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

var requestBody = api.BodyInCall("transfer", func(c *api.Call, g *form.Group) (request, error) {
	issuer, err := issuerOf(c)
	r := readRequest(g)
	r.issuer = issuer
	return r, err
}, api.Reads(readRequest))

func readRequest(g *form.Group) request {
	return request{
		customer: g.UUID("customer", form.NotBlank), points: ReadPoints(g), comment: ReadComment(g),
	}
}

// readDays reads the number of days for which added points are valid.
func readDays(g *form.Group) int {
	return int(g.Integer("validityDuration", form.AtLeast(1), form.LessThan(daysLimit)))
}

// grant is a request to add points.
type grant struct {
	request
	days int // for which they are valid
}

func readGrant(g *form.Group) grant { return grant{readRequest(g), readDays(g)} }

var grantBody = api.BodyInCall("transfer", func(c *api.Call, g *form.Group) (grant, error) {
	issuer, err := issuerOf(c)
	r := readGrant(g)
	r.issuer = issuer
	return r, err
}, api.Reads(readGrant))

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
func add(w *api.Writing, r grant) (madeTransfer, error) {
	return change(w, r.request, func(of *points.Wallet) (*points.Transfer, event.Entry, error) {
		t, entry := of.Add(points.Grant{
			Value: r.points, Comment: r.comment, Issuer: r.issuer, ValidDays: r.days, CreatedAt: w.Tx.Now(),
		})
		return t, entry, nil
	})
}

// spend takes points, for administrators and sellers.
func spend(w *api.Writing, r request) (madeTransfer, error) {
	return change(w, r, func(of *points.Wallet) (*points.Transfer, event.Entry, error) {
		return of.Spend(r.points, r.comment, r.issuer)
	})
}

// block blocks points.
func block(w *api.Writing, r request) (madeTransfer, error) {
	return change(w, r, func(of *points.Wallet) (*points.Transfer, event.Entry, error) {
		return of.Block(r.points, r.comment, r.issuer)
	})
}

// change makes a transfer of the customer that the request names.
func change(w *api.Writing, r request, decide func(of *points.Wallet) (*points.Transfer, event.Entry, error)) (
	none madeTransfer, err error) {
	if err := requireCustomer(w, r.customer); err != nil {
		return none, err
	}
	var made *points.Transfer
	err = membership.Change(w.Tx, w.Store, r.customer, func(of *points.Wallet) (entry event.Entry, err error) {
		made, entry, err = decide(of)
		return entry, err
	})
	if errors.Is(err, points.ErrNotEnough) {
		return none, w.Refuse("points", errNotEnough)
	}
	if err != nil {
		return none, err
	}
	w.Entry().SetCustomer(r.customer)
	w.Entry().SetEntity(made.ID)
	return madeTransfer{made.ID}, nil
}

type madeTransfer struct {
	ID string `json:"pointsTransferId"`
}

// requireCustomer returns why a customer is gone, and refuses one that the store never had.
func requireCustomer(w *api.Writing, customerID string) error {
	found, err := customer.FindAll(w.Tx, w.Store.Key, customerID)
	if err != nil {
		return err
	}
	who := found[customerID]
	if who == nil {
		return w.Refuse("customer", form.Invalid("unknown_customer"))
	}
	return who.Gone()
}

// cancel cancels the transfer of the path.
func cancel(w *api.Writing) (none api.Nothing, err error) {
	return none, alter(w, points.ErrNotCancelable, (*points.Wallet).Cancel)
}

// activate unlocks the pending transfer of the path.
func activate(w *api.Writing) (none api.NoContent, err error) {
	return none, alter(w, points.ErrNotPending, (*points.Wallet).Unlock)
}

// expire expires the transfer of the path.
func expire(w *api.Writing) (none api.NoContent, err error) {
	return none, alter(w, points.ErrNotActive, (*points.Wallet).Expire)
}

// alter lets act change the transfer of the path. It returns refusal if the transfer has expired already.
func alter(w *api.Writing, refusal error, act func(of *points.Wallet, t *points.Transfer) (event.Entry, error)) error {
	id := w.PathID("transfer")
	who, err := points.OwnerOf(w.Tx, w.Store.Key, id)
	if err != nil {
		return err
	}
	w.Entry().SetCustomer(who)
	return membership.Change(w.Tx, w.Store, who, func(of *points.Wallet) (event.Entry, error) {
		t, err := of.Transfer(id)
		if err != nil {
			return event.Entry{}, err
		}
		if t.StateAt(w.Tx.Now()) == points.Expired {
			return event.Entry{}, refusal
		}
		return act(of, t)
	})
}
