package checkout

import (
	"cmp"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/web"
)

const ofReservation = "/api/{storeCode}/checkout/reservation/{reservation}"

// reservationEndpoints returns the endpoints of docs/behaviour/reservations.md.
func (svc *Service) reservationEndpoints() []api.Endpoint {
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify).And(access.Seller).WithPIN()
	return []api.Endpoint{
		{Method: "POST", Path: "/api/{storeCode}/checkout/reserve", Access: modify, Factor: api.Everyday,
			Handle: svc.serveReserve, Summary: "Keep a basket with its prices, coupons, limits and points for a while",
			Response: reservationView{}, Query: api.LocaleQuery,
			Audit: api.Audited("CreateReservation", "reservation"),
			Form: func(g *form.Group) {
				of := g.Group("checkout")
				readRequest(of, store.Example)
				readTime(of)
			}},
		{Method: "GET", Path: ofReservation, Access: view.And(access.Seller).WithPIN(), Handle: svc.serveReservation,
			Summary: "Show a reserved basket", Response: reservationView{}},
		{Method: "POST", Path: ofReservation + "/confirm", Access: modify, Factor: api.Everyday,
			Do: svc.confirmations.Operation(api.BodyInCall("reservation", readConfirmation,
				func(g *form.Group) { readReceipt(g, store.Example) }), reservationView{}),
			Summary: "Register the receipt of a reserved basket, use its coupons and buy its rewards",
			Audit:   api.Audited("ConfirmReservation", "reservation"), Secrets: []string{"code"}},
		{Method: "POST", Path: ofReservation + "/cancel", Access: modify, Factor: api.Everyday, Handle: svc.serveCancel,
			Summary: "Give back what a reserved basket keeps", Response: reservationView{},
			Audit: api.Audited("CancelReservation", "reservation")},
		{Method: "POST", Path: ofReservation + "/extend", Access: modify, Factor: api.Everyday, Handle: svc.serveExtend,
			Summary: "Keep a reserved basket for longer", Response: reservationView{},
			Form:  func(g *form.Group) { readTime(g.Group("reservation")) },
			Audit: api.Audited("ExtendReservation", "reservation")},
		{Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/reservations", Access: view,
			Handle: svc.listReservations, Summary: "List the reserved baskets of a customer, the newest first",
			Query: api.PageQuery[string](nil), Response: reservationList{}},
		svc.restoreEndpoint(),
	}
}

// reservationHead holds the members of a reservation besides those of its checkout.
type reservationHead struct {
	ID             string       `json:"reservationId"`
	State          string       `json:"state" enum:"reserved,confirmed,cancelled,expired"`
	CreatedAt      string       `json:"createdAt"`
	ExpiresAt      string       `json:"expiresAt"`
	EndedAt        *string      `json:"endedAt,omitempty"`        // of one that is confirmed or cancelled
	DocumentNumber string       `json:"documentNumber,omitempty"` // of one that is confirmed
	TransactionID  string       `json:"transactionId,omitempty"`
	Outcome        *outcomeView `json:"outcome,omitempty"`
}

// reservationView is a reservation: the response of its checkout as it was, and what became of it.
type reservationView struct {
	reservationHead
	view
}

type reservationList struct {
	Reservations []reservationHead `json:"reservations"`
	Total        int64             `json:"total"`
}

func (r *reservation) head(s *store.Store, now time.Time) reservationHead {
	h := reservationHead{
		ID: r.ID, State: r.stateAt(now), CreatedAt: api.Timestamp(r.CreatedAt, s.Zone),
		ExpiresAt: api.Timestamp(r.ExpiresAt, s.Zone), EndedAt: api.OptionalTimestamp(r.EndedAt, s.Zone),
		DocumentNumber: r.DocumentNumber, TransactionID: r.TransactionID,
	}
	if r.State == Confirmed {
		h.Outcome = &r.Outcome
	}
	return h
}

// encoded returns the JSON of the reservation as reservationView: the head before the stored members of the checkout.
func (r *reservation) encoded(s *store.Store, now time.Time) (api.Encoded, error) {
	head, err := web.Encode(r.head(s, now))
	if err != nil {
		return api.Encoded{}, err
	}
	text := strings.TrimSuffix(strings.TrimSpace(head), "}") + "," + strings.TrimPrefix(r.Checkout, "{")
	return api.Encoded{RawMessage: []byte(text)}, nil
}

func (r *reservation) respond(c *api.Call) error {
	body, err := r.encoded(c.Store, c.Now())
	if err != nil {
		return err
	}
	return c.Encoded(body.RawMessage)
}

// readTime reads how long a reservation lasts.
func readTime(g *form.Group) time.Duration {
	if !g.HasValue("expiresIn") {
		g.Integer("expiresIn")
		return DefaultTime
	}
	seconds := g.Integer("expiresIn", form.AtLeast(int64(ShortestTime/time.Second)),
		form.LessThan(int64(LongestTime/time.Second)+1))
	return time.Duration(seconds) * time.Second
}

