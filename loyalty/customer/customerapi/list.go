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
func listCustomers(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	response := detailList{Customers: []Detail{}}
	err = c.Read(func(tx *db.Tx) error {
		levels, err := level.All(tx, c.Store.Key)
		if err != nil {
			return err
		}
		var found []customer.Customer
		if words := request.Query.Child("q").Text(); words != "" {
			found, response.Total, err = customer.Search(tx, c.Store.Key, words, request.Limit, request.Offset)
		} else {
			f, refused := Filter(tx, request.Query, c.Now(), c.Store)
			if refused != nil {
				return refused
			}
			found, response.Total, err = f.List(tx, c.Store.Key, levels, request.Page)
		}
		if err == nil {
			response.Customers, err = Details(c, tx, levels, request.Locale, found)
		}
		if withPoints, _ := form.ParseBool(request.Query.Child(pointsField).Text()); withPoints && err == nil {
			err = addPoints(tx, c.Store, response.Customers)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
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

func getCustomer(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var details []Detail
	err = c.Read(func(tx *db.Tx) error {
		found, err := customer.OfMerged(c, tx)
		if err != nil {
			return err
		}
		levels, err := level.All(tx, c.Store.Key)
		if err == nil {
			details, err = Details(c, tx, levels, locale, []customer.Customer{*found})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(details[0])
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

func describeSearch(g *form.Group) { customer.ReadSearch(g.Group("search"), store.Example) }

func searchCustomers(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	group := form.Read(body, "search")
	f := customer.ReadSearch(group, c.Store)
	if f.SelectsAll() {
		group.AddFormError(errNothingFilledIn)
	}
	if err := group.Err(); err != nil {
		return err
	}
	var response matches
	err = c.Read(func(tx *db.Tx) error {
		found, err := f.Page(tx, c.Store.Key, api.Page{Limit: SearchLimit + 1})
		if err != nil {
			return err
		}
		if len(found) > SearchLimit {
			group.AddFormError(errManyMatches)
			group.Summarize(manyMatches)
			return group.Err()
		}
		levels, err := level.All(tx, c.Store.Key)
		if err == nil {
			response.Customers, err = Details(c, tx, levels, locale, found)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

type counted struct {
	Total int64 `json:"total"`
}

// describeContact describes the query of readContactQuery.
var describeContact = api.Reads(readContactQuery)

func readContactQuery(q *form.Group) string { return q.Key("emailOrPhone", form.NotBlank) }

func (l Limits) check(c *api.Call) error {
	query, err := c.Query()
	if err != nil {
		return err
	}
	group := form.Read(query)
	contact := readContactQuery(group)
	if err := group.Err(); err != nil {
		return err
	}
	if err := c.Take(l.ContactLookups, c.ClientNetwork()); err != nil {
		return err
	}
	var response counted
	err = c.Read(func(tx *db.Tx) (err error) {
		response.Total, err = customer.CountByContact(tx, c.Store.Key, contact)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}
