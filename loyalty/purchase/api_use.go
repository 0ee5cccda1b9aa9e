package purchase

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// MarkLimit is the maximal number of coupons in one mark_as_used request.
const MarkLimit = 1000

// markUsed marks coupons as used or unused. See docs/behaviour/purchase.md#mark-as-used.
func markUsed(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	rows := body.Child("coupons")
	if !rows.IsGroup() || rows.Len() == 0 || rows.Len() > MarkLimit {
		return fault.ErrInvalid
	}
	self, mayUnmark := "", true
	if c.Caller.Role == access.Customer {
		self, mayUnmark = c.Caller.ID, c.Store.Settings.CustomerMayUnmarkCoupons
	}
	var marks []Mark
	for _, row := range rows.Children() {
		m, err := readMark(row, self, mayUnmark)
		if err != nil {
			return err
		}
		marks = append(marks, m)
	}
	return c.Write(func(tx *db.Tx) error {
		if err := knownIn(tx, c.Store.Key, marks); err != nil {
			return err
		}
		auditMarks(tx, marks)
		return MarkUsed(tx, c.Store, marks)
	}, func() error { return c.OK(marked(marks)) })
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

// knownIn returns fault.ErrNotFound if the store lacks one of the campaigns or customers, or customer.ErrMerged.
func knownIn(tx *db.Tx, storeKey int64, marks []Mark) error {
	var campaigns, customers []string
	for _, m := range marks {
		campaigns, customers = append(campaigns, m.CampaignID), append(customers, m.CustomerID)
	}
	campaigns, customers = db.Distinct(campaigns), db.Distinct(customers)
	counters, err := campaign.CountersOf(tx, storeKey, campaigns...)
	if err != nil {
		return err
	}
	found, err := customer.FindAll(tx, storeKey, customers...)
	if err == nil && (len(counters) != len(campaigns) || len(found) != len(customers)) {
		err = fault.ErrNotFound
	}
	for _, id := range customers {
		if err == nil {
			err = found[id].Gone()
		}
	}
	return err
}
