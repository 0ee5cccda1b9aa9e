package purchase

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// MarkLimit is the maximal number of coupons in one mark_as_used request.
const MarkLimit = 1000

// marking is a call that marks coupons, in a batch.
type marking = api.Asked[[]Mark, markedCoupons]

// batchedMarks is how many coupons a call may mark that joins a batch. Others run in transactions of their own.
const batchedMarks = 10

func newMarkings(d *db.DB) *api.Batched[[]Mark, markedCoupons] {
	b := api.NewBatched(d, markTogether, func(a *marking) (any, error) { return a.Out, nil })
	b.RefusesIfMatch = true
	b.Alone = func(marks []Mark) bool {
		return len(marks) > batchedMarks || hasTwice(marks)
	}
	return b
}

// readMarks reads the coupons to mark as used or unused. See docs/behaviour/purchase.md#mark-as-used.
func readMarks(c *api.Call) ([]Mark, error) {
	body, err := c.Body()
	if err != nil {
		return nil, err
	}
	rows := body.Child("coupons")
	if !rows.IsGroup() || rows.Len() == 0 || rows.Len() > MarkLimit {
		return nil, fault.ErrInvalid
	}
	self, mayUnmark := "", true
	if c.Caller.Role == access.Customer {
		self, mayUnmark = c.Caller.ID, c.Store.Settings.CustomerMayUnmarkCoupons
	}
	var marks []Mark
	for _, row := range rows.Children() {
		m, err := readMark(row, self, mayUnmark)
		if err != nil {
			return nil, err
		}
		marks = append(marks, m)
	}
	return marks, nil
}

// marks returns the operation that marks coupons.
func (d *Desk) marks(self string) api.Operation {
	return d.markings.Operation(api.InCall(nil, readMarks).DescribedAs(nil, describeMarks(self)), markedCoupons{})
}

// markTogether carries out the calls of a batch in rounds: those of a round have no coupon and no receipt in common.
// Each marks all of its coupons or none.
func markTogether(tx *db.Tx, s *store.Store, calls []*marking) error {
	return batch.Rounds(calls, func(a *marking) (keys []string) {
		for _, m := range a.In {
			if keys = append(keys, m.CouponID); m.TransactionID != "" {
				keys = append(keys, m.TransactionID)
			}
		}
		return a.Keys(keys...)
	}, func(round []*marking) error { return markRound(tx, s, round) })
}

func markRound(tx *db.Tx, s *store.Store, round []*marking) error {
	calls := slices.DeleteFunc(slices.Clone(round), func(a *marking) bool { return !a.IsNew() })
	if err := refuseUnknown(tx, s.Key, calls); err != nil {
		return err
	}
	calls = slices.DeleteFunc(calls, func(a *marking) bool { return a.Err != nil })
	if len(calls) == 0 {
		return nil
	}
	var marks, carriedOut []Mark
	for _, a := range calls {
		marks = append(marks, a.In...)
	}
	u, err := lockUse(tx, s, marks)
	if err != nil {
		return err
	}
	for _, a := range calls {
		if !hasTwice(a.In) && slices.ContainsFunc(a.In, func(m Mark) bool { return !u.allows(&m) }) {
			a.Err = fault.ErrInvalid
			continue
		}
		for i := range a.In {
			if !u.allows(&a.In[i]) { // after another mark of the coupon
				return fault.ErrInvalid
			}
			if err := u.mark(&a.In[i]); err != nil {
				return err
			}
		}
		carriedOut, a.Out = append(carriedOut, a.In...), marked(a.In)
		err := a.Done(func(e *audit.Entry) error {
			describeMarked(e, a.In)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return u.save(carriedOut)
}

// hasTwice reports whether marks name a coupon more than one time.
func hasTwice(marks []Mark) bool {
	ids := make([]string, len(marks))
	for i := range marks {
		ids[i] = marks[i].CouponID
	}
	return len(db.Distinct(ids)) < len(ids)
}

type markedCoupon struct {
	Name       string `json:"name"`
	Used       bool   `json:"used"`
	CampaignID string `json:"campaignId"`
	CustomerID string `json:"customerId"`
}

type markedCoupons struct {
	Coupons []markedCoupon `json:"coupons"`
}

func marked(marks []Mark) markedCoupons {
	response := markedCoupons{Coupons: make([]markedCoupon, len(marks))}
	for i, m := range marks {
		response.Coupons[i] = markedCoupon{m.Code, m.Used, m.CampaignID, m.CustomerID}
	}
	return response
}

// readMark reads one row. All invalid rows get the same error. If self is set, the row is about that customer's
// coupons. mayUnmark allows marking a coupon as unused.
func readMark(row *form.Node, self string, mayUnmark bool) (Mark, error) {
	m := Mark{
		CampaignID: row.ID("campaignId"), CouponID: row.ID("couponId"), CustomerID: self, Code: row.Child("code").Key(),
		Used: form.IsTrue(row.Child("used").Text()), TransactionID: row.ID("transactionId"),
	}
	if self == "" {
		m.CustomerID = row.ID("customerId")
	}
	if !row.Has("code") || !row.Has("used") || row.Child("used").IsGroup() || m.CouponID == "" ||
		!m.Used && !mayUnmark || !form.IsUUID(m.CampaignID) || !form.IsUUID(m.CustomerID) ||
		m.TransactionID != "" && !form.IsUUID(m.TransactionID) {
		return m, fault.ErrInvalid
	}
	return m, nil
}

// describeMarks describes the body of mark_as_used by means of readMark.
func describeMarks(self string) func(g *form.Group) {
	return func(g *form.Group) {
		for _, row := range g.Groups("coupons") {
			row.DescribeTexts(func(n *form.Node) { _, _ = readMark(n, self, true) }) // only the fields that it reads matter
		}
	}
}

// refuseUnknown gives calls fault.ErrNotFound if the store lacks one of their campaigns or customers, or
// customer.ErrMerged.
func refuseUnknown(tx *db.Tx, storeKey int64, calls []*marking) error {
	var campaigns, customers []string
	for _, a := range calls {
		for _, m := range a.In {
			campaigns, customers = append(campaigns, m.CampaignID), append(customers, m.CustomerID)
		}
	}
	if len(campaigns) == 0 {
		return nil
	}
	counters, err := campaign.CountersOf(tx, storeKey, db.Distinct(campaigns)...)
	if err != nil {
		return err
	}
	found, err := customer.FindAll(tx, storeKey, db.Distinct(customers)...)
	if err != nil {
		return err
	}
	for _, a := range calls {
		var gone error
		for _, m := range a.In {
			who := found[m.CustomerID]
			if _, known := counters[m.CampaignID]; who == nil || !known {
				a.Err = fault.ErrNotFound
			} else if gone == nil {
				gone = who.Gone()
			}
		}
		if a.Err == nil {
			a.Err = gone
		}
	}
	return nil
}
