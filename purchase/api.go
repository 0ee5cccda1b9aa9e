package purchase

import (
	"strconv"
	"strings"

	"punchcard/access"
	"punchcard/api"
	"punchcard/campaign"
	"punchcard/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Endpoints are those of the contract that offer, sell, list and use coupons.
func (d *Desk) Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.RewardCampaigns, access.View)
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	self, seller := access.Only(access.Customer), access.Only(access.Seller)
	const ofStore = "/api/{storeCode}/"
	return []api.Endpoint{
		{Method: "GET", Path: ofStore + "campaign/bought", Access: view, Handle: listAll},
		{Method: "GET", Path: ofStore + "admin/customer/{customer}/campaign/available", Access: view, Handle: d.available},
		{Method: "POST", Path: ofStore + "admin/customer/{customer}/campaign/{campaign}/buy", Access: modify,
			Handle: d.buyFor},
		{Method: "GET", Path: ofStore + "seller/customer/{customer}/campaign/available", Access: seller,
			Handle: d.available},
		{Method: "GET", Path: ofStore + "admin/customer/{customer}/campaign/bought", Access: view, Handle: d.listOwn},
		{Method: "GET", Path: ofStore + "customer/campaign/available", Access: self, Handle: d.available},
		{Method: "GET", Path: ofStore + "customer/campaign/bought", Access: self, Handle: d.listOwn},
		{Method: "POST", Path: ofStore + "admin/campaign/coupons/mark_as_used", Access: modify, Handle: markUsed},
		{Method: "POST", Path: ofStore + "customer/campaign/coupons/mark_as_used", Access: self, Handle: markUsed},
		{Method: "POST", Path: ofStore + "customer/campaign/{campaign}/buy", Access: self, Handle: d.buy},
		{Method: "POST", Path: ofStore + "seller/customer/{customer}/campaign/{campaign}/buy", Access: seller,
			Handle: d.buyFor},
		{Method: "GET", Path: ofStore + "seller/customer/{customer}/campaign/bought", Access: seller, Handle: d.listOwn},
	}
}

// buy implements endpoint 33.
func (d *Desk) buy(c *api.Call) error { return d.sellTo(c, c.Caller.ID) }

// buyFor implements endpoint 17, and the same for sellers.
func (d *Desk) buyFor(c *api.Call) error {
	id := c.PathValue("customer")
	if form.IsUUID(id) {
		return d.sellTo(c, strings.ToLower(id))
	}
	err := c.Read(func(tx *db.Tx) error {
		found, err := customer.Of(c, tx)
		id = found.ID
		return err
	})
	if err != nil {
		return err
	}
	return d.sellTo(c, id)
}

func (d *Desk) sellTo(c *api.Call, customerID string) error {
	id, err := campaign.PathID(c)
	if err != nil {
		return err
	}
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return err
	}
	b := Buy{
		Store: c.Store, CustomerID: customerID, CampaignID: id, Quantity: 1,
		Administrator: c.Caller.Role == access.Administrator, Locale: languages.Default(),
	}
	if err := readBuy(c, &b); err != nil {
		return err
	}
	coupons, err := d.Buy(c.Context(), b)
	if err != nil {
		return err
	}
	return c.OK(struct {
		Coupons []Coupon `json:"coupons"`
	}{coupons})
}

// readBuy reads what body or query say of the purchase.
func readBuy(c *api.Call, b *Buy) error {
	quantity, err := c.Input("quantity")
	if err != nil {
		return err
	}
	if quantity != nil {
		n, err := strconv.ParseInt(strings.TrimSpace(quantity.Text()), 10, 64)
		if err != nil {
			return ErrInvalidQuantity
		}
		b.Quantity = n
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
	b.TransactionID = transactionID.Text()
	return err
}
