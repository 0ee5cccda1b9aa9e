package purchase

import (
	"bytes"
	"strconv"
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/web"
)

// offerList is the response of the availability lists.
type offerList[View any] struct {
	Campaigns []View `json:"campaigns"`
	Total     int64  `json:"total"`
}

// encode builds the JSON of an offerList from the cached encodings of its campaigns.
func encode[View any](page *offerPage, view func(v *campaignViews, id string, extra offered) View) ([]byte, error) {
	const own, around = 64, 64 // bytes for the customer's part of a campaign, and for the enclosing object
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
		var err error
		if body, err = page.offered(id).appendTo(append(body, alike[i]...)); err != nil {
			return nil, err
		}
	}
	body = append(body, `],"total":`...)
	return append(strconv.AppendInt(body, page.total, 10), '}'), nil
}

// encodedFor returns the cached JSON of a campaign, without the customer's part at its end.
func encodedFor[View any](v *offerView, id string, view func(v *campaignViews, id string, extra offered) View) (
	[]byte, error) {
	body, err := v.encoded.Of((*View)(nil), func() any { return view(&v.campaignViews, id, offered{}) })
	return bytes.TrimSuffix(body, ownEnd), err
}

// ownEnd is the customer's part in the cached JSON, with zero values.
var ownEnd, _ = offered{}.appendTo(nil) // without an explanation it cannot fail

// encoder builds the JSON of a page.
type encoder func(page *offerPage) ([]byte, error)

// offersIn returns the encoder of offers in a view.
func offersIn[View any](view func(v *campaignViews, id string, extra offered) View) encoder {
	return func(page *offerPage) ([]byte, error) { return encode(page, view) }
}

// available returns the operation that lists what a customer can have; in full, if the request asks for texts. See
// docs/behaviour/offers.md#available-to-a-customer.
func (d *Desk) available(query func(q *form.Group), plain, full encoder, response any) api.Operation {
	show := func(c *api.Call, wanted offerRequest) (list api.Encoded, err error) {
		page, err := d.readOffers(c, wanted)
		if err != nil {
			return list, err
		}
		list.RawMessage, err = choose(wanted.list.Query, plain, full)(&page)
		return list, err
	}
	return api.Respond(api.InCall(query, readOfferRequest), show).DescribedAs(response)
}

func readOfferRequest(c *api.Call) (r offerRequest, err error) {
	r.store, r.role = c.Store, c.Caller.Role
	if r.list, err = c.ListRequest(); err != nil {
		return r, err
	}
	if err := c.MoveByQuery(); err != nil {
		return r, err
	}
	r.wanted = readOffer(r.list.Query)
	r.wanted.ForStaff = r.role != access.Customer
	r.withCodes = r.wanted.ForStaff && campaign.WithCodes(r.list.Query)
	r.customerID, err = customerOf(c)
	return r, err
}

// readOffers reads the page of a request. One with explanations or about another time has statements of its own,
// because its list depends on the customer or the time.
func (d *Desk) readOffers(c *api.Call, request offerRequest) (page offerPage, err error) {
	if !request.wanted.explain && !c.Moved() {
		return d.offers.Do(c.Context(), request)
	}
	err = c.Read(func(tx *db.Tx) error {
		outcomes, err := d.offer(tx, c.Store, []offerRequest{request})
		if err == nil {
			page, err = outcomes[0].Value, outcomes[0].Err
		}
		return err
	})
	return page, err
}

// offerQuery is the parsed query of an availability list.
type offerQuery struct {
	campaign.Offer
	additional points.Amount // added to the balance
	explain    bool          // with the rules, and also what is out of reach
	wrong      error
}

