package cashback

import (
	"errors"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/limit"
	"punchcard/platform/outbound"
)

// Endpoints returns the cashback endpoints, and those of the messages to payment providers. The
// limiter bounds how often an administrator or key may report payments.
func Endpoints(callbacks *limit.Limiter) []api.Endpoint {
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	const ofStore = "/api/{storeCode}/"
	return append([]api.Endpoint{
		{Method: "POST", Path: ofStore + "admin/campaign/cashback/redeem", Access: modify, Factor: api.Everyday,
			Do: api.Write(exchange(readForAnybody), redeem), Summary: "Exchange points of a customer for money",
			Audit: api.Audited("RedeemCashback", "cashback")},
		{Method: "POST", Path: ofStore + "customer/campaign/cashback/redeem", Access: access.Only(access.Customer),
			Factor: api.Own, Do: api.Write(exchange(readOwn), redeem), Summary: "Exchange points for money",
			Audit: api.Audited("RedeemCashback", "cashback")},
		{Method: "POST", Path: ofStore + "admin/campaign/cashback/simulate", Access: modify, Factor: api.NoWrite,
			Do: api.Read(exchange(readForAnybody), simulate), Summary: "Calculate what points of a customer are worth",
			Unkeyed: true},
		{Method: "POST", Path: ofStore + "campaign/cashback/callback/{provider}", Access: modify, Factor: api.Everyday,
			Do: api.Write(reports(callbacks), receive), Summary: "Receive the status of a cashback from a payment provider",
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

// exchange reads the form of an exchange.
func exchange(read func(g *form.Group) Request) api.Input[Request] {
	return api.BodyInLanguages("", func(g *form.Group, languages store.Languages, s *store.Store) Request {
		in := read(g)
		in.Store, in.Locale = s, languages.Default()
		if fewest := s.Settings.MinPointsRedeemed; !g.Failed("pointsAmount") && in.Points < fewest {
			g.AddError("pointsAmount", form.TooLow.With(fewest))
		}
		return in
	})
}

// redeem spends points. Customers spend only their own, and only they see the id of the campaign.
func redeem(w *api.Writing, in Request) (result, error) {
	byCustomer := w.Caller.Role == access.Customer
	if byCustomer {
		in.CustomerID = w.Caller.ID
	}
	made, err := Redeem(w.Tx, in)
	if err != nil {
		return result{}, atField(w.Call, err)
	}
	w.Entry().SetCustomer(made.CustomerID)
	w.Entry().SetEntity(made.CouponID)
	shown := result{
		CustomerID: made.CustomerID, PointsAmount: made.Points, PointValue: made.PointValue, RewardAmount: made.RewardAmount,
	}
	if byCustomer {
		shown.CashbackID = made.CampaignID
	}
	return shown, nil
}

func simulate(r *api.Reading, in Request) (result, error) {
	made, err := Simulate(r.Tx, in)
	if err != nil {
		return result{}, atField(r.Call, err)
	}
	return result{
		CustomerID: made.CustomerID, PointsAmount: made.Points, PointValue: made.PointValue.Fixed(),
		RewardAmount: made.RewardAmount,
	}, nil
}

// atField reports ErrWorthless as an error of the field pointsAmount. It returns other errors unchanged.
func atField(c *api.Call, err error) error {
	if errors.Is(err, ErrWorthless) {
		return c.Refuse("pointsAmount", ErrWorthless)
	}
	return err
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

// reports reads the message of a payment provider, which is in the header Content. If the store has a secret, the
// message must be signed with it, like a body in Standard Webhooks.
func reports(callbacks *limit.Limiter) api.Input[Callback] {
	return api.InCall(nil, func(c *api.Call) (none Callback, err error) {
		if err := c.Take(callbacks, c.Caller.ID); err != nil {
			return none, err
		}
		provider := c.PathValue("provider")
		if !slices.Contains(campaign.CashbackProviders, provider) {
			return none, fault.ErrNotFound
		}
		content, secret := c.Header.Get("Content"), c.Store.Settings.CashbackCallbackSecret
		if secret != "" && !outbound.Verify(c.Header, []byte(content), c.DB().Now(), secret) {
			return none, errUnsigned
		}
		return parseCallback(provider, content)
	})
}

func receive(w *api.Writing, report Callback) (received, error) {
	w.Entry().SetCustomer(report.CustomerID)
	w.Entry().SetEntity(report.CouponID)
	failed, err := Receive(w.Tx, w.Store, report)
	return received{
		CouponID: report.CouponID, ID: orderID(report.CustomerID, report.CouponID), CustomerID: report.CustomerID,
		Code: report.Code, Message: report.Message, Provider: report.Provider, Failed: failed,
	}, err
}
