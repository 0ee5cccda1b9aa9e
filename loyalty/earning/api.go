package earning

import (
	"slices"
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

const (
	ofStore  = "/api/{storeCode}/"
	rulePath = ofStore + "earningRule/{earningRule}"
)

// Endpoints returns the endpoints of docs/behaviour/earning-rules.md#endpoints.
func (svc *Service) Endpoints() []api.Endpoint {
	return slices.Concat(svc.ruleEndpoints(), photoEndpoints(), svc.reportEndpoints())
}

func (svc *Service) ruleEndpoints() []api.Endpoint {
	view := access.AdministratorWith(access.EarningRules, access.View)
	modify := access.AdministratorWith(access.EarningRules, access.Modify)
	seller := access.Only(access.Seller)
	activateAt := func(path string) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Handle: activate,
			Summary: "Switch an earning rule on or off", Form: func(g *form.Group) { g.Text("active", form.NotBlank) },
			Response: api.NoContent{}, Audit: api.Audited("ActivateEarningRule", "earningRule")}
	}
	return []api.Endpoint{
		{Method: "GET", Path: ofStore + "earningRule", Access: view, Handle: svc.listAll,
			Summary: "List earning rules", Query: api.ListQuery(sortable.Columns, api.Reads(readFilter)), Response: ruleList{}},
		{Method: "GET", Path: ofStore + "earningRule/public", Access: access.Public(), Handle: svc.listPublic,
			Summary: "List the earning rules that visitors see", Query: api.LocaleQuery, Response: publicList{}},
		{Method: "GET", Path: ofStore + "earningRule/types", Access: view, Handle: svc.listTypes,
			Summary: "Describe the types of earning rules", Response: typeList{}},
		{Method: "GET", Path: rulePath, Access: view, Handle: svc.get, Summary: "Get an earning rule",
			Query: api.LocaleQuery, Response: ruleView{}},
		{Method: "POST", Path: ofStore + "earningRule", Access: modify, Factor: api.Everyday, Handle: svc.createRule,
			Summary: "Create an earning rule", Form: svc.describeForm, Response: identity{},
			Audit: api.Audited("CreateEarningRule", "earningRule")},
		{Method: "PUT", Path: rulePath, Access: modify, Factor: api.Everyday, Handle: svc.changeRule,
			Summary: "Replace an earning rule", Form: svc.describeForm, Response: identity{},
			Audit: api.Audited("UpdateEarningRule", "earningRule")},
		activateAt(rulePath + "/activate"),
		activateAt(rulePath + "/active"),
		{Method: "GET", Path: ofStore + "seller/earningRule", Access: seller, Handle: svc.listActive,
			Summary: "List earning rules that are switched on",
			Query:   api.ListQuery(sortable.Columns, api.Reads(readFilter)), Response: ruleList{}},
		{Method: "GET", Path: ofStore + "seller/earningRule/{earningRule}", Access: seller, Handle: svc.get,
			Summary: "Get an earning rule", Query: api.LocaleQuery, Response: ruleView{}},
	}
}

type ruleList struct {
	EarningRules []ruleView `json:"earningRules"`
	Total        int        `json:"total"`
}

// readFilter reads the filters of a list of rules. Invalid values filter nothing.
func readFilter(q *form.Group) filter {
	f := filter{kind: q.Text("type"), name: q.Text("name")}
	if active, ok := form.ParseActive(q.Text("active")); ok {
		f.active = &active
	}
	return f
}

// listAll serves the rules of a store.
func (svc *Service) listAll(c *api.Call) error { return svc.listRules(c, func(*filter) {}) }

// listActive serves the active rules of a store.
func (svc *Service) listActive(c *api.Call) error {
	active := true
	return svc.listRules(c, func(f *filter) { f.active = &active })
}

