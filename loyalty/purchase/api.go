package purchase

import (
	"errors"
	"strconv"
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

const ofStore = "/api/{storeCode}/"

// Endpoints returns the endpoints that offer, sell, list and use coupons. See docs/behaviour/purchase.md#endpoints
// and docs/behaviour/offers.md#endpoints. guesses limits the unknown codes that sellers try.
func (d *Desk) Endpoints(guesses api.Guesses) []api.Endpoint {
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	self, seller := access.Only(access.Customer), access.Only(access.Seller)
	categories := func(q *form.Group) { q.Texts("categoryId") }
	offers := api.ListQuery(d.Catalogue.Types.Sortable(), describeTexts, categories, api.Filters(readOffer))
	mine := api.ListQuery(sortableOwn, describeTexts, api.Filters(readOwnQuery))
	chosen := api.Filters(func(q *form.Node) filter { return readFilter(q, nil) })
	codes := func(q *form.Group) { q.Checkbox("withoutCoupons") }
	adminOffers := api.ListQuery(d.Catalogue.Types.Sortable(), categories, codes, api.AtQuery, api.Filters(readOffer))
	staffOffers := api.ListQuery(d.Catalogue.Types.Sortable(), categories, codes, api.Filters(readOffer))
	staffMine := api.ListQuery(sortableOwn, codes, api.Filters(readOwnQuery))
	toAdministrator, toSeller := offersIn((*campaignViews).byAdministrator), offersIn((*campaignViews).bySeller)
	detailed := ownIn((*campaignViews).detailed)
	return append(append(d.sales(modify, self, seller), d.tillEndpoints(guesses)...), []api.Endpoint{
		{Method: "GET", Path: ofStore + "campaign/bought", Access: view,
			Do: api.Read(api.InList(sortableAll, chosen), listAll), Summary: "List what was bought in a store"},
		{Method: "GET", Path: ofStore + "campaign/bought/export/csv", Access: view,
			Do:      api.ExportPages("redeemed_rewards_report", exportColumns, exportBought, chosen),
			Summary: "Export what was bought in a store"},
		{Method: "GET", Path: ofStore + "campaign/{campaign}/bought", Access: view,
			Do: api.Read(api.InPages[string](nil), listOfCampaign), Summary: "List who bought a campaign"},
		{Method: "GET", Path: ofStore + "admin/customer/{customer}/campaign/available", Access: view,
			Do:      d.available(adminOffers, toAdministrator, toAdministrator, offerList[offeredByAdministrator]{}),
			Summary: "List what a customer can have"},
		{Method: "GET", Path: ofStore + "seller/customer/{customer}/campaign/available", Access: seller.WithPIN(),
			Do:      d.available(staffOffers, toSeller, toSeller, offerList[offeredBySeller]{}),
			Summary: "List what a customer can have"},
		{Method: "GET", Path: ofStore + "customer/campaign/available", Access: self,
			Do: d.available(offers, offersIn((*campaignViews).toCustomer), offersIn((*campaignViews).presentedToCustomer),
				offerList[presentedToCustomer]{}), Summary: "List what the customer can have"},
		{Method: "GET", Path: ofStore + "admin/customer/{customer}/campaign/bought", Access: view,
			Do: d.listOwn(staffMine, detailed, detailed), Summary: "List what a customer bought"},
		{Method: "GET", Path: ofStore + "customer/campaign/bought", Access: self,
			Do:      d.listOwn(mine, ownIn((*campaignViews).reduced), ownIn((*campaignViews).presented)),
			Summary: "List what the customer bought"},
		{Method: "GET", Path: ofStore + "seller/customer/{customer}/campaign/bought", Access: seller.WithPIN(),
			Do: d.listOwn(staffMine, detailed, detailed), Summary: "List what a customer bought"},
	}...)
}

// sales returns the endpoints that sell coupons and change sold ones.
func (d *Desk) sales(modify, self, seller access.Rule) []api.Endpoint {
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	const delivery = ofStore + "admin/customer/{customer}/bought/coupon/{coupon}/changeDeliveryStatus"
	buyer := self.Blocked() // the purchase itself refuses them, with a message of its own
	deliver := api.Write(api.LeaveErrors(api.Body("deliveryStatus", readDelivery)), changeDelivery)
	return []api.Endpoint{
		{Method: "POST", Path: ofStore + "admin/customer/{customer}/campaign/{campaign}/buy", Access: modify,
			Factor: api.Everyday,
			Do:     d.buying(describeGift, named), Summary: "Buy for a customer",
			Audit: api.Audited("BuyCampaign", "campaign"), Secrets: []string{"code"}},
		{Method: "POST", Path: ofStore + "customer/campaign/{campaign}/buy", Access: buyer, Factor: api.Own,
			Do: d.buying(describeBuy, caller), Summary: "Buy",
			Audit: api.Audited("BuyCampaign", "campaign"), Secrets: []string{"code"}},
		{Method: "POST", Path: ofStore + "seller/customer/{customer}/campaign/{campaign}/buy", Access: seller.WithPIN(),
			Factor: api.Everyday,
			Do:     d.buying(describeBuy, named), Summary: "Buy for a customer",
			Audit: api.Audited("BuyCampaign", "campaign"), Secrets: []string{"code"}},
		{Method: "POST", Path: ofStore + "admin/customer/{customer}/campaign/validate", Access: view,
			Factor: api.NoWrite, Do: d.validating(describeExplainAt),
			Summary: "Tell whether a customer can buy several campaigns", Unkeyed: true},
		{Method: "POST", Path: ofStore + "customer/campaign/validate", Access: self.Blocked(), Factor: api.NoWrite,
			Do:      d.validating(describeExplain),
			Summary: "Tell whether the customer can buy several campaigns", Unkeyed: true},
		{Method: "POST", Path: ofStore + "admin/campaign/coupons/mark_as_used", Access: modify, Factor: api.Everyday,
			Do: d.marks(""), Summary: "Mark coupons as used or unused", Audit: api.Audited("UseCoupons", "coupon")},
		{Method: "POST", Path: ofStore + "customer/campaign/coupons/mark_as_used", Access: self, Factor: api.Own,
			Do: d.marks("self"), Summary: "Mark the customer's coupons as used", Audit: api.Audited("UseCoupons", "coupon")},
		{Method: "PUT", Path: delivery, Access: modify, Factor: api.Everyday, Do: deliver,
			Summary: "Change how far the delivery of a coupon is", Audit: api.Audited("ChangeDeliveryStatus", "coupon")},
		{Method: "POST", Path: delivery, Access: modify, Factor: api.Everyday, Do: deliver,
			Summary: "Change how far the delivery of a coupon is", Audit: api.Audited("ChangeDeliveryStatus", "coupon")},
		{Method: "POST", Path: ofStore + "admin/" + cancelling, Access: modify, Factor: api.Everyday, Do: api.Act(d.cancel),
			Summary: "Cancel a purchase", Audit: api.Audited("CancelCoupon", "coupon"), Secrets: []string{"code"}},
		{Method: "POST", Path: ofStore + "points/deleted-accounts/cancel", Factor: api.Always, Stepwise: true,
			Access: access.AdministratorWith(access.PointTransfers, access.Modify), Do: api.Tell(d.settleDeleted),
			Summary: "Cancel the points and the unused coupons of deleted customers",
			Audit:   api.Audited("CancelPointsOfDeleted", "customer")},
		{Method: "POST", Path: ofStore + "seller/" + cancelling, Access: seller, Factor: api.Everyday,
			Do: api.Act(d.cancel).First(mayCancel), Summary: "Cancel a purchase",
			Audit: api.Audited("CancelCoupon", "coupon"), Secrets: []string{"code"}},
	}
}

const cancelling = "customer/{customer}/bought/coupon/{coupon}/cancel"

// explainParameter asks for the rules that were checked.
const explainParameter = "explain"

func describeExplain(g *form.Group) { g.Checkbox(explainParameter) }

func describeExplainAt(g *form.Group) {
	describeExplain(g)
	api.AtQuery(g)
}

func describeBuy(g *form.Group) {
	g.Integer("quantity")
	describeExplain(g)
}

func describeGift(g *form.Group) {
	describeBuy(g)
	g.Checkbox("withoutPoints")
	g.UUID("transactionId")
}

type soldCoupons struct {
	Coupons     []Coupon      `json:"coupons"`
	Explanation []api.Finding `json:"explanation,omitzero"` // nil unless the request asks for it
}

// buying returns the operation that sells to a customer.
func (d *Desk) buying(describe func(*form.Group), customerOf func(*api.Call) (string, error)) api.Operation {
	return d.selling.Operation(api.InCall(nil, func(c *api.Call) (b Buy, err error) {
		if b.CustomerID, err = customerOf(c); err != nil {
			return b, err
		}
		if b.CampaignID, err = campaign.PathID(c); err != nil {
			return b, err
		}
		languages, err := c.Stores().Languages(c.Context())
		if err != nil {
			return b, err
		}
		b.Store, b.Quantity, b.Locale = c.Store, 1, languages.Default()
		b.Administrator = c.Caller.Role == access.Administrator
		if err := readBuy(c, &b); err != nil || b.TransactionID == "" {
			return b, err
		}
		return b, c.Read(b.findSale)
	}).DescribedAs(describe, describe), soldCoupons{})
}

// caller is the customer who buys.
func caller(c *api.Call) (string, error) { return c.Caller.ID, nil }

// named is the customer of the path, to whom administrators and sellers sell.
func named(c *api.Call) (id string, err error) {
	if id = c.PathValue("customer"); form.IsUUID(id) {
		return strings.ToLower(id), nil
	}
	err = c.Read(func(tx *db.Tx) error {
		found, err := customer.Of(c, tx)
		id = found.ID
		return err
	})
	return id, err
}

// readBuy reads the parameters of the purchase from the body or the query.
func readBuy(c *api.Call, b *Buy) error {
	quantity, err := c.Input("quantity")
	if err != nil {
		return err
	}
	text := strings.TrimSpace(quantity.Text())
	if quantity.IsGroup() || text != "" && text != "null" {
		// Text that is not a number becomes 0, which is refused when the quantity's turn comes.
		b.Quantity, _ = strconv.ParseInt(text, 10, 64)
	}
	explain, err := c.Input(explainParameter)
	if err != nil {
		return err
	}
	if on, _ := form.ParseBool(explain.Text()); on {
		b.Explanation = &Explanation{Role: c.Caller.Role}
	}
	if !b.Administrator {
		return nil
	}
	free, err := c.Input("withoutPoints")
	if err != nil {
		return err
	}
	b.WithoutPoints, _ = form.ParseBool(free.Text())
	transactionID, err := c.Input("transactionId")
	b.TransactionID = strings.ToLower(transactionID.Text())
	return err
}

// findSale reads the value of the sale that a percentage voucher is computed from. Unless the sale exists and is the
// customer's, the value stays unset.
func (b *Buy) findSale(tx *db.Tx) error {
	sale, err := transaction.Find(tx, b.Store.Key, b.TransactionID)
	if errors.Is(err, fault.ErrNotFound) {
		return nil
	}
	if err == nil && sale.Type == transaction.Sell && sale.CustomerID == b.CustomerID {
		b.TransactionValue = &sale.Amounts.Gross
	}
	return err
}
