package purchase

import (
	"cmp"
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// UndoTime is how long sellers can take a use back.
const UndoTime = time.Minute

// TillMarkLimit is the maximal number of coupons that a seller marks as used in one request.
const TillMarkLimit = 20

const codeLimit = 255 // characters of a code that is looked up

// till handles what sellers do with coupons. See docs/behaviour/purchase.md#coupons-at-the-till.
type till struct {
	*Desk
	guesses api.Guesses
}

func (d *Desk) tillEndpoints(guesses api.Guesses) []api.Endpoint {
	t := till{d, guesses}
	sellers := access.Only(access.Seller).WithPIN()
	return []api.Endpoint{
		{Method: "GET", Path: ofStore + "seller/coupons/{couponCode}", Access: sellers, Handle: t.show,
			Summary: "Show whose a code is, what it gives, and whether it can be used",
			Query: func(q *form.Group) {
				q.Text("customer")
				api.LocaleQuery(q)
			}, Response: codeView{}},
		{Method: "POST", Path: ofStore + "seller/coupons/mark_as_used", Access: sellers, Factor: api.Everyday,
			Handle:  t.use,
			Summary: "Mark coupons as used at the till", Response: usedCoupons{}, Form: func(g *form.Group) {
				for _, row := range g.Groups("coupons") {
					readUse(row)
				}
			}, Audit: api.Audited("UseCoupons", "coupon")},
	}
}

// codeView is the response to a code.
type codeView struct {
	Coupons []couponView `json:"coupons"` // those that can be used first
}

// usedCoupons is the response to a use.
type usedCoupons struct {
	Coupons []usedCoupon `json:"coupons"`
}

type usedCoupon struct {
	markedCoupon
	CouponID string `json:"couponId"`
}

// couponView is the JSON of a coupon at the till. Without a customer, nobody has the coupon, or several customers do.
type couponView struct {
	Code           string          `json:"code"`
	Usable         bool            `json:"usable"`
	Reason         string          `json:"reason,omitempty"` // why it is not usable
	CampaignID     string          `json:"campaignId"`
	CouponID       string          `json:"couponId,omitempty"`
	Status         string          `json:"status,omitempty"`
	Used           bool            `json:"used"`
	PurchaseAt     *string         `json:"purchaseAt,omitempty"`
	ActiveSince    *string         `json:"activeSince,omitempty"`
	ActiveTo       *string         `json:"activeTo,omitempty"`
	UsageDate      *string         `json:"usageDate,omitempty"`
	UsedPOSID      string          `json:"usedPosId,omitempty"` // where a seller has used it
	UsedPOSName    string          `json:"usedPosName,omitempty"`
	Customer       *couponOwner    `json:"customer,omitempty"`
	Campaign       campaign.Seller `json:"campaign"`
	DeliveryStatus string          `json:"deliveryStatus"`
}

// couponOwner is the customer of a coupon.
type couponOwner struct {
	CustomerID        string `json:"customerId"`
	FirstName         string `json:"firstName"`
	LastName          string `json:"lastName"`
	LoyaltyCardNumber string `json:"loyaltyCardNumber,omitempty"`
	Active            bool   `json:"active"`
}

// show serves the coupons of a code, of the customer in the query if there is one.
func (t till) show(c *api.Call) error {
	if _, err := seller.Permitted(c, func(r *seller.Rights) bool { return r.AllowCouponLookup }); err != nil {
		return err
	}
	query, err := c.Query()
	if err != nil {
		return err
	}
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var response codeView
	err = c.Read(func(tx *db.Tx) error {
		q := couponQuery{code: keytext.Clean(c.PathValue("couponCode"))}
		if named := query.Child("customer").Text(); named != "" {
			who, err := customer.FindByPath(tx, c.Store.Key, named, form.IsUUID(named))
			if err != nil {
				return err
			}
			q.customerID = who.ID
		}
		found, err := t.find(c, tx, q)
		if err == nil && len(found) == 0 {
			err = fault.ErrNotFound
		}
		if err == nil {
			response, err = t.view(c, tx, locale, found)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// find finds coupons. A code that nobody knows counts against the limit of the caller.
func (t till) find(c *api.Call, tx *db.Tx, q couponQuery) (found []match, err error) {
	err = c.Guess(t.guesses, func() (wrong bool, err error) {
		if q.code != "" && len(q.code) <= 4*codeLimit {
			found, err = findTyped(tx, c.Store, q)
		}
		return len(found) == 0, err
	})
	return found, err
}

func (t till) view(c *api.Call, tx *db.Tx, locale api.Locale, found []match) (codeView, error) {
	ids, places := make([]string, len(found)), make([]string, 0, len(found))
	for i := range found {
		ids[i] = found[i].CampaignID
		if found[i].UsedPOSID != "" {
			places = append(places, found[i].UsedPOSID)
		}
	}
	shown, err := t.Catalogue.Show(tx, c.Store, locale, false, db.Distinct(ids)...)
	if err != nil {
		return codeView{}, err
	}
	names, err := pos.Names(tx, c.Store.Key, db.Distinct(places)...)
	if err != nil {
		return codeView{}, err
	}
	view, zone := codeView{Coupons: make([]couponView, len(found))}, c.Store.Zone
	for i := range found {
		m := &found[i]
		v := couponView{
			Code: m.Code, Usable: m.problem == nil, CampaignID: m.CampaignID, CouponID: m.CouponID, Used: m.Used,
			PurchaseAt:  api.OptionalTimestamp(m.PurchasedAt, zone),
			ActiveSince: api.OptionalTimestamp(m.ActiveSince, zone), ActiveTo: api.OptionalTimestamp(m.ActiveTo, zone),
			UsageDate: api.OptionalTimestamp(m.UsedAt, zone), DeliveryStatus: m.DeliveryStatus,
			UsedPOSID: m.UsedPOSID, UsedPOSName: names[m.UsedPOSID],
			Campaign: shown.Seller(shown.Campaigns[m.CampaignID], shown.Counters[m.CampaignID], nil),
		}
		if m.problem != nil {
			v.Reason = m.problem.Code
		}
		if m.owner != nil {
			v.Status = m.StatusAt(tx.Now())
			v.Customer = &couponOwner{
				CustomerID: m.owner.ID, FirstName: m.owner.FirstName, LastName: m.owner.LastName,
				LoyaltyCardNumber: m.owner.LoyaltyCard, Active: m.owner.IsActive(),
			}
		}
		view.Coupons[i] = v
	}
	return view, nil
}

// useRequest is one row of a request to use coupons.
type useRequest struct {
	couponQuery
	transactionID string
	takeBack      bool // makes a coupon that was used a moment ago unused again
	row           *form.Group
}

func readUse(row *form.Group) useRequest {
	used := row.Checkbox("used")
	if !row.Submitted("used") && !row.Failed("used") {
		row.AddError("used", form.Blank)
	}
	request := useRequest{
		couponQuery: couponQuery{
			code:       row.Key("code", form.NotBlank, form.MaxLength(codeLimit)),
			customerID: row.UUID("customerId"), campaignID: row.UUID("campaignId"), couponID: row.UUID("couponId"),
		},
		transactionID: row.UUID("transactionId"), takeBack: row.Submitted("used") && !used, row: row,
	}
	if request.takeBack && request.couponID == "" && !row.Failed("couponId") {
		row.AddError("couponId", form.Blank)
	}
	return request
}

// use marks all coupons of the request as used, or none. The customer is found by the code, unless it is sent.
func (t till) use(c *api.Call) error {
	by, err := seller.Permitted(c, func(r *seller.Rights) bool { return r.AllowCouponUse })
	if err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	rows := g.Groups("coupons")
	switch {
	case len(rows) == 0 && !g.Failed("coupons"):
		g.AddError("coupons", form.NoItems)
	case len(rows) > TillMarkLimit:
		g.AddError("coupons", form.TooMany.With(TillMarkLimit))
		rows = nil
	}
	wanted := make([]useRequest, len(rows))
	for i, row := range rows {
		wanted[i] = readUse(row)
	}
	if err := g.Err(); err != nil {
		return err
	}
	var marks []Mark
	return c.Write(func(tx *db.Tx) (err error) {
		if marks, err = t.choose(c, tx, wanted); err != nil {
			return err
		}
		for i := range marks {
			if marks[i].Used {
				marks[i].POSID = by.POSID
			}
		}
		if err := g.Err(); err != nil {
			return err
		}
		describeMarked(audit.Of(tx), marks)
		err = MarkUsed(tx, c.Store, marks)
		if errors.Is(err, fault.ErrInvalid) { // used since it was found
			if _, failed := t.choose(c, tx, wanted); failed != nil {
				return failed
			}
			return cmp.Or(g.Err(), err)
		}
		return err
	}, func() error {
		response := usedCoupons{Coupons: make([]usedCoupon, len(marks))}
		for i, m := range marks {
			response.Coupons[i] = usedCoupon{markedCoupon{m.Code, m.Used, m.CampaignID, m.CustomerID}, m.CouponID}
		}
		return c.OK(response)
	})
}

// choose finds the coupon of each row. Rows without a usable one get an error.
func (t till) choose(c *api.Call, tx *db.Tx, wanted []useRequest) ([]Mark, error) {
	marks, rows, taken := make([]Mark, 0, len(wanted)), make([]*form.Group, 0, len(wanted)), map[string]bool{}
	for _, w := range wanted {
		found, err := t.find(c, tx, w.couponQuery)
		if err != nil {
			return nil, err
		}
		best, problem := chooseCoupon(found)
		if w.takeBack {
			best, problem = takenBack(tx, found, w.couponID)
		}
		if problem == nil && taken[best.CouponID] {
			problem = errCouponUsed
		}
		if problem != nil {
			w.row.AddError("code", problem)
			continue
		}
		taken[best.CouponID] = true
		marks = append(marks, Mark{
			CustomerID: best.CustomerID, CampaignID: best.CampaignID, CouponID: best.CouponID, Code: best.Code,
			Used: !w.takeBack, TransactionID: w.transactionID,
		})
		rows = append(rows, w.row)
	}
	small, err := belowMinimum(tx, c.Store, marks)
	for i := range marks {
		if small[i] {
			rows[i].AddError("code", errBasketTooSmall)
		}
	}
	return marks, err
}

// takenBack returns the coupon whose use is taken back, or why it stays.
func takenBack(tx *db.Tx, found []match, couponID string) (*match, *fault.Error) {
	for i := range found {
		m := &found[i]
		switch {
		case m.CouponID != couponID:
		case !m.Used:
			return nil, errCouponUnused
		case tx.Now().Sub(m.UsedAt) > UndoTime:
			return nil, errUseStays
		default:
			return m, nil
		}
	}
	return nil, errCouponUnused
}
