package purchase

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
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
		id, err = customerIn(c, tx)
		return err
	})
	return id, err
}

// customerIn is customerOf in a transaction.
func customerIn(c *api.Call, tx *db.Tx) (string, error) {
	if c.Caller.Role == access.Customer {
		return c.Caller.ID, nil
	}
	found, err := customer.Of(c, tx)
	if err != nil {
		return "", err
	}
	return found.ID, nil
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

// ownViewer builds the response of a list, which is empty to describe it.
type ownViewer func(s *store.Store, list *ownResult) any

// ownIn returns the viewer of lists with campaigns in a view.
func ownIn[Campaign any](view func(v *campaignViews, id string) Campaign) ownViewer {
	return func(s *store.Store, list *ownResult) any {
		response := ownList[Campaign]{Campaigns: make([]own[Campaign], len(list.purchases)), Total: list.total}
		for i := range list.purchases {
			p := &list.purchases[i]
			response.Campaigns[i] = ownView[Campaign](s, p, list.now)
			if list.Shown != nil {
				response.Campaigns[i].Campaign = new(view(&list.campaignViews, p.CampaignID))
			}
		}
		return response
	}
}

// listOwn returns the operation that lists the purchases of one customer; in full, if the request asks for texts.
// Customers do not see cashback. See docs/behaviour/purchase.md#lists-of-one-customer.
func (d *Desk) listOwn(query func(q *form.Group), plain, full ownViewer) api.Operation {
	show := func(c *api.Call, in api.ListRequest) (any, error) {
		customerID, err := customerOf(c)
		if err != nil {
			return nil, err
		}
		wanted := readOwnQuery(in.Query)
		wanted.page, wanted.locale = in.Page, in.Locale
		wanted.withoutExchanged = c.Caller.Role == access.Customer
		wanted.withCodes = !wanted.withoutExchanged && campaign.WithCodes(in.Query)
		list, err := d.ownLists.Do(c.Context(), ownRequest{c.Store, customerID, wanted})
		return choose(in.Query, plain, full)(c.Store, &list), err
	}
	return api.Respond(api.InCall(query, (*api.Call).ListRequest), show).DescribedAs(full(nil, &ownResult{}))
}

// boughtList is the response of the bought list of a store.
type boughtList struct {
	Bought []bought `json:"boughtCampaigns"`
	Total  int64    `json:"total"`
}

func boughtViews(r *api.Reading, found []Purchase, total int64) boughtList {
	list := boughtList{make([]bought, len(found)), total}
	for i := range found {
		list.Bought[i] = boughtView(r.Store, &found[i], r.Tx.Now())
	}
	return list
}

// listAll lists the purchases of a store. See docs/behaviour/purchase.md#bought-lists.
func listAll(r *api.Reading, in api.ListRequest) (boughtList, error) {
	wanted := readFilter(in.Query, r.Store.Zone)
	found, total, err := allPage(r.Tx, r.Store.Key, &wanted, in.Page)
	return boughtViews(r, found, total), err
}
