package message

import (
	"punchcard/core/api"
	"punchcard/core/store"
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

func listUndeliverable(r *api.Reading) (list undeliverableList, err error) {
	addresses, err := contacts(r.Call, r.Tx)
	if err != nil {
		return list, err
	}
	found, err := undeliverable(r.Tx, r.Store.Key, addresses...)
	return undeliverableList{viewsOf(r.Call, found)}, err
}

func forgiveUndeliverable(w *api.Writing) (done api.NoContent, err error) {
	addresses, err := contacts(w.Call, w.Tx)
	if err != nil {
		return done, err
	}
	return done, deliverable(w.Tx, w.Store.Key, addresses...)
}

// reasonLimit is the maximum length of a part of a reason, in characters.
const reasonLimit = 300

func describeRefusals(q *form.Group) { readRefusals(q, store.Example) }

func readRefusals(g *form.Group, s *store.Store) *refusals {
	return &refusals{
		Channel: g.Choice("channel", channels), Reason: g.Text("reason", form.MaxLength(reasonLimit)),
		From: g.DateTime("from", s.Zone), Until: g.End("until", s.Zone),
	}
}

// refusalQuery asks for a page of refused addresses.
type refusalQuery struct {
	api.Page
	*refusals
}

func readRefusalQuery(c *api.Call) (q refusalQuery, err error) {
	request, err := c.ListRequest()
	if err != nil {
		return q, err
	}
	g := form.Read(request.Query)
	return refusalQuery{request.Page, readRefusals(g, c.Store)}, g.Err()
}

func listAllUndeliverable(r *api.Reading, q refusalQuery) (undeliverablePage, error) {
	found, total, err := listRefusals(r.Tx, r.Store.Key, q.refusals, q.Limit, q.Offset)
	return undeliverablePage{viewsOf(r.Call, found), total}, err
}

// errAllRefusals refuses a body that may mean all addresses by mistake.
var errAllRefusals = fault.New(fault.Invalid, "forgiving_everything",
	"Give a channel, a reason or a period, or all=1 for every address.")

func readForgiving(g *form.Group, s *store.Store) *refusals {
	f := readRefusals(g, s)
	if all := g.Checkbox("all"); !all && *f == (refusals{}) {
		g.AddFormError(errAllRefusals)
	}
	return f
}

func forgiveAllUndeliverable(w *api.Writing, filter *refusals) (forgivenView, error) {
	n, err := forgive(w.Tx, w.Store.Key, filter)
	return forgivenView{n}, err
}
