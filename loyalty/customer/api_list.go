package customer

import (
	"punchcard/api"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

type detailList struct {
	Customers []detail `json:"customers"`
	Total     int64    `json:"total"`
}

// list returns a page of customers. The parameter q searches names, e-mail addresses, phones and loyalty
// cards by the beginnings of words, and sorts the best match first.
func (h Hooks) list(c *api.Call) error {
	asked, err := c.ListRequest()
	if err != nil {
		return err
	}
	answer := detailList{Customers: []detail{}}
	err = c.Read(func(tx *db.Tx) error {
		levels, err := level.All(tx, c.Store.Key)
		if err != nil {
			return err
		}
		var found []Customer
		if words := asked.Query.Child("q").Text(); words != "" {
			found, answer.Total, err = matching(tx, c.Store.Key, words, asked.Limit, asked.Offset)
		} else {
			found, answer.Total, err = filtered(tx, c, asked, levels)
		}
		if err == nil {
			answer.Customers, err = h.details(c, tx, levels, asked.Locale, found)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

func filtered(tx *db.Tx, c *api.Call, asked api.ListRequest, levels []level.Level) (
	found []Customer, total int64, err error) {
	f := readFilter(asked.Query, tx.Now())
	if f.all() {
		for _, l := range levels { // every customer is in exactly one level
			total += l.Customers
		}
	} else if total, err = count(tx, f.from(c.Store.Key)); err != nil || total == 0 {
		return nil, 0, err
	}
	found, err = page(tx, f.from(c.Store.Key), asked.Page)
	return found, total, err
}

func (h Hooks) get(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var details []detail
	err = c.Read(func(tx *db.Tx) error {
		found, err := Of(c, tx)
		if err != nil {
			return err
		}
		levels, err := level.All(tx, c.Store.Key)
		if err == nil {
			details, err = h.details(c, tx, levels, locale, []Customer{*found})
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

// searchFields are the fields of a search at the checkout, with their columns.
var searchFields = []struct{ name, column string }{
	{"loyaltyCardNumber", "loyalty_card_key"}, {"phone", "phone_key"}, {"email", "email"},
	{"firstName", "first_name_key"}, {"lastName", "last_name_key"}, {"city", "city_key"}, {"postcode", "postal_key"},
}

type matches struct {
	Customers []detail `json:"customers"`
}

func readSearch(g *form.Group) (f Filter) {
	for _, field := range searchFields {
		f.addText(field.column, g.Text(field.name, form.MaxLength(textLimit)))
	}
	return f
}

var (
	errNothingFilledIn = fault.New(fault.Fields, "nothing_filled_in", "At least one field has to be filled in.")
	errManyMatches     = fault.New(fault.Fields, "too_many_matches", "Too many customers match.")
)

func (h Hooks) search(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	group := form.Read(body, "search")
	f := readSearch(group)
	if f.all() {
		group.AddFormError(errNothingFilledIn)
	}
	if err := group.Err(); err != nil {
		return err
	}
	var answer matches
	err = c.Read(func(tx *db.Tx) error {
		found, err := page(tx, f.from(c.Store.Key), api.Page{Limit: SearchLimit + 1})
		if err != nil {
			return err
		}
		if len(found) > SearchLimit {
			group.AddFormError(errManyMatches)
			return group.Err()
		}
		levels, err := level.All(tx, c.Store.Key)
		if err == nil {
			answer.Customers, err = h.details(c, tx, levels, locale, found)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}

type counted struct {
	Total int64 `json:"total"`
}

func readContactQuery(q *form.Group) string { return q.Text("emailOrPhone", form.NotBlank) }

func (h Hooks) check(c *api.Call) error {
	query, err := c.Query()
	if err != nil {
		return err
	}
	group := form.Read(query)
	asked := readContactQuery(group)
	if err := group.Err(); err != nil {
		return err
	}
	if err := c.Take(h.ContactLookups, c.ClientNetwork()); err != nil {
		return err
	}
	var answer counted
	err = c.Read(func(tx *db.Tx) (err error) {
		answer.Total, err = countByContact(tx, c.Store.Key, asked)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(answer)
}
