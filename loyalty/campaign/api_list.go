package campaign

import (
	"time"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// viewList is a page of campaigns in the views of a role.
type viewList[V any] struct {
	Campaigns []V   `json:"campaigns"`
	Total     int64 `json:"total"`
}

func describeFormat(q *form.Group) {
	q.Choice("format", []string{"html"})
	api.LocaleQuery(q)
}

func describeList(q *form.Group) {
	q.Text("q")
	q.Checkbox("includePhotos")
	describeFilter(q)
	describeOne(q)
}

// describeOne describes the query of campaigns with codes.
func describeOne(q *form.Group) {
	q.Checkbox("withoutCoupons")
	describeFormat(q)
}

// WithCodes reports whether a query wants the codes of campaigns, which it does unless it has withoutCoupons.
func WithCodes(query *form.Node) bool {
	without, _ := form.ParseBool(query.Child("withoutCoupons").Text())
	return !without
}

// list serves campaigns to administrators. q searches names by prefixes of words; the best match comes first.
func (k *Catalogue) list(c *api.Call) error {
	query, err := c.Filters()
	if err != nil {
		return err
	}
	show := (*Viewer).Full
	if form.IsTrue(query.Child("includePhotos").Text()) {
		show = (*Viewer).details
	}
	return k.listWhere(c, func(time.Time) Filter { return ReadFilter(query) }, query.Child("q").Text(), WithCodes(query),
		func(v *Viewer, one *Campaign, counters Counters, codes []string) any {
			return show(v, one, counters, codes)
		})
}

// listPublic serves public campaigns, whatever their windows.
func (k *Catalogue) listPublic(c *api.Call) error {
	query, err := c.Filters()
	if err != nil {
		return err
	}
	wanted := ReadFilter(query)
	wanted.Public, wanted.Active = new(true), new(true)
	return k.listWhere(c, func(time.Time) Filter { return wanted }, "", false,
		func(v *Viewer, one *Campaign, k Counters, _ []string) any { return v.public(one, k) })
}

// listForSeller serves campaigns to sellers.
func (k *Catalogue) listForSeller(c *api.Call) error {
	query, err := c.Filters()
	if err != nil {
		return err
	}
	return k.listWhere(c, func(now time.Time) Filter {
		return Filter{Active: new(true), Public: flag(query, "isPublic"), WithoutExchanged: true, VisibleAt: now}
	}, "", WithCodes(query), func(v *Viewer, one *Campaign, k Counters, codes []string) any {
		return v.Seller(one, k, codes)
	})
}

// view builds the JSON of one campaign of a list. codes are nil unless requested.
type view func(v *Viewer, one *Campaign, k Counters, codes []string) any

// listWhere responds with the page of campaigns that a filter selects or, if there are any words, that a search
// finds.
func (k *Catalogue) listWhere(c *api.Call, filter func(now time.Time) Filter, words string, withCodes bool,
	show view) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	response := viewList[any]{Campaigns: []any{}}
	err = c.Read(func(tx *db.Tx) error {
		var found []*Campaign
		if words != "" {
			found, response.Total, err = k.matching(tx, c.Store.Key, words, request.Limit, request.Offset)
		} else {
			found, response.Total, err = k.page(tx, c.Store.Key, filter(tx.Now()), request.Page, request.Locale)
		}
		if err != nil || len(found) == 0 {
			return err
		}
		response.Campaigns, err = k.viewsOf(c, tx, request.Locale, found, withCodes, show)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func asksHTML(query *form.Node) bool { return query.Child("format").Text() == "html" }

// viewsOf reads the data that the views of campaigns need, and builds them.
func (k *Catalogue) viewsOf(c *api.Call, tx *db.Tx, locale api.Locale, found []*Campaign, withCodes bool,
	show view) ([]any, error) {
	query, err := c.Query()
	if err != nil {
		return nil, err
	}
	ids, byID := make([]string, len(found)), make(map[string]*Campaign, len(found))
	for i, one := range found {
		ids[i], byID[one.ID] = one.ID, one
	}
	shown, err := k.readShown(tx, c.Store, locale, withCodes, ids,
		func(counters map[string]Counters) (map[string]*Campaign, error) {
			return byID, countPeriods(tx, c.Store, byID, counters)
		})
	if err != nil {
		return nil, err
	}
	shown.HTML = asksHTML(query)
	views := make([]any, len(found))
	for i, one := range found {
		views[i] = show(shown.Viewer, one, shown.Counters[one.ID], shown.Codes(one.ID))
	}
	return views, nil
}

// get serves the details of a campaign to administrators.
func (k *Catalogue) get(c *api.Call) error { return answerOne(c, k, (*Viewer).details) }

// getForSeller serves a campaign to sellers.
func (k *Catalogue) getForSeller(c *api.Call) error { return answerOne(c, k, (*Viewer).Seller) }

// answerOne responds with the campaign of the path. Concurrent requests share its encoding.
func answerOne[View any](c *api.Call, k *Catalogue, show func(*Viewer, *Campaign, Counters, []string) View) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	id, err := PathID(c)
	if err != nil {
		return err
	}
	query, err := c.Query()
	if err != nil {
		return err
	}
	shown, err := k.one.Do(c.Context(), oneRequest{c.Store, locale, id, WithCodes(query)})
	if err != nil {
		return err
	}
	html := asksHTML(query)
	body, err := shown.encoded.Of(encodedKey[View]{id, html}, func() any {
		viewer := *shown.Viewer
		viewer.HTML = html
		return show(&viewer, shown.Campaigns[id], shown.Counters[id], shown.Codes(id))
	})
	if err != nil {
		return err
	}
	return c.Encoded(body)
}

type activeList struct {
	Campaigns []activeName `json:"campaigns"`
}

func listActive(r *api.Reading, locale api.Locale) (activeList, error) {
	names, err := activeNames(r.Tx, r.Store.Key, locale)
	return activeList{append([]activeName{}, names...)}, err
}
