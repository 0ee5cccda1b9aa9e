package purchase

import (
	"net/http"
	"strconv"
	"strings"

	"punchcard/access"
	"punchcard/api"
	"punchcard/campaign"
	"punchcard/customer"
	"punchcard/level"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/points"
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
	return c.JSON(http.StatusOK, struct {
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

// customerOf is the customer that the list is about: the caller himself, or the one in the path.
func customerOf(c *api.Call, tx *db.Tx) (*customer.Customer, error) {
	if c.Caller.Role == access.Customer {
		return customer.Find(tx, c.Store.Key, c.Caller.ID)
	}
	return customer.Of(c, tx)
}

// available implements endpoints 16, 25 and 27.
func (d *Desk) available(c *api.Call) error {
	asked, err := c.Page()
	if err != nil {
		return err
	}
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	answer := struct {
		Campaigns []any `json:"campaigns"`
		Total     int64 `json:"total"`
	}{Campaigns: []any{}}
	err = c.Read(func(tx *db.Tx) error {
		who, err := customerOf(c, tx)
		if err != nil {
			return err
		}
		account, err := points.Balance(tx, c.Store, who.ID)
		if err != nil {
			return err
		}
		found, total, err := offers(tx, c.Store.Key, who.ID, []string{who.LevelID},
			asked.OrderBy(campaign.Sortable, "c.campaign_id"), asked.Limit, asked.Offset)
		if answer.Total = total; err != nil || len(found) == 0 {
			return err
		}
		shown, err := d.reader(c, tx, locale, idsOf(found))
		if err != nil {
			return err
		}
		for _, o := range found {
			definition, counters := shown.campaigns[o.campaignID], shown.counters[o.campaignID]
			extra := offered{
				UsageLeftForCustomer:  definition.UsageLeftFor(counters, o.mine),
				CanBeBoughtByCustomer: account.Points >= definition.Cost && definition.ActiveAt(tx.Now),
			}
			answer.Campaigns = append(answer.Campaigns, shown.offer(c, definition, counters, extra))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

func idsOf(found []offer) []string {
	ids := make([]string, len(found))
	for i, o := range found {
		ids[i] = o.campaignID
	}
	return ids
}

// shown are the campaigns of a page with what is needed to write them.
type shown struct {
	*campaign.Viewer
	campaigns map[string]*campaign.Campaign
	counters  map[string]campaign.Counters
	codes     map[string][]string
}

func (d *Desk) reader(c *api.Call, tx *db.Tx, locale api.Locale, ids []string) (*shown, error) {
	counters, err := campaign.CountersOf(tx, c.Store.Key, ids...)
	if err != nil {
		return nil, err
	}
	campaigns, err := d.known.load(tx, c.Store.Key, counters)
	if err != nil {
		return nil, err
	}
	levels, err := level.All(tx, c.Store.Key)
	if err != nil {
		return nil, err
	}
	var codes map[string][]string
	if c.Caller.Role != access.Customer {
		if codes, err = campaign.CodesOf(tx, c.Store.Key, ids...); err != nil {
			return nil, err
		}
	}
	viewer := campaign.NewViewer(c.Store, locale, levels, tx.Now)
	return &shown{viewer, campaigns, counters, codes}, nil
}

func (v *shown) offer(c *api.Call, definition *campaign.Campaign, k campaign.Counters, extra offered) any {
	codes := append([]string{}, v.codes[definition.ID]...)
	switch c.Caller.Role {
	case access.Administrator:
		return offeredByAdministrator{v.Full(definition, k, codes), extra}
	case access.Seller:
		return offeredBySeller{v.Seller(definition, k, codes), extra}
	default:
		return offeredToCustomer{v.Reduced(definition, k), extra}
	}
}

// detail is the campaign inside a purchase, when details are asked for.
func (v *shown) detail(c *api.Call, id string) any {
	definition := v.campaigns[id]
	if c.Caller.Role == access.Customer {
		return v.Reduced(definition, v.counters[id])
	}
	return v.Seller(definition, v.counters[id], append([]string{}, v.codes[id]...))
}

// listOwn implements endpoints 26, 28 and 34.
func (d *Desk) listOwn(c *api.Call) error {
	asked, err := c.Page()
	if err != nil {
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
	details, _ := form.ParseBool(query.Child("includeDetails").Text())
	answer := struct {
		Campaigns []own `json:"campaigns"`
		Total     int64 `json:"total"`
	}{Campaigns: []own{}}
	err = c.Read(func(tx *db.Tx) error {
		who, err := customerOf(c, tx)
		if err != nil {
			return err
		}
		found, total, err := ownPage(tx, c.Store.Key, who.ID, c.Caller.Role != access.Customer,
			asked.OrderBy(sortableOwn, "coupon_id"), asked.Limit, asked.Offset)
		if answer.Total = total; err != nil || len(found) == 0 {
			return err
		}
		var shown *shown
		if details {
			ids := make([]string, len(found))
			for i := range found {
				ids[i] = found[i].CampaignID
			}
			if shown, err = d.reader(c, tx, locale, unique(ids)); err != nil {
				return err
			}
		}
		for i := range found {
			item := ownView(c.Store, &found[i], tx.Now)
			if details {
				item.Campaign = shown.detail(c, found[i].CampaignID)
			}
			answer.Campaigns = append(answer.Campaigns, item)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

// listAll implements endpoint 8.
func listAll(c *api.Call) error {
	asked, err := c.Page()
	if err != nil {
		return err
	}
	answer := struct {
		Bought []bought `json:"boughtCampaigns"`
		Total  int64    `json:"total"`
	}{Bought: []bought{}}
	err = c.Read(func(tx *db.Tx) error {
		if answer.Total, err = campaign.Sold(tx, c.Store.Key); err != nil {
			return err
		}
		found, err := allPage(tx, c.Store.Key, asked.OrderBy(sortableAll, "coupon_id"), asked.Limit, asked.Offset)
		for i := range found {
			answer.Bought = append(answer.Bought, boughtView(c.Store, &found[i], tx.Now))
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

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
	return c.JSON(http.StatusOK, marked(marks))
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
