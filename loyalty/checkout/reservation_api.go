package checkout

import (
	"cmp"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/transaction"
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
			Do:      api.Write(inBasket(readReserve, mayReserveBasket), svc.reserveBasket).DescribedAs(reservationView{}),
			Summary: "Keep a basket with its prices, coupons, limits and points for a while",
			Audit:   api.Audited("CreateReservation", "reservation")},
		{Method: "GET", Path: ofReservation, Access: view.And(access.Seller).WithPIN(),
			Do: api.Show(showReservation).First(maySee).DescribedAs(reservationView{}), Summary: "Show a reserved basket"},
		{Method: "POST", Path: ofReservation + "/confirm", Access: modify, Factor: api.Everyday,
			Do: svc.confirmations.Operation(api.BodyInCall("reservation", readConfirmation,
				func(g *form.Group) { readReceipt(g, store.Example) }), reservationView{}),
			Summary: "Register the receipt of a reserved basket, use its coupons and buy its rewards",
			Audit:   api.Audited("ConfirmReservation", "reservation"), Secrets: []string{"code"}},
		{Method: "POST", Path: ofReservation + "/cancel", Access: modify, Factor: api.Everyday,
			Do:      api.Act(svc.cancelBasket).First(mayEnd).DescribedAs(reservationView{}),
			Summary: "Give back what a reserved basket keeps", Audit: api.Audited("CancelReservation", "reservation")},
		{Method: "POST", Path: ofReservation + "/extend", Access: modify, Factor: api.Everyday,
			Do: api.Write(api.BodyInCall("reservation", func(c *api.Call, g *form.Group) (time.Duration, error) {
				return readTime(g), mayEnd(c)
			}, api.Reads(readTime)), svc.extendBasket).DescribedAs(reservationView{}),
			Summary: "Keep a reserved basket for longer", Audit: api.Audited("ExtendReservation", "reservation")},
		{Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/reservations", Access: view,
			Do:      api.Read(api.InPages[string](nil), listReservations),
			Summary: "List the reserved baskets of a customer, the newest first"},
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

func readReserve(g *form.Group, s *store.Store) request {
	in := readRequest(g, s)
	in.lasting = readTime(g)
	return in
}

func mayReserveBasket(c *api.Call, g *form.Group, in *request) (err error) {
	if in.posID, err = mayReserve(c, len(in.coupons) > 0); err != nil {
		return err
	}
	return cmp.Or(g.Err(), administers(c))
}

func (svc *Service) reserveBasket(w *api.Writing, in request) (body api.Encoded, err error) {
	err = svc.guess(w.Call, &in, func() (wrong bool, err error) {
		r, made, err := svc.reserve(w.Tx, in, w.Caller.ID)
		if err != nil {
			return false, err
		}
		if r.Checkout, err = web.Encode(made.view()); err != nil {
			return false, err
		}
		w.Entry().SetCreated(r.ID)
		if r.CustomerID != "" {
			w.Entry().SetCustomer(r.CustomerID)
		}
		if err := r.insert(w.Tx); err != nil {
			return false, err
		}
		wrong, _ = svc.countUnknown(w.Call, made) // it is reserved all the same
		body, err = r.encoded(w.Store, w.Tx.Now())
		return wrong, err
	})
	return body, err
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

// mayEnd refuses sellers who may not confirm, cancel and extend reservations.
func mayEnd(c *api.Call) error {
	_, err := mayReserve(c, false)
	return err
}

func maySee(c *api.Call) error {
	_, err := permitted(c, &request{})
	return err
}

func showReservation(r *api.Reading) (api.Encoded, error) {
	found, err := findReservation(r.Tx, r.Store.Key, r.PathID("reservation"), "")
	if err != nil {
		return api.Encoded{}, err
	}
	if r.Caller.Role == access.Administrator && !r.Caller.Allowed(access.Customers, access.View) {
		return api.Encoded{}, fault.ErrForbidden
	}
	return found.encoded(r.Store, r.Tx.Now())
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
		reservationID: c.PathID("reservation"), receipt: readReceipt(g, c.Store),
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
func findOpen(w *api.Writing) (*reservation, error) {
	r, err := findReservation(w.Tx, w.Store.Key, w.PathID("reservation"), ` FOR UPDATE`)
	if err != nil {
		return nil, err
	}
	if r.CustomerID != "" {
		w.Entry().SetCustomer(r.CustomerID)
	}
	return r, administers(w.Call)
}

func (svc *Service) cancelBasket(w *api.Writing) (api.Encoded, error) {
	r, err := findOpen(w)
	if err != nil {
		return api.Encoded{}, err
	}
	switch r.stateAt(w.Tx.Now()) {
	case Cancelled:
	case Reserved:
		err = svc.cancel(w.Tx, w.Store, r)
	default:
		err = r.ended()
	}
	if err != nil {
		return api.Encoded{}, err
	}
	return r.encoded(w.Store, w.Tx.Now())
}

// extendBasket prolongs a reservation until some time from now.
func (svc *Service) extendBasket(w *api.Writing, lasting time.Duration) (api.Encoded, error) {
	r, err := findOpen(w)
	if err != nil {
		return api.Encoded{}, err
	}
	if r.stateAt(w.Tx.Now()) != Reserved {
		return api.Encoded{}, r.ended()
	}
	if err := svc.extend(w.Tx, w.Store, r, w.Tx.Now().Add(lasting)); err != nil {
		return api.Encoded{}, err
	}
	return r.encoded(w.Store, w.Tx.Now())
}

// listReservations lists the reservations of a customer.
func listReservations(r *api.Reading, page api.Page) (list reservationList, err error) {
	who, err := customer.Of(r.Call, r.Tx)
	if err != nil {
		return list, err
	}
	if !r.Caller.Allowed(access.Customers, access.View) {
		return list, fault.ErrForbidden
	}
	found, total, err := reservationsOf(r.Tx, r.Store.Key, who.ID, page)
	list = reservationList{make([]reservationHead, len(found)), total}
	for i := range found {
		list.Reservations[i] = found[i].head(r.Store, r.Tx.Now())
	}
	return list, err
}
