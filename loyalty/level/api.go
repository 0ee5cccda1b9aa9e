package level

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of levels that need no customers.
func Endpoints() []api.Endpoint {
	viewer := access.AdministratorWith(access.Levels, access.View)
	modify := access.AdministratorWith(access.Levels, access.Modify)
	seller := access.Only(access.Seller)
	query := api.InList(sortable.Columns)
	list, listOwn := api.Read(query, listLevels), api.Read(query, listOffers)
	show, add := api.Read(api.InLocale, showLevel), api.Write(body, create)
	return append(photoEndpoints(), []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/level", Access: viewer, Do: list, Summary: "List levels"},
		{Method: "POST", Path: "/api/{storeCode}/level", Access: modify, Factor: api.Everyday, Do: add,
			Summary: "Create a level", Audit: api.Audited("CreateLevel", "level")},
		{Method: "POST", Path: "/api/{storeCode}/level/create", Access: modify, Factor: api.Everyday, Do: add,
			Summary: "Create a level", Audit: api.Audited("CreateLevel", "level")},
		{Method: "GET", Path: "/api/{storeCode}/level/public", Access: access.Public(), Do: listOwn,
			Summary: "List the levels that visitors see"},
		{Method: "GET", Path: "/api/{storeCode}/level/{level}", Access: viewer, Do: show, Summary: "Show a level"},
		{Method: "PUT", Path: "/api/{storeCode}/level/{level}", Access: modify, Factor: api.Everyday,
			Do: api.WriteTo(findLevel, body, replace), Summary: "Replace a level", Audit: api.Audited("UpdateLevel", "level")},
		{Method: "POST", Path: "/api/{storeCode}/level/{level}/activate", Access: modify, Factor: api.Everyday,
			Do:      api.WriteTo(findLevel, api.SingleField("active", (*form.Group).Active), activate),
			Summary: "Switch a level on or off", Audit: api.Audited("ActivateLevel", "level")},
		{Method: "GET", Path: "/api/{storeCode}/customer/level", Access: access.Only(access.Customer), Do: listOwn,
			Summary: "List the levels that a customer can reach"},
		{Method: "GET", Path: "/api/{storeCode}/seller/level", Access: seller, Do: list,
			Summary: "List levels that are switched on"},
		{Method: "GET", Path: "/api/{storeCode}/seller/level/{level}", Access: seller, Do: show, Summary: "Show a level"},
	}...)
}

// listOf is a page of levels, in the form of administrators and sellers or of customers.
type listOf[V any] struct {
	Levels []V `json:"levels"`
	Total  int `json:"total"`
}

// listLevels returns a page of levels. Sellers get only active ones.
func listLevels(r *api.Reading, request api.ListRequest) (listOf[view], error) {
	return readView(r, &request, r.Caller.Role == access.Seller, func(locale api.Locale, l *Level, hasPhoto bool) view {
		return newView(r.Store, locale, l, hasPhoto)
	})
}

// listOffers lists what customers can reach, also for those who have not joined.
func listOffers(r *api.Reading, request api.ListRequest) (listOf[offer], error) {
	return readView(r, &request, true, offerOf)
}

// readView returns a page of levels, each in the form that show returns.
func readView[V any](r *api.Reading, request *api.ListRequest, onlyActive bool,
	show func(locale api.Locale, l *Level, hasPhoto bool) V) (listOf[V], error) {
	list := listOf[V]{Levels: []V{}}
	found, total, err := readPage(r.Tx, r.Store.Key, onlyActive, request.OrderBy(sortable), request.Limit, request.Offset)
	if list.Total = total; err != nil {
		return list, err
	}
	pictures, err := photosOf(r.Tx, r.Store.Key, found...)
	for i := range found {
		_, hasPhoto := pictures[found[i].ID]
		list.Levels = append(list.Levels, show(request.Locale, &found[i], hasPhoto))
	}
	return list, err
}

// Of returns the level that the path names.
func Of(c *api.Call, tx *db.Tx) (*Level, error) {
	levels, err := Counted(tx, c.Store.Key)
	if err != nil {
		return nil, err
	}
	l := Find(levels, c.PathID("level"))
	if l == nil {
		return nil, fault.ErrNotFound
	}
	return l, nil
}

func findLevel(w *api.Writing) (*Level, error) { return Of(w.Call, w.Tx) }

func showLevel(r *api.Reading, locale api.Locale) (view, error) {
	l, err := Of(r.Call, r.Tx)
	if err != nil {
		return view{}, err
	}
	pictures, err := photosOf(r.Tx, r.Store.Key, *l)
	return newView(r.Store, locale, l, len(pictures) > 0), err
}

// saved is the response of a level that was created or replaced. Older clients read id.
type saved struct {
	LevelID string `json:"levelId"`
	ID      string `json:"id"`
}

func create(w *api.Writing, draft Level) (saved, error) {
	l, err := Create(w.Tx, w.Store, draft)
	if err != nil {
		return saved{}, err
	}
	w.Entry().SetEntity(l.ID)
	return saved{l.ID, l.ID}, nil
}

func replace(w *api.Writing, l *Level, draft Level) (saved, error) {
	return saved{l.ID, l.ID}, Update(w.Tx, w.Store, l.ID, draft)
}

func activate(w *api.Writing, l *Level, active bool) (api.NoContent, error) {
	return api.NoContent{}, SetActive(w.Tx, w.Store, l.ID, active)
}
