package category

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of docs/behaviour/categories.md.
func Endpoints() []api.Endpoint {
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	const path, one = "/api/{storeCode}/campaignCategory", "/api/{storeCode}/campaignCategory/{campaignCategory}"
	return []api.Endpoint{
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Do: api.Write(body, create),
			Summary: "Create a category of campaigns", Audit: api.Audited("CreateCampaignCategory", "campaignCategory")},
		{Method: "GET", Path: path, Access: access.Public(), Do: api.Read(api.InList(sortable, filters), listCategories),
			Summary: "List categories of campaigns"},
		{Method: "GET", Path: one, Access: access.Public(), Do: api.Read(api.InLocale, showCategory),
			Summary: "Show a category of campaigns"},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Everyday, Do: api.WriteTo(lookUp, body, replace),
			Summary: "Replace a category of campaigns", Audit: api.Audited("UpdateCampaignCategory", "campaignCategory")},
		{Method: "POST", Path: one + "/active", Access: modify, Factor: api.Everyday,
			Do:      api.WriteTo(lookUp, api.Body("", (*form.Group).Active), activate),
			Summary: "Switch a category of campaigns on or off",
			Audit:   api.Audited("ActivateCampaignCategory", "campaignCategory")},
	}
}

type viewList struct {
	Categories []view `json:"categories"`
	Total      int    `json:"total"`
}

// view is the JSON of a category. See docs/behaviour/categories.md#view.
type view struct {
	CampaignCategoryID string        `json:"campaignCategoryId"`
	Name               string        `json:"name,omitempty"`
	Active             bool          `json:"active"`
	SortOrder          int64         `json:"sortOrder"`
	Translations       []Translation `json:"translations"`
}

func newView(c *Category, locale api.Locale) view {
	return view{c.ID, c.Name(locale), c.Active, c.SortOrder, append([]Translation{}, c.Translations...)}
}

type identity struct {
	CampaignCategoryID string `json:"campaignCategoryId"`
}

func create(w *api.Writing, draft Category) (identity, error) {
	id, err := Create(w.Tx, w.Store, draft)
	w.Entry().SetEntity(id)
	return identity{id}, err
}

func filters(q *form.Group) {
	q.Text("name")
	q.Checkbox("active")
	q.Checkbox("strict")
}

// listCategories lists a page of categories. Filters and order apply to names in the language of the request.
func listCategories(r *api.Reading, request api.ListRequest) (viewList, error) {
	active, filtersActive := form.ParseActive(request.Query.Child("active").Text())
	whole, _ := form.ParseBool(request.Query.Child("strict").Text())
	name := request.Query.Child("name").Text()
	list := viewList{Categories: []view{}}
	found, err := readCategories(r.Tx, r.Store.Key)
	sortBy(found, request.Page, request.Locale)
	for i := range found {
		one := &found[i]
		if filtersActive && one.Active != active || name != "" && !one.matches(request.Locale, name, whole) {
			continue
		}
		if list.Total >= request.Offset && len(list.Categories) < request.Limit {
			list.Categories = append(list.Categories, newView(one, request.Locale))
		}
		list.Total++
	}
	return list, err
}

func showCategory(r *api.Reading, locale api.Locale) (view, error) {
	found, err := categoryOf(r.Call, r.Tx)
	return newView(&found, locale), err
}

func lookUp(w *api.Writing) (Category, error) { return categoryOf(w.Call, w.Tx) }

func replace(w *api.Writing, old Category, draft Category) (identity, error) {
	return identity{old.ID}, Update(w.Tx, w.Store, old.ID, draft)
}

func activate(w *api.Writing, c Category, active bool) (api.NoContent, error) {
	return api.NoContent{}, SetActive(w.Tx, w.Store, c.ID, active)
}

// categoryOf returns the category that the path names.
func categoryOf(c *api.Call, tx *db.Tx) (Category, error) {
	id := c.PathID("campaignCategory")
	if !form.IsUUID(id) {
		return Category{}, fault.ErrNotFound
	}
	return findCategory(tx, c.Store.Key, id)
}

// sortLimit is the exclusive bound of sortOrder, which may also be negative.
const sortLimit = 1_000_000_000

var body = api.BodyInLanguages("campaign_category", readForm)

func readForm(g *form.Group, languages store.Languages, _ *store.Store) (c Category) {
	languages.ReadTranslations(g, func(code, name string, _ *form.Group) {
		if name != "" {
			c.Translations = append(c.Translations, Translation{Name: name, Locale: code})
		}
	})
	c.Active = g.Checkbox("active")
	c.SortOrder = g.Integer("sortOrder", form.AtLeast(-sortLimit), form.LessThan(sortLimit))
	return c
}
