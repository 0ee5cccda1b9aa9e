package pos

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// Endpoints returns the endpoints of docs/behaviour/points-of-sale.md.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.POS, access.View)
	modify := access.AdministratorWith(access.POS, access.Modify)
	seller := access.Only(access.Seller)
	list, show := api.Read(api.InPages(sortable.Columns), listPOS), api.Show(showPOS)
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/pos", Access: view, Do: list, Summary: "List points of sale"},
		{Method: "POST", Path: "/api/{storeCode}/pos", Access: modify, Factor: api.Everyday, Do: api.Write(body, create),
			Summary: "Add a point of sale", Audit: api.Audited("CreatePOS", "pos")},
		{Method: "GET", Path: "/api/{storeCode}/pos/{pos}", Access: view, Do: show, Summary: "Show a point of sale"},
		{Method: "GET", Path: "/api/{storeCode}/pos/identifier/{identifier}", Access: view, Do: api.Show(showIdentified),
			Summary: "Show the point of sale of an identifier"},
		{Method: "PUT", Path: "/api/{storeCode}/pos/{pos}", Access: modify, Factor: api.Everyday,
			Do:      api.WriteTo(findPOS, body, change),
			Summary: "Replace the data of a point of sale", Audit: api.Audited("UpdatePOS", "pos")},
		{Method: "GET", Path: "/api/{storeCode}/seller/pos", Access: seller, Do: list, Summary: "List points of sale"},
		{Method: "GET", Path: "/api/{storeCode}/seller/pos/{pos}", Access: seller, Do: show,
			Summary: "Show a point of sale"},
	}
}

var body = api.Body("pos", readForm)

type viewList struct {
	POS   []posView `json:"pos"`
	Total int       `json:"total"`
}

type identity struct {
	POSID string `json:"posId"`
}

// posView is the JSON of a point of sale. See docs/behaviour/points-of-sale.md#view.
type posView struct {
	POSID              string        `json:"posId"`
	Name               string        `json:"name"`
	Identifier         string        `json:"identifier"`
	Description        string        `json:"description,omitempty"`
	Location           Location      `json:"location"`
	TransactionsAmount decimal.Money `json:"transactionsAmount"`
	TransactionsCount  int64         `json:"transactionsCount"`
	Currency           string        `json:"currency"`
}

func newView(p *POS, currency string) posView {
	return posView{
		POSID: p.ID, Name: p.Name, Identifier: p.Identifier, Description: p.Description, Location: p.Location,
		TransactionsAmount: p.Amount, TransactionsCount: p.Count, Currency: currency,
	}
}

func listPOS(r *api.Reading, page api.Page) (viewList, error) {
	found, total, err := readPage(r.Tx, r.Store.Key, page.OrderBy(sortable), page.Limit, page.Offset)
	list := viewList{POS: []posView{}, Total: total}
	for i := range found {
		list.POS = append(list.POS, newView(&found[i], r.Store.Currency))
	}
	return list, err
}

func showPOS(r *api.Reading) (posView, error) {
	p, found, err := Find(r.Tx, r.Store.Key, r.PathID("pos"))
	return newView(&p, r.Store.Currency), ifFound(found, err)
}

func showIdentified(r *api.Reading) (posView, error) {
	p, found, err := FindByIdentifier(r.Tx, r.Store.Key, keytext.Clean(r.PathValue("identifier")))
	return newView(&p, r.Store.Currency), ifFound(found, err)
}

func ifFound(found bool, err error) error {
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return err
}

func create(w *api.Writing, details Details) (identity, error) {
	p, err := Create(w.Tx, w.Store.Key, details)
	if err != nil {
		return identity{}, refused(w, err)
	}
	w.Entry().SetEntity(p.ID)
	return identity{p.ID}, nil
}

func findPOS(w *api.Writing) (POS, error) {
	p, found, err := Find(w.Tx, w.Store.Key, w.PathID("pos"))
	return p, ifFound(found, err)
}

func change(w *api.Writing, p POS, details Details) (identity, error) {
	w.Entry().SetEntity(p.ID)
	return identity{p.ID}, refused(w, Change(w.Tx, w.Store.Key, p.ID, details))
}

func refused(w *api.Writing, err error) error {
	if errors.Is(err, ErrTaken) {
		return w.Refuse("identifier", form.AlreadyUsed)
	}
	return err
}

// The maximal lengths of texts, in characters.
const (
	textLimit        = 255
	descriptionLimit = 65_535
)

func readForm(g *form.Group) Details {
	d := Details{
		Name:        g.Text("name", form.NotBlank, form.MaxLength(textLimit)),
		Identifier:  g.Key("identifier", form.MaxLength(textLimit)),
		Description: g.Text("description", form.MaxLength(descriptionLimit)),
		Location:    readLocation(g.Group("location")),
	}
	if d.Identifier == "" {
		d.Identifier = keytext.Clean(d.Name)
	}
	return d
}

func readLocation(g *form.Group) Location {
	text := func(name string) string { return g.Text(name, form.MaxLength(textLimit)) }
	l := Location{
		Street: text("street"), Address1: text("address1"), Address2: text("address2"), Postal: text("postal"),
		City: text("city"), Province: text("province"), Country: text("country"),
	}
	point := GeoPoint{Lat: g.Text("lat", degrees(90)), Long: g.Text("long", degrees(180))}
	switch {
	case point.Lat == "" && point.Long != "":
		g.AddError("lat", form.Blank)
	case point.Lat != "" && point.Long == "":
		g.AddError("long", form.Blank)
	case point.Lat != "":
		l.GeoPoint = &point
	}
	return l
}

// degrees requires a number from -most to most.
func degrees(most int64) form.Rule {
	const digits = 12 // decimal places, far more than any map needs
	bound := most * 1_000_000_000_000
	return form.Matches(form.Invalid("not_a_coordinate"), func(text string) bool {
		n, ok := form.ParseDecimal(text, digits)
		return ok && n >= -bound && n <= bound
	})
}