func (svc *Service) listRules(c *api.Call, narrow func(*filter)) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	f := readFilter(form.Read(request.Query))
	narrow(&f)
	response := ruleList{EarningRules: []ruleView{}}
	err = c.Read(func(tx *db.Tx) error {
		found, total, err := readPage(tx, c.Store.Key, f, request.Page)
		if response.Total = total; err != nil || len(found) == 0 {
			return err
		}
		response.EarningRules, err = svc.viewsOf(tx, c, request.Locale, found)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func (svc *Service) viewsOf(tx *db.Tx, c *api.Call, locale api.Locale, rules []Rule) ([]ruleView, error) {
	v, err := viewerOf(tx, c.Store, locale, rules)
	if err != nil {
		return nil, err
	}
	views := make([]ruleView, len(rules))
	for i := range rules {
		t, err := svc.typeOf(&rules[i])
		if err != nil {
			return nil, err
		}
		views[i] = v.of(t, &rules[i])
	}
	return views, nil
}

// UsagesShown is the maximal number of uses in the view of a rule, newest first.
const UsagesShown = 100

// get serves one rule.
func (svc *Service) get(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	var response ruleView
	err = c.Read(func(tx *db.Tx) error {
		r, err := Find(tx, c.Store.Key, pathID(c))
		if err != nil {
			return err
		}
		views, err := svc.viewsOf(tx, c, locale, []Rule{*r})
		if err != nil {
			return err
		}
		response = views[0]
		uses, err := newestUses(tx, r, UsagesShown)
		for _, u := range uses {
			response.Usages = append(response.Usages, usageView{u.CustomerID, api.Timestamp(u.At, c.Store.Zone)})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// pathID returns the rule's id in the path.
func pathID(c *api.Call) string { return strings.ToLower(c.PathValue("earningRule")) }

type identity struct {
	EarningRuleID string `json:"earningRuleId"`
}

// createRule adds a rule.
func (svc *Service) createRule(c *api.Call) error {
	g, r, err := svc.readForm(c, "")
	if err != nil {
		return err
	}
	var id string
	return c.Write(func(tx *db.Tx) (err error) {
		id, err = svc.create(tx, c.Store, g, r)
		audit.Of(tx).SetEntity(id)
		return err
	}, func() error { return c.OK(identity{id}) })
}

// changeRule replaces a rule. An unknown rule is reported before an invalid form.
func (svc *Service) changeRule(c *api.Call) error {
	id, storedType := pathID(c), ""
	err := c.Read(func(tx *db.Tx) error {
		r, err := Find(tx, c.Store.Key, id)
		storedType = r.Type
		return err
	})
	if err != nil {
		return err
	}
	g, r, err := svc.readForm(c, storedType)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error { return svc.change(tx, c.Store, g, id, r) },
		func() error { return c.OK(identity{id}) })
}

func (svc *Service) readForm(c *api.Call, keptType string) (*form.Group, Rule, error) {
	body, err := c.Body()
	if err != nil {
		return nil, Rule{}, err
	}
	node := body.Child("earningRule")
	g := form.Read(node)
	return g, svc.read(g, node, keptType, c.Store), nil
}

// describeForm describes the form of a new rule.
func (svc *Service) describeForm(g *form.Group) {
	svc.read(g.Group("earningRule"), nil, "", store.Example)
}

type typeList struct {
	Types []ruleTypeView `json:"types"`
	Total int            `json:"total"`
}

// ruleTypeView describes a type of rules to clients that build its form.
type ruleTypeView struct {
	Type   string      `json:"type"`
	Fields []api.Field `json:"fields"` // of the form, apart from type
}

func (svc *Service) listTypes(c *api.Call) error {
	response := typeList{Types: []ruleTypeView{}, Total: len(svc.names)}
	for _, name := range svc.names {
		fields := api.FieldsOf(func(g *form.Group) { svc.read(g, nil, name, c.Store) })
		response.Types = append(response.Types, ruleTypeView{name, fields})
	}
	return c.OK(response)
}

// activate activates or deactivates a rule.
func activate(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	active, ok := form.ParseActive(g.Text("active", form.NotBlank))
	if !ok && !g.Failed("active") {
		g.AddError("active", form.UnknownChoice)
	}
	return c.Write(func(tx *db.Tx) error {
		if err := SetActive(tx, c.Store, pathID(c), active); err != nil {
			return err
		}
		return g.Err() // an unknown rule is reported before an invalid form
	}, c.NoContent)
}