// readOffer reads the filters of the availability lists. Only invalid additionalPoints are refused. If the parameter
// is present, even as 0, the customer's level and segments are ignored.
func readOffer(query *form.Node) offerQuery {
	var o offerQuery
	o.Featured, o.Public = boolParameter(query, "isFeatured"), boolParameter(query, "isPublic")
	o.ForSegments = boolParameter(query, "hasSegment")
	if on := boolParameter(query, "usedUp"); on != nil {
		o.UsedUp = *on
	}
	if on := boolParameter(query, explainParameter); on != nil {
		o.explain = *on
	}
	for _, entry := range query.Child("categoryId").Children() {
		if id := entry.Text(); id != "" {
			o.Categories = append(o.Categories, strings.ToLower(id))
		}
	}
	additional := query.Child("additionalPoints")
	if additional.Text() == "" && !additional.IsGroup() {
		return o
	}
	n, ok := form.ParseDecimal(additional.Text(), 2)
	if !ok || n < 0 {
		o.wrong = fault.ErrInvalid
	}
	o.Anything, o.additional = true, points.Amount(n)
	return o
}

// boolParameter reads a boolean filter. An invalid value filters nothing.
func boolParameter(query *form.Node, name string) *bool {
	if on, ok := form.ParseBool(query.Child(name).Text()); ok {
		return &on
	}
	return nil
}

// offered is the customer's part of a campaign in an availability list. It comes last in the JSON.
type offered struct {
	UsageLeftForCustomer  int64 `json:"usageLeftForCustomer"`
	CanBeBoughtByCustomer bool  `json:"canBeBoughtByCustomer"`
	// AvailableAgainAt is when the customer can buy it again: it is used up in the period of the limit per customer.
	AvailableAgainAt string `json:"availableAgainAt,omitempty"`
	// Explanation holds the rules of a purchase; nil unless the request asks for it.
	Explanation []api.Finding `json:"explanation,omitzero"`
}

// appendTo appends the customer's part to the JSON of a campaign, and closes the object.
func (o offered) appendTo(body []byte) ([]byte, error) {
	body = append(body, `,"usageLeftForCustomer":`...)
	body = strconv.AppendInt(body, o.UsageLeftForCustomer, 10)
	body = append(body, `,"canBeBoughtByCustomer":`...)
	body = strconv.AppendBool(body, o.CanBeBoughtByCustomer)
	if o.AvailableAgainAt != "" {
		body = strconv.AppendQuote(append(body, `,"availableAgainAt":`...), o.AvailableAgainAt)
	}
	if o.Explanation != nil {
		text, err := web.Encode(o.Explanation)
		if err != nil {
			return nil, err
		}
		body = append(append(body, `,"explanation":`...), text...)
	}
	return append(body, '}'), nil
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
	c := v.campaign
	a := attempt{
		campaign: c, counters: v.counters, now: p.now, zone: p.zone, mine: p.bought[id], points: p.points, cost: c.Cost,
		quantity: 1,
	}
	o := offered{
		UsageLeftForCustomer:  c.UsageLeftFor(v.counters, p.bought[id]),
		CanBeBoughtByCustomer: isActive(&a) == nil && coversCost(&a) == nil,
	}
	if c.LimitPeriod != "" && checkLimitPerCustomer(&a) != nil {
		_, again := c.LimitSpan(p.now, p.zone)
		o.CanBeBoughtByCustomer, o.AvailableAgainAt = false, api.Timestamp(again, p.zone)
	}
	if p.why != nil {
		o.Explanation = p.why.explain(a)
	}
	return o
}

func (v *campaignViews) toCustomer(id string, extra offered) offeredToCustomer {
	return offeredToCustomer{v.reduced(id), extra}
}

func (v *campaignViews) bySeller(id string, extra offered) offeredBySeller {
	return offeredBySeller{v.Seller(v.Campaigns[id], v.Counters[id], v.Codes(id)), extra}
}

func (v *campaignViews) byAdministrator(id string, extra offered) offeredByAdministrator {
	return offeredByAdministrator{v.Full(v.Campaigns[id], v.Counters[id], v.Codes(id)), extra}
}