func (svc *Service) serveReserve(c *api.Call) error {
	var lasting time.Duration
	g, in, err := readCall(c, func(g *form.Group, s *store.Store) request {
		in := readRequest(g, s)
		lasting = readTime(g)
		return in
	})
	if err != nil {
		return err
	}
	if in.posID, err = mayReserve(c, len(in.coupons) > 0); err != nil {
		return err
	}
	if err := cmp.Or(g.Err(), administers(c)); err != nil {
		return err
	}
	return svc.guess(c, g, &in, func() (wrong bool, err error) {
		var r *reservation
		var made *checkout
		err = c.Write(func(tx *db.Tx) (err error) {
			if r, made, err = svc.reserve(tx, in, c.Caller.ID, lasting); err != nil {
				return err
			}
			if r.Checkout, err = web.Encode(made.view()); err != nil {
				return err
			}
			audit.Of(tx).SetCreated(r.ID)
			if r.CustomerID != "" {
				audit.Of(tx).SetCustomer(r.CustomerID)
			}
			return r.insert(tx)
		}, func() error { return r.respond(c) })
		if err != nil || made == nil { // without a checkout, it is the response of an earlier call
			return false, err
		}
		wrong, _ = svc.countUnknown(c, made) // it is reserved all the same
		return wrong, nil
	})
}

// administers returns fault.ErrForbidden for an administrator who may not see customers and change transactions, which
// reservations need besides the permission of their endpoints.
func administers(c *api.Call) error {
	if c.Caller.Role == access.Administrator &&
		(!c.Caller.Allowed(access.Customers, access.View) || !c.Caller.Allowed(access.Transactions, access.Modify)) {
		return fault.ErrForbidden
	}
	return nil
}

// mayReserve returns the point of sale of a seller who may reserve baskets, and confirm and cancel reservations. It is
// empty for administrators.
func mayReserve(c *api.Call, withCoupons bool) (posID string, err error) {
	if c.Caller.Role == access.Administrator {
		return "", nil
	}
	by, err := seller.Permitted(c, func(r *seller.Rights) bool {
		return r.AllowTransactions && (r.AllowCouponLookup && r.AllowCouponUse || !withCoupons)
	})
	return by.POSID, err
}

func (svc *Service) serveReservation(c *api.Call) error {
	if _, err := permitted(c, &request{}); err != nil {
		return err
	}
	var r *reservation
	err := c.Read(func(tx *db.Tx) (err error) {
		r, err = findReservation(tx, c.Store.Key, strings.ToLower(c.PathValue("reservation")), "")
		return err
	})
	if err != nil {
		return err
	}
	if c.Caller.Role == access.Administrator && !c.Caller.Allowed(access.Customers, access.View) {
		return fault.ErrForbidden
	}
	return r.respond(c)
}

// readReceipt reads the document of a confirmation.
func readReceipt(g *form.Group, s *store.Store) transaction.Transaction {
	return transaction.Transaction{
		DocumentNumber: g.Key("documentNumber", form.NotBlank, form.MaxLength(textLimit)),
		PurchasedAt:    g.DateTime("purchaseDate", s.Zone).UTC(),
		PurchasePlace:  g.Text("purchasePlace", form.MaxLength(textLimit)), POSID: g.UUID("posId"),
	}
}

const textLimit = 255 // characters

func readConfirmation(c *api.Call, g *form.Group) (in confirmation, err error) {
	in = confirmation{
		reservationID: strings.ToLower(c.PathValue("reservation")), receipt: readReceipt(g, c.Store),
	}
	posID, err := mayReserve(c, false)
	if err != nil {
		return in, err
	}
	if c.Caller.Role == access.Seller {
		in.receipt.POSID = posID
	}
	if err := cmp.Or(g.Err(), administers(c)); err != nil {
		return in, err
	}
	languages, err := c.Stores().Languages(c.Context())
	in.locale = languages.Default()
	return in, err
}

// findOpen locks the reservation of the path, and names its customer in the audit log.
func findOpen(c *api.Call, tx *db.Tx) (*reservation, error) {
	r, err := findReservation(tx, c.Store.Key, strings.ToLower(c.PathValue("reservation")), ` FOR UPDATE`)
	if err == nil && r.CustomerID != "" {
		audit.Of(tx).SetCustomer(r.CustomerID)
	}
	return r, cmp.Or(err, administers(c))
}

func (svc *Service) serveCancel(c *api.Call) error {
	if _, err := mayReserve(c, false); err != nil {
		return err
	}
	var r *reservation
	return c.Write(func(tx *db.Tx) (err error) {
		if r, err = findOpen(c, tx); err != nil {
			return err
		}
		switch r.stateAt(tx.Now()) {
		case Cancelled:
			return nil
		case Reserved:
			return svc.cancel(tx, c.Store, r)
		}
		return r.ended()
	}, func() error { return r.respond(c) })
}

// serveExtend prolongs a reservation until some time from now.
func (svc *Service) serveExtend(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "reservation")
	lasting := readTime(g)
	if _, err := mayReserve(c, false); err != nil {
		return err
	}
	if err := g.Err(); err != nil {
		return err
	}
	var r *reservation
	return c.Write(func(tx *db.Tx) (err error) {
		if r, err = findOpen(c, tx); err != nil {
			return err
		}
		if r.stateAt(tx.Now()) != Reserved {
			return r.ended()
		}
		return svc.extend(tx, c.Store, r, tx.Now().Add(lasting))
	}, func() error { return r.respond(c) })
}

// listReservations lists the reservations of a customer.
func (svc *Service) listReservations(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	response := reservationList{Reservations: []reservationHead{}}
	err = c.Read(func(tx *db.Tx) error {
		who, err := customer.Of(c, tx)
		if err == nil && !c.Caller.Allowed(access.Customers, access.View) {
			err = fault.ErrForbidden
		}
		if err != nil {
			return err
		}
		found, total, err := reservationsOf(tx, c.Store.Key, who.ID, page)
		for i := range found {
			response.Reservations = append(response.Reservations, found[i].head(c.Store, tx.Now()))
		}
		response.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}
