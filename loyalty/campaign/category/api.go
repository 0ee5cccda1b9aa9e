package category

import (
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of docs/behaviour/categories.md.
func Endpoints() []api.Endpoint {
	modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)
	const path = "/api/{storeCode}/campaignCategory"
	return []api.Endpoint{
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Handle: create,
			Summary: "Create a category of campaigns", Form: describe, Response: identity{},
			Audit: api.Audited("CreateCampaignCategory", "campaignCategory")},
		{Method: "GET", Path: path, Access: access.Public(), Handle: listCategories,
			Summary: "List categories of campaigns", Query: api.ListQuery(sortable, filters), Response: viewList{}},
		{Method: "GET", Path: path + "/{campaignCategory}", Access: access.Public(), Handle: getCategory,
			Summary: "Show a category of campaigns", Query: api.LocaleQuery, Response: view{}},
		{Method: "PUT", Path: path + "/{campaignCategory}", Access: modify, Factor: api.Everyday, Handle: replace,
			Summary: "Replace a category of campaigns", Form: describe, Response: identity{},
			Audit: api.Audited("UpdateCampaignCategory", "campaignCategory")},
		{Method: "POST", Path: path + "/{campaignCategory}/active", Access: modify, Factor: api.Everyday,
			Handle: activate, Summary: "Switch a category of campaigns on or off", Form: api.Reads(readActive),
			Response: api.NoContent{}, Audit: api.Audited("ActivateCampaignCategory", "campaignCategory")},
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

func create(c *api.Call) error {
	draft, err := readBody(c)
	if err != nil {
		return err
	}
	var id string
	return c.Write(func(tx *db.Tx) (err error) {
		id, err = Create(tx, c.Store, draft)
		audit.Of(tx).SetEntity(id)
		return err
	}, func() error { return c.OK(identity{id}) })
}

func filters(q *form.Group) {
	q.Text("name")
	q.Checkbox("active")
	q.Checkbox("strict")
}

// listCategories serves a page of categories. Filters and order apply to names in the language of the request.
func listCategories(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	active, filtersActive := form.ParseActive(request.Query.Child("active").Text())
	whole, _ := form.ParseBool(request.Query.Child("strict").Text())
	name := request.Query.Child("name").Text()
	response := viewList{Categories: []view{}}
	err = c.Read(func(tx *db.Tx) error {
		found, err := readCategories(tx, c.Store.Key)
		sortBy(found, request.Page, request.Locale)
		for i := range found {
			one := &found[i]
			if filtersActive && one.Active != active || name != "" && !one.matches(request.Locale, name, whole) {
				continue
			}
			if response.Total >= request.Offset && len(response.Categories) < request.Limit {
				response.Categories = append(response.Categories, newView(one, request.Locale))
			}
			response.Total++
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func getCategory(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	found, err := categoryOfPath(c)
	if err != nil {
		return err
	}
	return c.OK(newView(&found, locale))
}

// replace reports an unknown category before an invalid form.
func replace(c *api.Call) error {
	found, err := categoryOfPath(c)
	if err != nil {
		return err
	}
	draft, err := readBody(c)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error { return Update(tx, c.Store, found.ID, draft) },
		func() error { return c.OK(identity{found.ID}) })
}

func activate(c *api.Call) error {
	found, err := categoryOfPath(c)
	if err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body)
	active := readActive(group)
	if err := group.Err(); err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error { return SetActive(tx, c.Store, found.ID, active) }, c.NoContent)
}

// categoryOfPath returns the category of the path.
func categoryOfPath(c *api.Call) (found Category, err error) {
	id := strings.ToLower(c.PathValue("campaignCategory"))
	if !form.IsUUID(id) {
		return found, fault.ErrNotFound
	}
	err = c.Read(func(tx *db.Tx) (err error) {
		found, err = findCategory(tx, c.Store.Key, id)
		return err
	})
	return found, err
}

// sortLimit is the exclusive bound of sortOrder, which may also be negative.
const sortLimit = 1_000_000_000

// readBody reads the form of a new or replaced category.
func readBody(c *api.Call) (draft Category, err error) {
	body, err := c.Body()
	if err != nil {
		return draft, err
	}
	languages, err := c.Stores().Languages(c.Context())
	if err != nil {
		return draft, err
	}
	group := form.Read(body, "campaign_category")
	draft = readForm(group, languages)
	return draft, group.Err()
}

func describe(g *form.Group) { readForm(g.Group("campaign_category"), store.ExampleLanguages) }

func readForm(g *form.Group, languages store.Languages) (c Category) {
	languages.ReadTranslations(g, func(code, name string, _ *form.Group) {
		if name != "" {
			c.Translations = append(c.Translations, Translation{Name: name, Locale: code})
		}
	})
	c.Active = g.Checkbox("active")
	c.SortOrder = g.Integer("sortOrder", form.AtLeast(-sortLimit), form.LessThan(sortLimit))
	return c
}

// readActive reads a boolean, which can also be written as active or inactive.
func readActive(g *form.Group) bool {
	word := g.Text("active", form.NotBlank)
	active, valid := form.ParseActive(word)
	if word != "" && !valid {
		g.AddError("active", form.UnknownChoice)
	}
	return active
}
