package message

import (
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// contacts returns the addresses of the customer of the path.
func contacts(c *api.Call, tx *db.Tx) ([]string, error) {
	who, err := customer.Of(c, tx)
	if err != nil {
		return nil, err
	}
	all := []string{who.ID}
	for _, contact := range []string{who.Email, who.Phone} {
		if contact != "" {
			all = append(all, contact)
		}
	}
	return all, nil
}

func viewsOf(c *api.Call, found []Undeliverable) []undeliverableView {
	views := make([]undeliverableView, len(found))
	for i, u := range found {
		views[i] = undeliverableView{u.Channel, u.Address, u.Reason, api.Timestamp(u.Since, c.Store.Zone)}
	}
	return views
}

func listUndeliverable(c *api.Call) error {
	response := undeliverableList{}
	err := c.Read(func(tx *db.Tx) error {
		addresses, err := contacts(c, tx)
		if err != nil {
			return err
		}
		found, err := undeliverable(tx, c.Store.Key, addresses...)
		response.Addresses = viewsOf(c, found)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func forgiveUndeliverable(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		addresses, err := contacts(c, tx)
		if err != nil {
			return err
		}
		return deliverable(tx, c.Store.Key, addresses...)
	}, c.NoContent)
}

// reasonLimit is the maximum length of a part of a reason, in characters.
const reasonLimit = 300

func describeRefusals(q *form.Group) { readRefusals(q, time.UTC) }

// readRefusals reads a filter of refused addresses. Times without a zone are in the given one.
func readRefusals(g *form.Group, zone *time.Location) *refusals {
	return &refusals{
		Channel: g.Choice("channel", channels), Reason: g.Text("reason", form.MaxLength(reasonLimit)),
		From: g.DateTime("from", zone), Until: g.End("until", zone),
	}
}

func listAllUndeliverable(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	query := form.Read(request.Query)
	filter := readRefusals(query, c.Store.Zone)
	if err := query.Err(); err != nil {
		return err
	}
	response := undeliverablePage{}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := listRefusals(tx, c.Store.Key, filter, request.Limit, request.Offset)
		response = undeliverablePage{viewsOf(c, found), total}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// errAllRefusals refuses a body that may mean all addresses by mistake.
var errAllRefusals = fault.New(fault.Invalid, "forgiving_everything",
	"Give a channel, a reason or a period, or all=1 for every address.")

func describeForgiving(g *form.Group) { readForgiving(g.Group("forgiving"), time.UTC) }

func readForgiving(g *form.Group, zone *time.Location) *refusals {
	f := readRefusals(g, zone)
	if all := g.Checkbox("all"); !all && *f == (refusals{}) {
		g.AddFormError(errAllRefusals)
	}
	return f
}

func forgiveAllUndeliverable(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "forgiving")
	filter := readForgiving(group, c.Store.Zone)
	if err := group.Err(); err != nil {
		return err
	}
	var response forgivenView
	return c.Write(func(tx *db.Tx) (err error) {
		response.Forgiven, err = forgive(tx, c.Store.Key, filter)
		return err
	}, func() error { return c.OK(response) })
}
