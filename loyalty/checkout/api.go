package checkout

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

var errOtherCurrency = fault.New(fault.Fields, "other_currency", "The currency of the store is %s.")

const codeLimit = 255 // characters of a code

// Endpoints returns the endpoints of docs/behaviour/checkout.md and docs/behaviour/reservations.md.
func (svc *Service) Endpoints() []api.Endpoint {
	staff := access.AdministratorWith(access.RewardCampaigns, access.View).And(access.Seller).WithPIN()
	return append(svc.reservationEndpoints(), svc.membershipEndpoint(staff), api.Endpoint{
		Method: "POST", Path: "/api/{storeCode}/checkout", Access: staff, Factor: api.NoWrite,
		Handle: svc.serve, Unkeyed: true,
		Summary: "Tell what a basket costs and earns, with coupons and rewards", Response: view{}, Query: api.LocaleQuery,
		Form: func(g *form.Group) { readQuestion(g.Group("checkout"), store.Example) },
	})
}

// readRequest reads the body. A code that is sent twice counts once.
func readRequest(g *form.Group, s *store.Store) request {
	in := request{customer: g.Key("customer", form.MaxLength(codeLimit)), items: transaction.ReadBasket(g, s)}
	if currency := g.Text("currency"); currency != "" && currency != s.Currency {
		g.AddError("currency", errOtherCurrency.With(s.Currency))
	}
	rows := g.Groups("coupons")
	if len(rows) > CouponLimit {
		g.AddError("coupons", form.TooMany.With(CouponLimit))
		rows = nil
	}
	type row struct{ code, campaignID string }
	seen := map[row]bool{}
	for _, of := range rows {
		r := row{of.Key("code", form.NotBlank, form.MaxLength(codeLimit)), of.UUID("campaignId")}
		if !seen[r] {
			in.coupons = append(in.coupons, purchase.Shown{Code: r.code, CampaignID: r.campaignID})
		}
		seen[r] = true
	}
	if in.rewards = g.UUIDs("rewards"); len(in.rewards) > RewardLimit {
		g.AddError("rewards", form.TooMany.With(RewardLimit))
	}
	if len(in.rewards) > 0 && in.customer == "" && !g.Failed("customer") {
		g.AddError("customer", form.Blank)
	}
	return in
}

// readQuestion is readRequest for a checkout that may be about another time.
func readQuestion(g *form.Group, s *store.Store) request {
	in := readRequest(g, s)
	in.at = g.DateTime("at", s.Zone)
	return in
}

// serve answers a checkout.
func (svc *Service) serve(c *api.Call) error {
	return svc.answer(c, readQuestion, func(made *checkout) any { return made.view() })
}

// readCall reads the body of a call about a basket.
func readCall(c *api.Call, read func(*form.Group, *store.Store) request) (g *form.Group, in request, err error) {
	locale, err := c.Locale()
	if err != nil {
		return nil, in, err
	}
	body, err := c.Body()
	if err != nil {
		return nil, in, err
	}
	g = form.Read(body, "checkout")
	in = read(g, c.Store)
	in.store, in.role, in.locale = c.Store, c.Caller.Role, locale
	return g, in, nil
}

// guess runs try, which reports whether a code was unknown, and counts that against the limit of guesses. An unknown
// customer is an error of the form.
func (svc *Service) guess(c *api.Call, g *form.Group, in *request, try func() (wrong bool, err error)) error {
	attempt := func() (bool, error) {
		wrong, err := try()
		if errors.Is(err, errUnknownCustomer) {
			g.AddError("customer", form.Invalid("unknown_customer"))
			err = g.Err()
		}
		return wrong, err
	}
	if len(in.coupons) > 0 {
		return c.Guess(svc.guesses, attempt)
	}
	_, err := attempt()
	return err
}

// answer reads a request and answers it with a view of the checkout.
func (svc *Service) answer(c *api.Call, read func(*form.Group, *store.Store) request,
	view func(made *checkout) any) error {
	g, in, err := readCall(c, read)
	if err != nil {
		return err
	}
	if in.posID, err = permitted(c, &in); err != nil {
		return err
	}
	if err := c.MoveBy(g, in.at); err != nil {
		return err
	}
	if err := g.Err(); err != nil {
		return err
	}
	var response any
	err = svc.guess(c, g, &in, func() (wrong bool, err error) {
		made, err := svc.find(c, in)
		if err != nil {
			return false, err
		}
		response = view(made)
		return svc.countUnknown(c, made)
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// find computes a checkout, together with those of other calls if it is about the present.
func (svc *Service) find(c *api.Call, in request) (*checkout, error) {
	if !c.Moved() {
		return svc.batch.Do(c.Context(), in)
	}
	var made *checkout
	err := c.Read(func(tx *db.Tx) (err error) {
		made, err = svc.computeOne(tx, in)
		return err
	})
	return made, err
}

// countUnknown counts each unknown code after the first, which the caller counts, against the limit of guesses.
func (svc *Service) countUnknown(c *api.Call, made *checkout) (wrong bool, err error) {
	for i := range made.coupons {
		if !made.coupons[i].IsUnknown() {
			continue
		}
		if wrong {
			if err := c.Guess(svc.guesses, func() (bool, error) { return true, nil }); err != nil {
				return true, err
			}
		}
		wrong = true
	}
	return wrong, nil
}

// permitted returns the point of sale of a seller who may see what a checkout shows. Administrators must also see
// customers, if there may be one.
func permitted(c *api.Call, in *request) (posID string, err error) {
	if c.Caller.Role == access.Administrator {
		if (in.customer != "" || len(in.coupons) > 0) && !c.Caller.Allowed(access.Customers, access.View) {
			return "", fault.ErrForbidden
		}
		return "", nil
	}
	by, err := seller.Permitted(c, func(r *seller.Rights) bool {
		return r.AllowTransactions && (r.AllowCouponLookup || len(in.coupons) == 0)
	})
	return by.POSID, err
}

var errUnknownCustomer = errors.New("checkout: no active customer")

// findCustomer returns the customer with an id or a card number who is served, or why not.
func findCustomer(tx *db.Tx, storeKey int64, name string) (*customer.Customer, error) {
	customers, err := customer.FindNamed(tx, storeKey, name)
	if err != nil {
		return nil, err
	}
	return customers[name], isServed(customers[name])
}

// isServed returns why there is no checkout for a customer, or nil.
func isServed(who *customer.Customer) error {
	if who == nil {
		return errUnknownCustomer
	}
	if err := who.Gone(); err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	if !who.IsActive() {
		return errUnknownCustomer
	}
	return nil
}
