package campaign

import (
	"punchcard/core/api"
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

// selection selects the campaigns of a list, and shows them.
type selection struct {
	Filter
	words string // searches names by prefixes of words; the best match comes first
	codes bool   // with the codes of campaigns
	// view builds the JSON of one campaign. codes are nil unless they are wanted.
	view func(v *Viewer, one *Campaign, k Counters, codes []string) any
}

func toAdministrators(_ *api.Reading, query *form.Node) selection {
	show := (*Viewer).Full
	if form.IsTrue(query.Child("includePhotos").Text()) {
		show = (*Viewer).details
	}
	return selection{ReadFilter(query), query.Child("q").Text(), WithCodes(query),
		func(v *Viewer, one *Campaign, k Counters, codes []string) any { return show(v, one, k, codes) }}
}

// toEverybody selects public campaigns, whatever their windows.
func toEverybody(_ *api.Reading, query *form.Node) selection {
	wanted := ReadFilter(query)
	wanted.Public, wanted.Active = new(true), new(true)
	return selection{Filter: wanted,
		view: func(v *Viewer, one *Campaign, k Counters, _ []string) any { return v.public(one, k) }}
}

func toSellers(r *api.Reading, query *form.Node) selection {
	wanted := Filter{Active: new(true), Public: flag(query, "isPublic"), WithoutExchanged: true, VisibleAt: r.Tx.Now()}
	return selection{wanted, "", WithCodes(query),
		func(v *Viewer, one *Campaign, k Counters, codes []string) any { return v.Seller(one, k, codes) }}
}

// listing returns the operation that lists what a query selects.
func (k *Catalogue) listing(query func(q *form.Group), read func(r *api.Reading, query *form.Node) selection,
	response any) api.Operation {
	list := func(r *api.Reading, in api.ListRequest) (viewList[any], error) {
		wanted := read(r, in.Query)
		var found []*Campaign
		var total int64
		var err error
		if wanted.words != "" {
			found, total, err = k.matching(r.Tx, r.Store.Key, wanted.words, in.Limit, in.Offset)
		} else {
			found, total, err = k.page(r.Tx, r.Store.Key, wanted.Filter, in.Page, in.Locale)
		}
		if err != nil || len(found) == 0 {
			return viewList[any]{[]any{}, total}, err
		}
		views, err := k.viewsOf(r, in, found, &wanted)
		return viewList[any]{views, total}, err
	}
	return api.Read(api.InCall(query, (*api.Call).ListRequest), list).DescribedAs(response)
}

func asksHTML(query *form.Node) bool { return query.Child("format").Text() == "html" }

// viewsOf reads the data that the views of campaigns need, and builds them.
func (k *Catalogue) viewsOf(r *api.Reading, in api.ListRequest, found []*Campaign, wanted *selection) ([]any, error) {
	ids, byID := make([]string, len(found)), make(map[string]*Campaign, len(found))
	for i, one := range found {
		ids[i], byID[one.ID] = one.ID, one
	}
	shown, err := k.readShown(r.Tx, r.Store, in.Locale, wanted.codes, ids,
		func(counters map[string]Counters) (map[string]*Campaign, error) {
			return byID, countPeriods(r.Tx, r.Store, byID, counters)
		})
	if err != nil {
		return nil, err
	}
	shown.HTML = asksHTML(in.Query)
	views := make([]any, len(found))
	for i, one := range found {
		views[i] = wanted.view(shown.Viewer, one, shown.Counters[one.ID], shown.Codes(one.ID))
	}
	return views, nil
}

// showing returns the operation that shows the campaign of the path. Concurrent calls share its encoding.
func showing[View any](k *Catalogue, show func(*Viewer, *Campaign, Counters, []string) View) api.Operation {
	one := func(c *api.Call, locale api.Locale) (body api.Encoded, err error) {
		id, err := PathID(c)
		if err != nil {
			return body, err
		}
		query, err := c.Query()
		if err != nil {
			return body, err
		}
		shown, err := k.one.Do(c.Context(), oneRequest{c.Store, locale, id, WithCodes(query)})
		if err != nil {
			return body, err
		}
		html := asksHTML(query)
		body.RawMessage, err = shown.encoded.Of(encodedKey[View]{id, html}, func() any {
			viewer := *shown.Viewer
			viewer.HTML = html
			return show(&viewer, shown.Campaigns[id], shown.Counters[id], shown.Codes(id))
		})
		return body, err
	}
	var view View
	return api.Respond(api.InCall(describeOne, (*api.Call).Locale), one).DescribedAs(view)
}

type activeList struct {
	Campaigns []activeName `json:"campaigns"`
}

func listActive(r *api.Reading, locale api.Locale) (activeList, error) {
	names, err := activeNames(r.Tx, r.Store.Key, locale)
	return activeList{append([]activeName{}, names...)}, err
}
