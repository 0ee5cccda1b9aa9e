// Package transfer serves the endpoints of point transfers: adding and spending by hand, transfers from one customer
// to another, and lists of transfers with their customers.
package transfer

import (
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of docs/behaviour/points.md#endpoints. Without a database they only describe.
func Endpoints(d *db.DB, guesses api.Guesses) []api.Endpoint {
	moves := newMoves(d)
	viewer := access.AdministratorWith(access.PointTransfers, access.View)
	modify := access.AdministratorWith(access.PointTransfers, access.Modify)
	self, seller := access.Only(access.Customer), access.Only(access.Seller)
	const ofStore, giveFrom = "/api/{storeCode}/", "Give points of one customer to another"
	list := func(path string, rule access.Rule, filters func(q *form.Group)) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: ofStore + path, Access: rule,
			Do:      api.Read(api.InCall(api.PageQuery(points.Sortable.Columns, filters), readList), listTransfers),
			Summary: "List transfers of points, the newest first"}
	}
	post := func(event, path, summary string, rule access.Rule, body api.Input[move]) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: ofStore + path, Access: rule, Factor: api.ByPoints(pointsOf),
			Do: moves.Operation(body, madeTransfer{}), Summary: summary, Audit: api.Audited(event, "transfer")}
	}
	return []api.Endpoint{
		list("points/transfer", viewer, filtersOfAll),
		list("seller/points/transfer", seller, filtersOfAll),
		list("customer/points/transfer", self, filtersOfOwn),
		{Method: "GET", Path: ofStore + "points/transfers", Access: viewer, Do: api.Read(inDates, byDate),
			Summary: "Sum up points by the date on which they were earned, spent, expired or unlocked"},
		{Method: "GET", Path: ofStore + "points/transfer/{transfer}", Access: viewer, Do: api.Show(showTransfer),
			Summary: "Show a transfer of points, with what it took or what is left of it"},
		{Method: "GET", Path: ofStore + "csv/points/transfer", Access: viewer,
			Do:      api.ExportPages("points_transfers", exportColumns, exportList, filtersOfAll),
			Summary: "Export transfers of points"},
		{Method: "GET", Path: ofStore + "admin/customer/{customer}/lots", Access: viewer, Do: api.Show(listLots),
			Summary: "List the points of a customer by lot, those that are spent first at the top"},
		post("AddPoints", "points/transfer/add", "Give points to a customer", modify, addBody),
		post("SpendPoints", "points/transfer/spend", "Take points from a customer", modify, spendBody),
		post("BlockPoints", "points/transfer/block", "Block points of a customer", modify, blockBody),
		post("AddPoints", "pos/points/transfer/add", "Give points to a customer", seller, addBody),
		post("SpendPoints", "pos/points/transfer/spend", "Take points from a customer", seller, spendBody),
		{Method: "POST", Path: ofStore + "points/transfer/{transfer}/cancel", Access: modify, Factor: api.TakesBack,
			Do: api.Act(cancel), Summary: "Cancel a transfer of points", Audit: api.Audited("CancelTransfer", "transfer")},
		{Method: "POST", Path: ofStore + "points/transfer/{transfer}/activate", Access: modify,
			Factor: api.ByPoints(pointsOfTransfer), Do: api.Act(activate), Summary: "Let pending points be spent now",
			Audit: api.Audited("ActivateTransfer", "transfer")},
		{Method: "POST", Path: ofStore + "points/transfer/{transfer}/expire", Access: modify,
			Factor: api.ByPoints(pointsOfTransfer), Do: api.Act(expire), Summary: "Let points expire now",
			Audit: api.Audited("ExpireTransfer", "transfer")},
		post("TransferPoints", "admin/p2p-points-transfer", giveFrom, modify, giftFor),
		post("TransferPoints", "admin/p2p-points-tranfer", giveFrom, modify, giftFor),
		{Method: "POST", Path: ofStore + "customer/points/p2p-transfer", Access: self, Factor: api.ByPoints(pointsOf),
			Do:      moves.Operation(giftOfCaller, madeTransfer{}).Guessing(guesses, isWrongReceiver),
			Summary: "Give points to another customer", Audit: api.Audited("TransferPoints", "transfer")},
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

// grant is a request to add points.
type grant struct {
	request
	days int // for which they are valid
}

func readGrant(g *form.Group) grant { return grant{readRequest(g), readDays(g)} }

// addBody reads points to add, for administrators and sellers.
var addBody = byHand(readGrant, func(r grant, issuer string, of *points.Wallet, now time.Time) (
	*points.Transfer, event.Entry, error) {
	t, entry := of.Add(points.Grant{
		Value: r.points, Comment: r.comment, Issuer: issuer, ValidDays: r.days, CreatedAt: now,
	})
	return t, entry, nil
})

// spendBody reads points to take, for administrators and sellers.
var spendBody = byHand(readRequest, func(r request, issuer string, of *points.Wallet, _ time.Time) (
	*points.Transfer, event.Entry, error) {
	return of.Spend(r.points, r.comment, issuer)
})

// blockBody reads points to block.
var blockBody = byHand(readRequest, func(r request, issuer string, of *points.Wallet, _ time.Time) (
	*points.Transfer, event.Entry, error) {
	return of.Block(r.points, r.comment, issuer)
})

// byHand reads a transfer by hand, which decide makes.
func byHand[R interface{ of() string }](read func(g *form.Group) R,
	decide func(r R, issuer string, of *points.Wallet, now time.Time) (*points.Transfer, event.Entry, error),
) api.Input[move] {
	return api.BodyInCall("transfer", func(c *api.Call, g *form.Group) (move, error) {
		issuer, err := issuerOf(c)
		r := read(g)
		return move{customer: r.of(), decide: func(of *points.Wallet, now time.Time) (
			*points.Transfer, event.Entry, error) {
			return decide(r, issuer, of, now)
		}}, err
	}, api.Reads(read))
}

func (r request) of() string { return r.customer }

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

type madeTransfer struct {
	ID string `json:"pointsTransferId"`
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
