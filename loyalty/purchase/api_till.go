package purchase

import (
	"cmp"
	"errors"
	"strconv"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
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
		{Method: "GET", Path: ofStore + "seller/coupons/{couponCode}", Access: sellers,
			Do:      api.Read(api.InCall(describeLookUp, (*api.Call).Locale), t.show).First(mayLookUp),
			Summary: "Show whose a code is, what it gives, and whether it can be used"},
		{Method: "POST", Path: ofStore + "seller/coupons/mark_as_used", Access: sellers, Factor: api.Everyday,
			Do:      api.Write(api.Following(mayUse, api.Body("", readUses)), t.use),
			Summary: "Mark coupons as used at the till", Audit: api.Audited("UseCoupons", "coupon")},
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

func mayLookUp(c *api.Call) error {
	_, err := seller.Permitted(c, func(r *seller.Rights) bool { return r.AllowCouponLookup })
	return err
}

func mayUse(c *api.Call) (seller.Seller, error) {
	return seller.Permitted(c, func(r *seller.Rights) bool { return r.AllowCouponUse })
}

func describeLookUp(q *form.Group) {
	q.Text("customer")
	api.LocaleQuery(q)
}

// show shows the coupons of a code, of the customer in the query if there is one.
func (t till) show(r *api.Reading, locale api.Locale) (codeView, error) {
	query, err := r.Query()
	if err != nil {
		return codeView{}, err
	}
	q := couponQuery{code: keytext.Clean(r.PathValue("couponCode"))}
	if named := query.Child("customer").Text(); named != "" {
		who, err := customer.FindByPath(r.Tx, r.Store.Key, named, form.IsUUID(named))
		if err != nil {
			return codeView{}, err
		}
		q.customerID = who.ID
	}
	found, err := t.find(r.Call, r.Tx, q)
	if err != nil {
		return codeView{}, err
	}
	if len(found) == 0 {
		return codeView{}, fault.ErrNotFound
	}
	return t.view(r, locale, found)
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

func (t till) view(r *api.Reading, locale api.Locale, found []match) (codeView, error) {
	ids, places := make([]string, len(found)), make([]string, 0, len(found))
	for i := range found {
		ids[i] = found[i].CampaignID
		if found[i].UsedPOSID != "" {
			places = append(places, found[i].UsedPOSID)
		}
	}
	shown, err := t.Catalogue.Show(r.Tx, r.Store, locale, false, db.Distinct(ids)...)
	if err != nil {
		return codeView{}, err
	}
	names, err := pos.Names(r.Tx, r.Store.Key, db.Distinct(places)...)
	if err != nil {
		return codeView{}, err
	}
	view, zone := codeView{Coupons: make([]couponView, len(found))}, r.Store.Zone
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
			v.Status = m.StatusAt(r.Tx.Now())
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
		transactionID: row.UUID("transactionId"), takeBack: row.Submitted("used") && !used,
	}
	if request.takeBack && request.couponID == "" && !row.Failed("couponId") {
		row.AddError("couponId", form.Blank)
	}
	return request
}

func readUses(g *form.Group) []useRequest {
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
	return wanted
}

// use marks all coupons of the request as used, or none. The customer is found by the code, unless it is sent.
func (t till) use(w *api.Writing, in api.Given[seller.Seller, []useRequest]) (usedCoupons, error) {
	marks, err := t.choose(w, in.First, in.In)
	if err != nil {
		return usedCoupons{}, err
	}
	describeMarked(w.Entry(), marks)
	err = MarkUsed(w.Tx, w.Store, marks)
	if errors.Is(err, fault.ErrInvalid) { // used since it was found
		_, refused := t.choose(w, in.First, in.In)
		err = cmp.Or(refused, err)
	}
	used := usedCoupons{Coupons: make([]usedCoupon, len(marks))}
	for i, m := range marks {
		used.Coupons[i] = usedCoupon{markedCoupon{m.Code, m.Used, m.CampaignID, m.CustomerID}, m.CouponID}
	}
	return used, err
}

// choose finds the coupon of each row, or returns an error of the form with the rows without a usable one.
func (t till) choose(w *api.Writing, by seller.Seller, wanted []useRequest) ([]Mark, error) {
	marks, taken, problems := make([]Mark, len(wanted)), map[string]bool{}, make([]*fault.Error, len(wanted))
	for i, of := range wanted {
		found, err := t.find(w.Call, w.Tx, of.couponQuery)
		if err != nil {
			return nil, err
		}
		best, problem := chooseCoupon(found)
		if of.takeBack {
			best, problem = takenBack(w.Tx, found, of.couponID)
		}
		if problem == nil && taken[best.CouponID] {
			problem = errCouponUsed
		}
		if problems[i] = problem; problem != nil {
			continue
		}
		taken[best.CouponID] = true
		marks[i] = Mark{
			CustomerID: best.CustomerID, CampaignID: best.CampaignID, CouponID: best.CouponID, Code: best.Code,
			Used: !of.takeBack, TransactionID: of.transactionID,
		}
		if marks[i].Used {
			marks[i].POSID = by.POSID
		}
	}
	small, err := belowMinimum(w.Tx, w.Store, marks)
	if err != nil {
		return nil, err
	}
	for i := range small {
		if small[i] {
			problems[i] = errBasketTooSmall
		}
	}
	return marks, w.RefuseFields(func(g *form.Group) {
		for i, problem := range problems {
			if problem != nil {
				g.Group("coupons").Group(strconv.Itoa(i)).AddError("code", problem)
			}
		}
	})
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
