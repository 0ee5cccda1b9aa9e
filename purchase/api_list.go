package purchase

import (
	"time"

	"punchcard/access"
	"punchcard/api"
	"punchcard/campaign"
	"punchcard/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/store"
)

// customerOf is the id of the customer that the list is about: the caller himself, or the one in the path.
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

// shown are the campaigns of a page.
type shown struct{ *campaign.Shown }

// reduced is the campaign inside a purchase, as customers see it.
func (v *shown) reduced(id string) campaign.Reduced {
	return v.Reduced(v.Campaigns[id], v.Counters[id])
}

func (v *shown) detailed(id string) detailed {
	d := &v.Campaigns[id].Definition
	return detailed{v.reduced(id), append([]string{}, d.Levels...), append([]string{}, d.Segments...), v.Codes(id)}
}

// ownList is what endpoints 26, 28 and 34 answer.
type ownList[Campaign any] struct {
	Campaigns []own[Campaign] `json:"campaigns"`
	Total     int64           `json:"total"`
}

// ownAsked is what a list of one customer's purchases was asked for.
type ownAsked struct {
	ownFilter
	page      api.Page
	locale    api.Locale
	details   bool // with the campaigns
	withCodes bool // of the campaigns
}

func readOwn(query *form.Node) ownAsked {
	details, _ := form.ParseBool(query.Child("includeDetails").Text())
	return ownAsked{ownFilter: ownFilter{deliveryStatus: readDeliveryStatus(query)}, details: details}
}

// listOwn implements endpoints 26, 28 and 34, each with the view of its callers. A customer's own list is without
// cashback.
func listOwn[Campaign any](d *Desk, view func(v *shown, id string) Campaign) func(c *api.Call) error {
	return func(c *api.Call) error {
		asked, err := c.Asked()
		if err != nil {
			return err
		}
		ask := ownAsk{store: c.Store, wanted: readOwn(asked.Query)}
		ask.wanted.page, ask.wanted.locale = asked.Page, asked.Locale
		ask.wanted.withoutCashback = c.Caller.Role == access.Customer
		ask.wanted.withCodes = c.Caller.Role != access.Customer
		if ask.customerID, err = customerOf(c); err != nil {
			return err
		}
		list, err := d.owns.Do(c.Context(), ask)
		if err != nil {
			return err
		}
		answer := ownList[Campaign]{Campaigns: make([]own[Campaign], len(list.purchases)), Total: list.total}
		for i := range list.purchases {
			p := &list.purchases[i]
			answer.Campaigns[i] = ownView[Campaign](c.Store, p, list.now)
			if ask.wanted.details {
				answer.Campaigns[i].Campaign = new(view(&list.shown, p.CampaignID))
			}
		}
		return c.OK(answer)
	}
}

// ownAsk asks for a list of a customer's purchases.
type ownAsk struct {
	store      *store.Store
	customerID string
	wanted     ownAsked
}

// ownAnswer is the page, with the campaigns in it when they were asked for.
type ownAnswer struct {
	ownPage
	shown
	now time.Time
}

// listOwns answers a set of questions with a statement or two for those that ask for the same of different customers.
func (d *Desk) listOwns(tx *db.Tx, asks []ownAsk) ([]db.Outcome[ownAnswer], error) {
	type kind struct {
		storeKey int64
		wanted   ownAsked
	}
	outcomes, alike := make([]db.Outcome[ownAnswer], len(asks)), map[kind][]int{}
	for i, ask := range asks {
		of := kind{ask.store.Key, ask.wanted}
		alike[of] = append(alike[of], i)
	}
	for of, members := range alike {
		s := asks[members[0]].store
		s.EnterTime(tx)
		customers := make([]string, len(members))
		for n, i := range members {
			customers[n] = asks[i].customerID
		}
		pages, err := ownPages(tx, s.Key, of.wanted.ownFilter, of.wanted.page, db.Distinct(customers))
		if err != nil {
			return nil, err
		}
		var details shown
		if of.wanted.details {
			details.Shown, err = d.Catalogue.Show(tx, s, of.wanted.locale, of.wanted.withCodes, campaignsOf(pages)...)
			if err != nil {
				return nil, err
			}
		}
		for _, i := range members {
			outcomes[i].Value = ownAnswer{*pages[asks[i].customerID], details, tx.Now}
		}
	}
	return outcomes, nil
}

func campaignsOf(pages map[string]*ownPage) []string {
	var ids []string
	for _, page := range pages {
		for i := range page.purchases {
			ids = append(ids, page.purchases[i].CampaignID)
		}
	}
	return db.Distinct(ids)
}

// boughtList is what endpoint 8 answers.
type boughtList struct {
	Bought []bought `json:"boughtCampaigns"`
	Total  int64    `json:"total"`
}

// listAll implements endpoint 8.
func listAll(c *api.Call) error {
	asked, err := c.Asked()
	if err != nil {
		return err
	}
	wanted := readFilter(asked.Query, c.Store.Zone)
	answer := boughtList{Bought: []bought{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := allPage(tx, c.Store.Key, &wanted, asked.Page)
		for i := range found {
			answer.Bought = append(answer.Bought, boughtView(c.Store, &found[i], tx.Now))
		}
		answer.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}
