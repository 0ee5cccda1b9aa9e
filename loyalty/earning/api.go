package earning

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
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
	body, activeField := api.UnreadBody(svc.describeForm), api.Body("", (*form.Group).Active)
	query, show := api.InList(sortable.Columns, api.Reads(readFilter)), api.Read(api.InLocale, svc.showRule)
	activateAt := func(path string) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: modify, Factor: api.Everyday,
			Do:      api.WriteTo(findRule, activeField, activate),
			Summary: "Switch an earning rule on or off", Audit: api.Audited("ActivateEarningRule", "earningRule")}
	}
	return []api.Endpoint{
		{Method: "GET", Path: ofStore + "earningRule", Access: view, Do: api.Read(query, svc.listAll),
			Summary: "List earning rules"},
		{Method: "GET", Path: ofStore + "earningRule/public", Access: access.Public(),
			Do: api.Read(api.InLocale, svc.listPublic), Summary: "List the earning rules that visitors see"},
		{Method: "GET", Path: ofStore + "earningRule/types", Access: view, Do: api.Tell(svc.listTypes),
			Summary: "Describe the types of earning rules"},
		{Method: "GET", Path: rulePath, Access: view, Do: show, Summary: "Get an earning rule"},
		{Method: "POST", Path: ofStore + "earningRule", Access: modify, Factor: api.Everyday,
			Do: api.Write(body, svc.createRule), Summary: "Create an earning rule",
			Audit: api.Audited("CreateEarningRule", "earningRule")},
		{Method: "PUT", Path: rulePath, Access: modify, Factor: api.Everyday,
			Do: api.WriteTo(findRule, body, svc.replaceRule), Summary: "Replace an earning rule",
			Audit: api.Audited("UpdateEarningRule", "earningRule")},
		activateAt(rulePath + "/activate"),
		activateAt(rulePath + "/active"),
		{Method: "GET", Path: ofStore + "seller/earningRule", Access: seller, Do: api.Read(query, svc.listActive),
			Summary: "List earning rules that are switched on"},
		{Method: "GET", Path: ofStore + "seller/earningRule/{earningRule}", Access: seller, Do: show,
			Summary: "Get an earning rule"},
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

func (svc *Service) listAll(r *api.Reading, request api.ListRequest) (ruleList, error) {
	return svc.listRules(r, &request, readFilter(form.Read(request.Query)))
}

func (svc *Service) listActive(r *api.Reading, request api.ListRequest) (ruleList, error) {
	f := readFilter(form.Read(request.Query))
	f.active = new(true)
	return svc.listRules(r, &request, f)
}

func (svc *Service) listRules(r *api.Reading, request *api.ListRequest, f filter) (ruleList, error) {
	list := ruleList{EarningRules: []ruleView{}}
	found, total, err := readPage(r.Tx, r.Store.Key, f, request.Page)
	if list.Total = total; err != nil || len(found) == 0 {
		return list, err
	}
	list.EarningRules, err = svc.viewsOf(r, request.Locale, found)
	return list, err
}

func (svc *Service) viewsOf(r *api.Reading, locale api.Locale, rules []Rule) ([]ruleView, error) {
	v, err := viewerOf(r.Tx, r.Store, locale, rules)
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

func (svc *Service) showRule(r *api.Reading, locale api.Locale) (ruleView, error) {
	rule, err := Find(r.Tx, r.Store.Key, r.PathID("earningRule"))
	if err != nil {
		return ruleView{}, err
	}
	views, err := svc.viewsOf(r, locale, []Rule{*rule})
	if err != nil {
		return ruleView{}, err
	}
	shown := views[0]
	uses, err := newestUses(r.Tx, rule, UsagesShown)
	for _, u := range uses {
		shown.Usages = append(shown.Usages, usageView{u.CustomerID, api.Timestamp(u.At, r.Store.Zone)})
	}
	return shown, err
}

type identity struct {
	EarningRuleID string `json:"earningRuleId"`
}

func (svc *Service) createRule(w *api.Writing, body *form.Node) (identity, error) {
	g, r := svc.readForm(w, body, "")
	id, err := svc.create(w.Tx, w.Store, g, r)
	w.Entry().SetEntity(id)
	return identity{id}, err
}

func findRule(w *api.Writing) (*Rule, error) { return Find(w.Tx, w.Store.Key, w.PathID("earningRule")) }

func (svc *Service) replaceRule(w *api.Writing, old *Rule, body *form.Node) (identity, error) {
	g, r := svc.readForm(w, body, old.Type)
	return identity{old.ID}, svc.change(w.Tx, w.Store, g, old.ID, r)
}

func (svc *Service) readForm(w *api.Writing, body *form.Node, keptType string) (*form.Group, Rule) {
	node := body.Child("earningRule")
	g := form.Read(node)
	return g, svc.read(g, node, keptType, w.Store)
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

func (svc *Service) listTypes(c *api.Call) (typeList, error) {
	list := typeList{Types: []ruleTypeView{}, Total: len(svc.names)}
	for _, name := range svc.names {
		fields := api.FieldsOf(func(g *form.Group) { svc.read(g, nil, name, c.Store) })
		list.Types = append(list.Types, ruleTypeView{name, fields})
	}
	return list, nil
}

func activate(w *api.Writing, r *Rule, active bool) (api.NoContent, error) {
	return api.NoContent{}, SetActive(w.Tx, w.Store, r.ID, active)
}
