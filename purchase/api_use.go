package purchase

import (
	"strings"

	"punchcard/access"
	"punchcard/api"
	"punchcard/campaign"
	"punchcard/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// marksLimit is the number of coupons that one mark_as_used may name.
const marksLimit = 1000

// markUsed implements endpoints 31 and 32.
func markUsed(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	rows := body.Child("coupons")
	if !rows.IsGroup() || rows.Len() == 0 || rows.Len() > marksLimit {
		return fault.ErrInvalid
	}
	var marks []Mark
	for _, row := range rows.Children() {
		m, err := readMark(c, row)
		if err != nil {
			return err
		}
		marks = append(marks, m)
	}
	err = c.Write(func(tx *db.Tx) error {
		if err := knownIn(tx, c.Store.Key, marks); err != nil {
			return err
		}
		return MarkUsed(tx, c.Store, marks)
	})
	if err != nil {
		return err
	}
	return c.OK(marked(marks))
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
	answer := markedCoupons{Coupons: make([]markedCoupon, len(marks))}
	for i, m := range marks {
		answer.Coupons[i] = markedCoupon{m.Code, m.Used, m.CampaignID, m.CustomerID}
	}
	return answer
}

// readMark reads one row; whatever is wrong with it is answered alike.
func readMark(c *api.Call, row *form.Node) (Mark, error) {
	m := Mark{
		CampaignID: strings.ToLower(row.Child("campaignId").Text()), CouponID: row.Child("couponId").Text(),
		CustomerID: strings.ToLower(row.Child("customerId").Text()), Code: row.Child("code").Text(),
		TransactionID: strings.ToLower(row.Child("transactionId").Text()),
	}
	m.CouponID = strings.ToLower(m.CouponID)
	if c.Caller.Role == access.Customer {
		m.CustomerID = c.Caller.ID
	}
	used, isBool := form.ParseBool(row.Child("used").Text())
	m.Used = used
	customerUnmarks := c.Caller.Role == access.Customer && !used && !c.Store.Settings.CustomerMayUnmarkCoupons
	if !isBool || customerUnmarks || !row.Has("code") || m.CouponID == "" ||
		!form.IsUUID(m.CampaignID) || !form.IsUUID(m.CustomerID) ||
		m.TransactionID != "" && !form.IsUUID(m.TransactionID) {
		return m, fault.ErrInvalid
	}
	return m, nil
}

// knownIn answers 404 for a campaign or customer that the store does not have.
func knownIn(tx *db.Tx, storeKey int64, marks []Mark) error {
	var campaigns, customers []string
	for _, m := range marks {
		campaigns, customers = append(campaigns, m.CampaignID), append(customers, m.CustomerID)
	}
	campaigns, customers = unique(campaigns), unique(customers)
	counters, err := campaign.CountersOf(tx, storeKey, campaigns...)
	if err != nil {
		return err
	}
	buyers, err := customer.Buyers(tx, storeKey, customers)
	if err == nil && (len(counters) != len(campaigns) || len(buyers) != len(customers)) {
		err = fault.ErrNotFound
	}
	return err
}
