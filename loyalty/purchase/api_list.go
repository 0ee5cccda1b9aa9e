package purchase

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// customerOf returns the id of the customer that the request is about: the caller, or the one of the path.
func customerOf(c *api.Call) (id string, err error) {
	if c.Caller.Role == access.Customer {
		return c.Caller.ID, nil
	}
	err = c.Read(func(tx *db.Tx) error {
		found, err := customer.Of(c, tx)
		if err == nil {
			id = found.ID
		}
		return err
	})
	return id, err
}

// campaignViews are the campaigns of a page, with what their views need.
type campaignViews struct{ *campaign.Shown }

// reduced returns the campaign of a purchase as customers see it.
func (v *campaignViews) reduced(id string) campaign.Reduced {
	return v.Reduced(v.Campaigns[id], v.Counters[id])
}

func (v *campaignViews) detailed(id string) detailed {
	d := &v.Campaigns[id].Definition
	return detailed{v.reduced(id), d.LevelIDs(v.Levels), append([]string{}, d.Segments...), v.Codes(id)}
}

// ownList is the response of the bought lists of one customer.
type ownList[Campaign any] struct {
	Campaigns []own[Campaign] `json:"campaigns"`
	Total     int64           `json:"total"`
}

func readOwnQuery(query *form.Node) ownQuery {
	details, _ := form.ParseBool(query.Child("includeDetails").Text())
	usable, _ := form.ParseBool(query.Child("canBeUsed").Text())
	return ownQuery{ownFilter: ownFilter{deliveryStatus: readDeliveryStatus(query), usable: usable}, details: details}
}

// listOwn serves the purchases of one customer, in the view of the caller's role. Customers do not see cashback. See
// docs/behaviour/purchase.md#lists-of-one-customer.
func listOwn[Campaign any](d *Desk, view func(v *campaignViews, id string) Campaign) func(c *api.Call) error {
	return func(c *api.Call) error {
		params, err := c.ListRequest()
		if err != nil {
			return err
		}
		request := ownRequest{store: c.Store, wanted: readOwnQuery(params.Query)}
		request.wanted.page, request.wanted.locale = params.Page, params.Locale
		request.wanted.withoutExchanged = c.Caller.Role == access.Customer
		request.wanted.withCodes = c.Caller.Role != access.Customer && campaign.WithCodes(params.Query)
		if request.customerID, err = customerOf(c); err != nil {
			return err
		}
		list, err := d.ownLists.Do(c.Context(), request)
		if err != nil {
			return err
		}
		response := ownList[Campaign]{Campaigns: make([]own[Campaign], len(list.purchases)), Total: list.total}
		for i := range list.purchases {
			p := &list.purchases[i]
			response.Campaigns[i] = ownView[Campaign](c.Store, p, list.now)
			if request.wanted.details {
				response.Campaigns[i].Campaign = new(view(&list.campaignViews, p.CampaignID))
			}
		}
		return c.OK(response)
	}
}

// boughtList is the response of the bought list of a store.
type boughtList struct {
	Bought []bought `json:"boughtCampaigns"`
	Total  int64    `json:"total"`
}

// listAll serves the purchases of a store. See docs/behaviour/purchase.md#bought-lists.
func listAll(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	wanted := readFilter(request.Query, c.Store.Zone)
	response := boughtList{Bought: []bought{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := allPage(tx, c.Store.Key, &wanted, request.Page)
		for i := range found {
			response.Bought = append(response.Bought, boughtView(c.Store, &found[i], tx.Now()))
		}
		response.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}
