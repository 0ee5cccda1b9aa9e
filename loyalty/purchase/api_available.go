package purchase

import (
	"bytes"
	"strconv"
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// offerList is what endpoints 16, 25 and 27 answer.
type offerList[View any] struct {
	Campaigns []View `json:"campaigns"`
	Total     int64  `json:"total"`
}

// encode is the JSON of offerList.
func encode[View any](page *offerPage, view func(v *shown, id string, extra offered) View) ([]byte, error) {
	const own, around = 64, 64 // bytes of what is the customer's own of a campaign, and of what is around all
	alike, size := make([][]byte, len(page.ids)), around
	for i, id := range page.ids {
		var err error
		if alike[i], err = encodedFor(page.views[id], id, view); err != nil {
			return nil, err
		}
		size += len(alike[i]) + own
	}
	body := append(make([]byte, 0, size), `{"campaigns":[`...)
	for i, id := range page.ids {
		if i > 0 {
			body = append(body, ',')
		}
		body = page.offered(id).appendTo(append(body, alike[i]...))
	}
	body = append(body, `],"total":`...)
	return append(strconv.AppendInt(body, page.total, 10), '}'), nil
}

// encodedFor is a campaign up to what is the customer's own.
func encodedFor[View any](v *offerView, id string, view func(v *shown, id string, extra offered) View) (
	[]byte, error) {
	body, err := v.encoded.Of((*View)(nil), func() any { return view(&v.shown, id, offered{}) })
	return bytes.TrimSuffix(body, ownEnd), err
}

// ownEnd is how a campaign ends of which there is nothing for the customer.
var ownEnd = offered{}.appendTo(nil)

// available implements endpoints 16, 25 and 27, each with the view of its callers.
func available[View any](d *Desk, view func(v *shown, id string, extra offered) View) func(c *api.Call) error {
	return func(c *api.Call) error {
		asked, err := c.Asked()
		if err != nil {
			return err
		}
		request := offerRequest{store: c.Store, asked: asked, wanted: readOffer(asked.Query)}
		if request.customerID, err = customerOf(c); err != nil {
			return err
		}
		request.wanted.Custom = c.Caller.Role != access.Customer
		request.withCodes = request.wanted.Custom
		page, err := d.offers.Do(c.Context(), request)
		if err != nil {
			return err
		}
		body, err := encode(&page, view)
		if err != nil {
			return err
		}
		return c.Encoded(body)
	}
}

// offerAsked is what an availability list was asked for.
type offerQuery struct {
	campaign.Offer
	additional points.Amount // to be added to the balance
	wrong      error
}

// readOffer reads the filters of the availability lists. Only points that are none are refused; points that are given
// at all, even 0, ask about a customer without regard to his level and segments.
func readOffer(query *form.Node) offerQuery {
	var o offerQuery
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

// offered is what an availability list adds to a campaign, at its end.
type offered struct {
	UsageLeftForCustomer  int64 `json:"usageLeftForCustomer"`
	CanBeBoughtByCustomer bool  `json:"canBeBoughtByCustomer"`
}

// appendTo ends the JSON of a campaign.
func (o offered) appendTo(body []byte) []byte {
	body = append(body, `,"usageLeftForCustomer":`...)
	body = strconv.AppendInt(body, o.UsageLeftForCustomer, 10)
	body = append(body, `,"canBeBoughtByCustomer":`...)
	return append(strconv.AppendBool(body, o.CanBeBoughtByCustomer), '}')
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

func (p *offerPage) offered(id string) offered {
	v := p.views[id]
	return offered{
		UsageLeftForCustomer:  v.campaign.UsageLeftFor(v.counters, p.account.Bought[id]),
		CanBeBoughtByCustomer: p.account.Points >= v.campaign.Cost && v.campaign.ActiveAt(p.now),
	}
}

func (v *shown) toCustomer(id string, extra offered) offeredToCustomer {
	return offeredToCustomer{v.reduced(id), extra}
}

func (v *shown) bySeller(id string, extra offered) offeredBySeller {
	return offeredBySeller{v.Seller(v.Campaigns[id], v.Counters[id], v.Codes(id)), extra}
}

func (v *shown) byAdministrator(id string, extra offered) offeredByAdministrator {
	return offeredByAdministrator{v.Full(v.Campaigns[id], v.Counters[id], v.Codes(id)), extra}
}
