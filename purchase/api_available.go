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
	"punchcard/points"
)

// offerList is what endpoints 16, 25 and 27 answer.
type offerList[View any] struct {
	Campaigns []View `json:"campaigns"`
	Total     int64  `json:"total"`
}

// available implements endpoints 16, 25 and 27, each with the view of its callers.
func available[View any](d *Desk, view func(v *shown, id string, extra offered) View) func(c *api.Call) error {
	return func(c *api.Call) error {
		asked, err := c.Asked()
		if err != nil {
			return err
		}
		wanted := readOffer(asked.Query)
		wanted.Custom = c.Caller.Role != access.Customer
		answer := offerList[View]{Campaigns: []View{}}
		err = c.Read(func(tx *db.Tx) error {
			left, account, err := wanted.left(c, tx, asked)
			answer.Total = int64(len(left))
			if left = asked.Of(left); err != nil || len(left) == 0 {
				return err
			}
			shown, err := d.reader(c, tx, asked.Locale, left)
			if err != nil {
				return err
			}
			for _, id := range left {
				answer.Campaigns = append(answer.Campaigns, view(shown, id, shown.offered(id, account)))
			}
			return nil
		})
		if err != nil {
			return err
		}
		return c.OK(answer)
	}
}

// offerAsked is what an availability list was asked for.
type offerAsked struct {
	campaign.Offer
	additional points.Amount // to be added to the balance
	wrong      error
}

// left lists the campaigns that the customer may see, and reads his account with the points that are to be added.
func (o *offerAsked) left(c *api.Call, tx *db.Tx, asked api.Asked) ([]string, points.Account, error) {
	who, err := customerOf(c, tx)
	if err != nil {
		return nil, points.Account{}, err
	}
	if o.wrong != nil { // only now: who does not exist comes before what is wrong
		return nil, points.Account{}, o.wrong
	}
	buyers, err := customer.Buyers(tx, c.Store.Key, []string{who})
	if err != nil {
		return nil, points.Account{}, err
	}
	buyer := buyers[who]
	if buyer == nil || buyer.Status == customer.Deleted {
		return nil, points.Account{}, fault.ErrNotFound
	}
	if o.Targets, err = Targets(tx, c.Store.Key, buyer); err != nil {
		return nil, points.Account{}, err
	}
	account, err := points.Balance(tx, c.Store, who)
	if err != nil {
		return nil, account, err
	}
	o.Bought = account.Bought
	account.Points = added(account.Points, o.additional)
	left, err := campaign.Offers(tx, c.Store.Key, o.Offer, asked.Page, asked.Locale)
	return left, account, err
}

// readOffer reads the filters of the availability lists. Only points that are none are refused; points that are given
// at all, even 0, ask about a customer without regard to his level and segments.
func readOffer(query *form.Node) offerAsked {
	var o offerAsked
	o.Featured, o.Public, o.ForSegments = flag(query, "isFeatured"), flag(query, "isPublic"), flag(query, "hasSegment")
	for _, entry := range query.Child("categoryId").Children() {
		if id := entry.Text(); id != "" {
			o.Categories = append(o.Categories, strings.ToLower(id))
		}
	}
	asked := query.Child("additionalPoints")
	if asked.Text() == "" && !asked.IsGroup() {
		return o
	}
	n, ok := form.ParseDecimal(asked.Text(), 2)
	if !ok || n < 0 {
		o.wrong = fault.ErrInvalid
	}
	o.Anything, o.additional = true, points.Amount(n)
	return o
}

// flag reads a filter by a switch; what is no switch filters nothing.
func flag(query *form.Node, name string) *bool {
	if on, ok := form.ParseBool(query.Child(name).Text()); ok {
		return &on
	}
	return nil
}

// offered is what an availability list adds to a campaign.
type offered struct {
	UsageLeftForCustomer  int64 `json:"usageLeftForCustomer"`
	CanBeBoughtByCustomer bool  `json:"canBeBoughtByCustomer"`
}

type offeredToCustomer struct {
	campaign.Reduced
	offered
}

type offeredBySeller struct {
	campaign.Seller
	offered
}

type offeredByAdministrator struct {
	campaign.Full
	offered
}

func (v *shown) offered(id string, account points.Account) offered {
	c := v.campaigns[id]
	return offered{
		UsageLeftForCustomer:  c.UsageLeftFor(v.counters[id], account.Bought[id]),
		CanBeBoughtByCustomer: account.Points >= c.Cost && c.ActiveAt(v.Now),
	}
}

func (v *shown) toCustomer(id string, extra offered) offeredToCustomer {
	return offeredToCustomer{v.Reduced(v.campaigns[id], v.counters[id]), extra}
}

func (v *shown) bySeller(id string, extra offered) offeredBySeller {
	return offeredBySeller{v.Seller(v.campaigns[id], v.counters[id], v.codesOf(id)), extra}
}

func (v *shown) byAdministrator(id string, extra offered) offeredByAdministrator {
	return offeredByAdministrator{v.Full(v.campaigns[id], v.counters[id], v.codesOf(id)), extra}
}
