package customerapi

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

type detailList struct {
	Customers []Detail `json:"customers"`
	Total     int64    `json:"total"`
}

// Filter reads the filters of the list of customers.
func Filter(tx *db.Tx, query *form.Node, now time.Time, s *store.Store) (customer.Filter, error) {
	f := customer.ReadFilter(query, now, s)
	members := MembersOf{SegmentID: query.Child("segmentId").Text()}
	if form.IsUUID(members.SegmentID) {
		if err := feature.React(tx, s, &members); err != nil {
			return f, err
		}
	}
	if members.Query != nil {
		f.Among(members.Query)
	} else if members.SegmentID != "" {
		f.Unread = append(f.Unread, "segmentId")
	}
	if query.Child("q").Text() != "" && !f.SelectsAll() { // a search passes over the filters
		f.Unread = append(f.Unread, "q")
	}
	return f, nil
}

// listCustomers returns a page of customers. The parameter q searches names, e-mail addresses, phones and loyalty
// cards by the beginnings of words, and sorts the best match first.
func listCustomers(r *api.Reading, request api.ListRequest) (list detailList, err error) {
	levels, err := level.All(r.Tx, r.Store.Key)
	if err != nil {
		return list, err
	}
	found, total, err := findCustomers(r, &request, levels)
	if err != nil {
		return list, err
	}
	list.Total = total
	if list.Customers, err = Details(r.Call, r.Tx, levels, request.Locale, found); err != nil {
		return list, err
	}
	if withPoints, _ := form.ParseBool(request.Query.Child(pointsField).Text()); withPoints {
		err = addPoints(r.Tx, r.Store, list.Customers)
	}
	return list, err
}

func findCustomers(r *api.Reading, request *api.ListRequest, levels []level.Level) ([]customer.Customer, int64, error) {
	if words := request.Query.Child("q").Text(); words != "" {
		return customer.Search(r.Tx, r.Store.Key, words, request.Limit, request.Offset)
	}
	f, err := Filter(r.Tx, request.Query, r.Now(), r.Store)
	if err != nil {
		return nil, 0, err
	}
	return f.List(r.Tx, r.Store.Key, levels, request.Page)
}

// pointsField is the parameter that asks for the points of the listed customers.
const pointsField = "withPoints"

func describeList(q *form.Group) {
	q.Checkbox(pointsField)
	customer.DescribeFilter(q)
}

// addPoints adds their available points to customers.
func addPoints(tx *db.Tx, s *store.Store, details []Detail) error {
	if len(details) == 0 {
		return nil
	}
	ids := make([]string, len(details))
	for i := range details {
		ids[i] = details[i].ID
	}
	balances, err := points.Balances(tx, s, ids...)
	for i := range details {
		details[i].Points = new(balances[details[i].ID].Points)
	}
	return err
}

func showCustomer(r *api.Reading, locale api.Locale) (none Detail, err error) {
	found, err := customer.OfMerged(r.Call, r.Tx)
	if err != nil {
		return none, err
	}
	levels, err := level.All(r.Tx, r.Store.Key)
	if err != nil {
		return none, err
	}
	details, err := Details(r.Call, r.Tx, levels, locale, []customer.Customer{*found})
	if err != nil {
		return none, err
	}
	return details[0], nil
}

// SearchLimit is how many customers a search at the checkout may find. A search that finds more is refused.
const SearchLimit = 10

// manyMatches is the text, with its spelling, that older tills recognize.
const manyMatches = "to many results"

type matches struct {
	Customers []Detail `json:"customers"`
}

var (
	errNothingFilledIn = fault.New(fault.Fields, "nothing_filled_in", "At least one field has to be filled in.")
	errManyMatches     = fault.New(fault.Fields, "too_many_matches", "Too many customers match.")
)

// tillSearch is a search at the till, and the language of what it finds.
type tillSearch struct {
	customer.Filter
	locale api.Locale
}

var sought = api.BodyInCall("search", readSearch, func(g *form.Group) { customer.ReadSearch(g, store.Example) })

func readSearch(c *api.Call, g *form.Group) (in tillSearch, err error) {
	if in.locale, err = c.Locale(); err != nil {
		return in, err
	}
	in.Filter = customer.ReadSearch(g, c.Store)
	if in.SelectsAll() {
		g.AddFormError(errNothingFilledIn)
	}
	return in, nil
}

func searchCustomers(r *api.Reading, in tillSearch) (found matches, err error) {
	customers, err := in.Page(r.Tx, r.Store.Key, api.Page{Limit: SearchLimit + 1})
	if err != nil {
		return found, err
	}
	if len(customers) > SearchLimit {
		return found, r.RefuseFields(func(g *form.Group) {
			g.AddFormError(errManyMatches)
			g.Summarize(manyMatches)
		})
	}
	levels, err := level.All(r.Tx, r.Store.Key)
	if err != nil {
		return found, err
	}
	found.Customers, err = Details(r.Call, r.Tx, levels, in.locale, customers)
	return found, err
}

type counted struct {
	Total int64 `json:"total"`
}

func readContact(q *form.Group) string { return q.Key("emailOrPhone", form.NotBlank) }

// countLookup counts a check against the limit of the client network.
func (l Limits) countLookup(c *api.Call, contact string) (string, error) {
	return contact, c.Take(l.ContactLookups, c.ClientNetwork())
}

func countByContact(r *api.Reading, contact string) (known counted, err error) {
	known.Total, err = customer.CountByContact(r.Tx, r.Store.Key, contact)
	return known, err
}
