package pos

import (
	"errors"
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/platform/db"
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
	return []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/pos", Access: view, Handle: listPOS,
			Summary: "List points of sale", Query: api.PageQuery(sortable.Columns), Response: viewList{}},
		{Method: "POST", Path: "/api/{storeCode}/pos", Access: modify, Factor: api.Everyday, Handle: create,
			Summary: "Add a point of sale", Form: describe, Response: identity{},
			Audit: api.Audited("CreatePOS", "pos")},
		{Method: "GET", Path: "/api/{storeCode}/pos/{pos}", Access: view, Handle: getPOS,
			Summary: "Show a point of sale", Response: posView{}},
		{Method: "GET", Path: "/api/{storeCode}/pos/identifier/{identifier}", Access: view, Handle: getByIdentifier,
			Summary: "Show the point of sale of an identifier", Response: posView{}},
		{Method: "PUT", Path: "/api/{storeCode}/pos/{pos}", Access: modify, Factor: api.Everyday, Handle: changePOS,
			Summary: "Replace the data of a point of sale", Form: describe, Response: identity{},
			Audit: api.Audited("UpdatePOS", "pos")},
		{Method: "GET", Path: "/api/{storeCode}/seller/pos", Access: seller, Handle: listPOS,
			Summary: "List points of sale", Query: api.PageQuery(sortable.Columns), Response: viewList{}},
		{Method: "GET", Path: "/api/{storeCode}/seller/pos/{pos}", Access: seller, Handle: getPOS,
			Summary: "Show a point of sale", Response: posView{}},
	}
}

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

func listPOS(c *api.Call) error {
	request, err := c.Page()
	if err != nil {
		return err
	}
	response := viewList{POS: []posView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := readPage(tx, c.Store.Key, request.OrderBy(sortable), request.Limit, request.Offset)
		for i := range found {
			response.POS = append(response.POS, newView(&found[i], c.Store.Currency))
		}
		response.Total = total
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func getPOS(c *api.Call) error { return showPOS(c, Find, pathID(c)) }
func getByIdentifier(c *api.Call) error {
	return showPOS(c, FindByIdentifier, keytext.Clean(c.PathValue("identifier")))
}

func showPOS(c *api.Call, find func(tx *db.Tx, storeKey int64, by string) (POS, bool, error), by string) error {
	var response posView
	err := c.Read(func(tx *db.Tx) error {
		p, found, err := find(tx, c.Store.Key, by)
		if err == nil && !found {
			err = fault.ErrNotFound
		}
		response = newView(&p, c.Store.Currency)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// pathID returns the id in the path in lower case, as ids are stored.
func pathID(c *api.Call) string { return strings.ToLower(c.PathValue("pos")) }

func create(c *api.Call) error {
	return save(c, func(tx *db.Tx, details Details) (id string, err error) {
		p, err := Create(tx, c.Store.Key, details)
		if err != nil {
			return "", err
		}
		return p.ID, nil
	})
}

func changePOS(c *api.Call) error {
	id := pathID(c)
	err := c.Read(func(tx *db.Tx) error { // an unknown id is reported before invalid data
		_, found, err := Find(tx, c.Store.Key, id)
		if err == nil && !found {
			err = fault.ErrNotFound
		}
		return err
	})
	if err != nil {
		return err
	}
	return save(c, func(tx *db.Tx, details Details) (string, error) {
		return id, Change(tx, c.Store.Key, id, details)
	})
}

// save reads the form, and responds with the id that run returns.
func save(c *api.Call, run func(tx *db.Tx, details Details) (id string, err error)) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "pos")
	details := readForm(group)
	if err := group.Err(); err != nil {
		return err
	}
	var response identity
	err = c.Write(func(tx *db.Tx) (err error) {
		response.POSID, err = run(tx, details)
		audit.Of(tx).SetEntity(response.POSID)
		return err
	}, func() error { return c.OK(response) })
	if errors.Is(err, ErrTaken) {
		group.AddError("identifier", form.AlreadyUsed)
		return group.Err()
	}
	return err
}

// The maximal lengths of texts, in characters.
const (
	textLimit        = 255
	descriptionLimit = 65_535
)

func describe(g *form.Group) { readForm(g.Group("pos")) }

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
