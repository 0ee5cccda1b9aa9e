package cashback

import (
	"errors"
	"slices"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/limit"
	"punchcard/platform/outbound"
)

// Endpoints returns the cashback endpoints, and those of the messages to payment providers. The
// limiter bounds how often an administrator or key may report payments.
func Endpoints(callbacks *limit.Limiter) []api.Endpoint {
	receive := func(c *api.Call) error {
		if err := c.Take(callbacks, c.Caller.ID); err != nil {
			return err
		}
		return receive(c)
	}
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	const ofStore = "/api/{storeCode}/"
	return append([]api.Endpoint{
		{Method: "POST", Path: ofStore + "admin/campaign/cashback/redeem", Access: modify, Factor: api.Everyday,
			Handle: redeem, Summary: "Exchange points of a customer for money", Response: result{},
			Form: api.Reads(readForAnybody), Audit: api.Audited("RedeemCashback", "cashback")},
		{Method: "POST", Path: ofStore + "customer/campaign/cashback/redeem", Access: access.Only(access.Customer),
			Factor: api.Own,
			Handle: redeem, Summary: "Exchange points for money", Form: api.Reads(readOwn), Response: result{},
			Audit: api.Audited("RedeemCashback", "cashback")},
		{Method: "POST", Path: ofStore + "admin/campaign/cashback/simulate", Access: modify, Factor: api.NoWrite,
			Handle: simulate, Summary: "Calculate what points of a customer are worth", Response: result{},
			Form: api.Reads(readForAnybody), Unkeyed: true},
		{Method: "POST", Path: ofStore + "campaign/cashback/callback/{provider}", Access: modify, Factor: api.Everyday,
			Handle: receive, Summary: "Receive the status of a cashback from a payment provider", Response: received{},
			Audit: api.Audited("SettleCashback", "cashback")},
	}, messageEndpoints()...)
}

// result is the response of an exchange. pointValue is a number where points are spent, and a string
// with two decimals in simulations.
type result struct {
	CustomerID   string        `json:"customerId"`
	PointsAmount points.Amount `json:"pointsAmount"`
	PointValue   any           `json:"pointValue"`
	RewardAmount decimal.Money `json:"rewardAmount"`
	CashbackID   string        `json:"cashbackId,omitempty"` // customers only
}

// redeem spends points. Only customers see the id of the campaign.
func redeem(c *api.Call) error {
	in, g, err := readExchange(c)
	if err != nil {
		return err
	}
	var made *Cashback
	err = c.Write(func(tx *db.Tx) (err error) {
		if made, err = Redeem(tx, in); err == nil {
			audit.Of(tx).SetCustomer(made.CustomerID)
			audit.Of(tx).SetEntity(made.CouponID)
		}
		return err
	}, func() error {
		response := result{
			CustomerID: made.CustomerID, PointsAmount: made.Points, PointValue: made.PointValue,
			RewardAmount: made.RewardAmount,
		}
		if c.Caller.Role == access.Customer {
			response.CashbackID = made.CampaignID
		}
		return c.OK(response)
	})
	if err != nil {
		return atField(g, err)
	}
	return nil
}

func simulate(c *api.Call) error {
	in, g, err := readExchange(c)
	if err != nil {
		return err
	}
	var made *Cashback
	err = c.Read(func(tx *db.Tx) (err error) {
		made, err = Simulate(tx, in)
		return err
	})
	if err != nil {
		return atField(g, err)
	}
	return c.OK(result{
		CustomerID: made.CustomerID, PointsAmount: made.Points, PointValue: made.PointValue.Fixed(),
		RewardAmount: made.RewardAmount,
	})
}

// atField reports ErrWorthless as an error of the field pointsAmount. It returns other errors
// unchanged.
func atField(g *form.Group, err error) error {
	if !errors.Is(err, ErrWorthless) {
		return err
	}
	g.AddError("pointsAmount", ErrWorthless)
	return g.Err()
}

// readExchange reads the form of an exchange. Customers exchange only their own points: a customerId in
// their form is ignored.
func readExchange(c *api.Call) (Request, *form.Group, error) {
	body, err := c.Body()
	if err != nil {
		return Request{}, nil, err
	}
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return Request{}, nil, err
	}
	g, reads := form.Read(body), readForAnybody
	if c.Caller.Role == access.Customer {
		reads = readOwn
	}
	in := reads(g)
	in.Store, in.Locale = c.Store, languages.Default()
	if c.Caller.Role == access.Customer {
		in.CustomerID = c.Caller.ID
	}
	if fewest := c.Store.Settings.MinPointsRedeemed; !g.Failed("pointsAmount") && in.Points < fewest {
		g.AddError("pointsAmount", form.TooLow.With(fewest))
	}
	return in, g, g.Err()
}

func readForAnybody(g *form.Group) Request {
	id := g.UUID("customerId", form.NotBlank)
	in := readOwn(g)
	in.CustomerID = id
	return in
}

func readOwn(g *form.Group) Request {
	return Request{
		Points: points.Amount(g.Decimal("pointsAmount", 2, form.NotBlank, form.AtLeast(0),
			form.NotZero(ErrWorthless))),
		CampaignID: g.UUID("cashbackId"),
	}
}

// received is the response to a provider's callback.
type received struct {
	CouponID   string `json:"couponId"`
	ID         string `json:"id"`
	CustomerID string `json:"customerId"`
	Code       string `json:"code,omitempty"`
	Message    string `json:"message,omitempty"`
	Provider   string `json:"provider"`
	Failed     bool   `json:"failed"`
}

// errUnsigned refuses a callback without a valid signature by the store's secret.
var errUnsigned = fault.New(fault.Forbidden, "invalid_signature", "Invalid signature")

// receive handles the callback of a payment provider. The message is in the header Content. If the
// store has a secret, the message must be signed with it, like a body in Standard Webhooks.
func receive(c *api.Call) error {
	provider := c.PathValue("provider")
	if !slices.Contains(campaign.CashbackProviders, provider) {
		return fault.ErrNotFound
	}
	content, secret := c.Header.Get("Content"), c.Store.Settings.CashbackCallbackSecret
	if secret != "" && !outbound.Verify(c.Header, []byte(content), c.DB().Now(), secret) {
		return errUnsigned
	}
	call, err := parseCallback(provider, content)
	if err != nil {
		return err
	}
	var failed bool
	return c.Write(func(tx *db.Tx) (err error) {
		audit.Of(tx).SetCustomer(call.CustomerID)
		audit.Of(tx).SetEntity(call.CouponID)
		failed, err = Receive(tx, c.Store, call)
		return err
	}, func() error {
		return c.OK(received{
			CouponID: call.CouponID, ID: orderID(call.CustomerID, call.CouponID), CustomerID: call.CustomerID,
			Code: call.Code, Message: call.Message, Provider: call.Provider, Failed: failed,
		})
	})
}
