package level

import (
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of levels that need no customers.
func Endpoints() []api.Endpoint {
	viewer := access.AdministratorWith(access.Levels, access.View)
	modify := access.AdministratorWith(access.Levels, access.Modify)
	seller := access.Only(access.Seller)
	return append(photoEndpoints(), []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/level", Access: viewer, Handle: listLevels,
			Summary: "List levels", Query: api.ListQuery(sortable.Columns), Response: listOf[view]{}},
		{Method: "POST", Path: "/api/{storeCode}/level", Access: modify, Factor: api.Everyday, Handle: create,
			Summary: "Create a level", Form: describe, Response: saved{}, Audit: api.Audited("CreateLevel", "level")},
		{Method: "POST", Path: "/api/{storeCode}/level/create", Access: modify, Factor: api.Everyday, Handle: create,
			Summary: "Create a level", Form: describe, Response: saved{}, Audit: api.Audited("CreateLevel", "level")},
		{Method: "GET", Path: "/api/{storeCode}/level/public", Access: access.Public(), Handle: listOwn,
			Summary: "List the levels that visitors see", Query: api.ListQuery(sortable.Columns),
			Response: listOf[offer]{}},
		{Method: "GET", Path: "/api/{storeCode}/level/{level}", Access: viewer, Handle: getLevel,
			Summary: "Show a level", Query: api.LocaleQuery, Response: view{}},
		{Method: "PUT", Path: "/api/{storeCode}/level/{level}", Access: modify, Factor: api.Everyday, Handle: putLevel,
			Summary: "Replace a level", Form: describe, Response: saved{}, Audit: api.Audited("UpdateLevel", "level")},
		{Method: "POST", Path: "/api/{storeCode}/level/{level}/activate", Access: modify, Factor: api.Everyday,
			Handle: activate, Summary: "Switch a level on or off", Query: describeActive, Form: describeActive,
			Response: api.NoContent{}, Audit: api.Audited("ActivateLevel", "level")},
		{Method: "GET", Path: "/api/{storeCode}/customer/level", Access: access.Only(access.Customer), Handle: listOwn,
			Summary: "List the levels that a customer can reach", Query: api.ListQuery(sortable.Columns),
			Response: listOf[offer]{}},
		{Method: "GET", Path: "/api/{storeCode}/seller/level", Access: seller, Handle: listLevels,
			Summary: "List levels that are switched on", Query: api.ListQuery(sortable.Columns),
			Response: listOf[view]{}},
		{Method: "GET", Path: "/api/{storeCode}/seller/level/{level}", Access: seller, Handle: getLevel,
			Summary: "Show a level", Query: api.LocaleQuery, Response: view{}},
	}...)
}

// listOf is a page of levels, in the form of administrators and sellers or of customers.
type listOf[V any] struct {
	Levels []V `json:"levels"`
	Total  int `json:"total"`
}

// listLevels returns a page of levels. Sellers get only active ones.
func listLevels(c *api.Call) error {
	return respondPage(c, c.Caller.Role == access.Seller, func(locale api.Locale, l *Level, hasPhoto bool) view {
		return newView(c.Store, locale, l, hasPhoto)
	})
}

// listOwn lists what customers can reach, also for those who have not joined.
func listOwn(c *api.Call) error { return respondPage(c, true, offerOf) }

// respondPage responds with a page of levels, each in the form that show returns.
func respondPage[V any](c *api.Call, onlyActive bool,
	show func(locale api.Locale, l *Level, hasPhoto bool) V) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	response := listOf[V]{Levels: []V{}}
	err = c.Read(func(tx *db.Tx) error {
		order := request.OrderBy(sortable)
		found, total, err := readPage(tx, c.Store.Key, onlyActive, order, request.Limit, request.Offset)
		if response.Total = total; err != nil {
			return err
		}
		pictures, err := photosOf(tx, c.Store.Key, found...)
		for i := range found {
			_, hasPhoto := pictures[found[i].ID]
			response.Levels = append(response.Levels, show(request.Locale, &found[i], hasPhoto))
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// Of returns the level that the path names.
func Of(c *api.Call, tx *db.Tx) (*Level, error) {
	levels, err := All(tx, c.Store.Key)
	if err != nil {
		return nil, err
	}
	l := Find(levels, pathID(c))
	if l == nil {
		return nil, fault.ErrNotFound
	}
	return l, nil
}

// pathID returns the id in the path in lower case, as ids are stored.
func pathID(c *api.Call) string { return strings.ToLower(c.PathValue("level")) }

func getLevel(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var response view
	err = c.Read(func(tx *db.Tx) error {
		l, err := Of(c, tx)
		if err != nil {
			return err
		}
		pictures, err := photosOf(tx, c.Store.Key, *l)
		response = newView(c.Store, locale, l, len(pictures) > 0)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// saved is the response of a level that was created or replaced. Older clients read id.
type saved struct {
	LevelID string `json:"levelId"`
	ID      string `json:"id"`
}

func create(c *api.Call) error {
	group, draft, err := readDraft(c)
	if err != nil {
		return err
	}
	if err := group.Err(); err != nil {
		return err
	}
	var added *Level
	return c.Write(func(tx *db.Tx) (err error) {
		if added, err = Create(tx, c.Store, draft); err == nil {
			audit.Of(tx).SetEntity(added.ID)
		}
		return err
	}, func() error { return c.OK(saved{added.ID, added.ID}) })
}

func putLevel(c *api.Call) error {
	group, draft, err := readDraft(c)
	if err != nil {
		return err
	}
	id := ""
	return c.Write(func(tx *db.Tx) error {
		l, err := Of(c, tx)
		if err != nil {
			return err
		}
		if err := group.Err(); err != nil {
			return err
		}
		id = l.ID
		return Update(tx, c.Store, l.ID, draft)
	}, func() error { return c.OK(saved{id, id}) })
}

func describeActive(g *form.Group) { g.Text("active", form.NotBlank) }

// activate sets whether a level is active.
func activate(c *api.Call) error {
	sent, err := c.Input("active")
	if err != nil {
		return err
	}
	group := form.Read(nil)
	group.Ignore("active")
	active, valid := form.ParseActive(sent.Text())
	switch {
	case strings.TrimSpace(sent.Text()) == "":
		group.AddError("active", form.Blank)
	case !valid:
		group.AddError("active", form.UnknownChoice)
	}
	return c.Write(func(tx *db.Tx) error {
		l, err := Of(c, tx)
		if err != nil {
			return err
		}
		if err := group.Err(); err != nil {
			return err
		}
		return SetActive(tx, c.Store, l.ID, active)
	}, c.NoContent)
}
