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
		Method: "POST", Path: "/api/{storeCode}/checkout", Access: staff, Factor: api.NoWrite, Unkeyed: true,
		Do:      answering(svc, readQuestion, (*checkout).view),
		Summary: "Tell what a basket costs and earns, with coupons and rewards",
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
			in.coupons = append(in.coupons, purchase.CouponCode{Code: r.code, CampaignID: r.campaignID})
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

// inBasket reads a call about a basket.
func inBasket(read func(*form.Group, *store.Store) request,
	check func(c *api.Call, g *form.Group, in *request) error) api.Input[request] {
	return api.BodyInCall("checkout", func(c *api.Call, g *form.Group) (in request, err error) {
		in = read(g, c.Store)
		in.store, in.role = c.Store, c.Caller.Role
		if in.locale, err = c.Locale(); err != nil {
			return in, err
		}
		return in, check(c, g, &in)
	}, func(g *form.Group) { read(g, store.Example) }).AlsoQuery(api.LocaleQuery)
}

// guess runs try, which reports whether a code was unknown, and counts that against the limit of guesses. An unknown
// customer is an error of the form.
func (svc *Service) guess(c *api.Call, in *request, try func() (wrong bool, err error)) error {
	attempt := func() (bool, error) {
		wrong, err := try()
		if errors.Is(err, errUnknownCustomer) {
			err = c.Refuse("customer", form.Invalid("unknown_customer"))
		}
		return wrong, err
	}
	if len(in.coupons) > 0 {
		return c.Guess(svc.guesses, attempt)
	}
	_, err := attempt()
	return err
}

// answering returns the operation that answers a question with a view of the checkout.
func answering[View any](svc *Service, read func(*form.Group, *store.Store) request,
	view func(made *checkout) View) api.Operation {
	answer := func(c *api.Call, in request) (answer View, err error) {
		err = svc.guess(c, &in, func() (wrong bool, err error) {
			made, err := svc.find(c, in)
			if err != nil {
				return false, err
			}
			answer = view(made)
			return svc.countUnknown(c, made)
		})
		return answer, err
	}
	return api.Respond(inBasket(read, mayAsk), answer)
}

func mayAsk(c *api.Call, g *form.Group, in *request) (err error) {
	if in.posID, err = permitted(c, in); err != nil {
		return err
	}
	return c.MoveBy(g, in.at)
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
