package purchase

import (
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

// customerOf is the id of the customer that the list is about: the caller himself, or the one in the path.
func customerOf(c *api.Call, tx *db.Tx) (id string, err error) {
	if c.Caller.Role == access.Customer {
		return c.Caller.ID, nil
	}
	found, err := customer.Of(c, tx)
	if err != nil {
		return "", err
	}
	return found.ID, nil
}

// available implements endpoints 16, 25 and 27.
func (d *Desk) available(c *api.Call) error {
	asked, err := c.Asked()
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
		buyers, err := customer.Buyers(tx, c.Store.Key, []string{who})
		if err != nil {
			return err
		}
		buyer := buyers[who]
		if buyer == nil || buyer.Status == customer.Deleted {
			return fault.ErrNotFound
		}
		account, err := points.Balance(tx, c.Store, who)
		if err != nil {
			return err
		}
		left, err := campaign.Offers(tx, c.Store.Key, []string{buyer.LevelID}, account.Bought,
			asked.OrderBy(campaign.Sortable, "c.campaign_id"))
		answer.Total = int64(len(left))
		left = asked.Of(left)
		if err != nil || len(left) == 0 {
			return err
		}
		shown, err := d.reader(c, tx, asked.Locale, left)
		if err != nil {
			return err
		}
		for _, id := range left {
			definition, counters := shown.campaigns[id], shown.counters[id]
			extra := offered{
				UsageLeftForCustomer:  definition.UsageLeftFor(counters, account.Bought[id]),
				CanBeBoughtByCustomer: account.Points >= definition.Cost && definition.ActiveAt(tx.Now),
			}
			answer.Campaigns = append(answer.Campaigns, shown.offer(c, definition, counters, extra))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
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
	viewer := &campaign.Viewer{Store: c.Store, Locale: locale, Levels: levels, Now: tx.Now}
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
	asked, err := c.Asked()
	if err != nil {
		return err
	}
	details, _ := form.ParseBool(asked.Query.Child("includeDetails").Text())
	answer := struct {
		Campaigns []own `json:"campaigns"`
		Total     int64 `json:"total"`
	}{Campaigns: []own{}}
	err = c.Read(func(tx *db.Tx) error {
		who, err := customerOf(c, tx)
		if err != nil {
			return err
		}
		found, total, err := ownPage(tx, c.Store.Key, who, c.Caller.Role != access.Customer,
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
			if shown, err = d.reader(c, tx, asked.Locale, unique(ids)); err != nil {
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
	return c.OK(answer)
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
	return c.OK(answer)
}
