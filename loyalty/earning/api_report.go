package earning

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

func (svc *Service) reportEndpoints() []api.Endpoint {
	modify := access.AdministratorWith(access.EarningRules, access.Modify)
	self := access.Only(access.Customer)
	reportAt := func(path string, rule access.Rule, do api.Operation) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: rule, Factor: api.Everyday, Do: do,
			Summary: "Report a custom event", Audit: api.Audited("EarnByEvent", "customer")}
	}
	isNoEvent := func(err error) bool { return errors.Is(err, ErrNoEvent) }
	isNeverWrong := func(error) bool { return false } // a place gives nothing away
	reportOwn := api.Act(svc.reportOwn).Guessing(svc.Guesses, isNoEvent)
	anywhere := api.Write(api.InCall(nil, enterHome), func(w *api.Writing, _ struct{}) (paidView, error) {
		return svc.report(w)
	})
	return []api.Endpoint{
		reportAt(ofStore+"customer/earningRule/{eventName}", self, reportOwn),
		reportAt(ofStore+"customer/earnRule/{eventName}", self, reportOwn),
		{Method: "GET", Path: ofStore + "customer/earningRule", Access: self, Do: api.Read(api.InLocale, svc.listUsable),
			Summary: "List the earning rules one can use now"},
		reportAt(ofStore+"v1/earnRule/{eventName}/customer/{customer}", modify,
			api.Act(svc.report).Guessing(svc.Guesses, isNoEvent)),
		reportAt("/api/v1/earnRule/{eventName}/customer/{customer}", modify, anywhere.Guessing(svc.Guesses, isNoEvent)),
		{Method: "POST", Path: ofStore + "earningRule/qrcode/customer/{customer}", Access: modify.And(access.Customer),
			Factor: api.Everyday, Summary: "Present a code", Audit: api.Audited("EarnByEvent", "customer"),
			Do: api.WriteTo(customerOf, api.Body("earningRule", readCode), svc.pay).Guessing(svc.Guesses, isNoEvent)},
		{Method: "POST", Path: ofStore + "earningRule/geolocation/customer/{customer}", Access: modify.And(access.Customer),
			Factor: api.Everyday, Summary: "Report a place", Audit: api.Audited("EarnByEvent", "customer"),
			Do: api.WriteTo(customerOf, api.Body("earningRule", readVisit), svc.pay).Guessing(svc.Guesses, isNeverWrong)},
	}
}

// paidView is the response to a report.
type paidView struct {
	Points Amount `json:"points"`
}

// reportOwn reports a custom event of the caller, a customer.
func (svc *Service) reportOwn(w *api.Writing) (paidView, error) {
	return svc.pay(w, w.Caller.ID, Report{Type: CustomEvent, Single: true, Matches: func(r *Rule) bool {
		return r.EventName == keytext.Clean(w.PathValue("eventName")) && !r.Definition.NotByCustomers
	}})
}

// report reports a custom event of the customer of the path.
func (svc *Service) report(w *api.Writing) (paidView, error) {
	id, err := customerOf(w)
	if err != nil {
		return paidView{}, err
	}
	return svc.pay(w, id, namedEvent(keytext.Clean(w.PathValue("eventName"))))
}

func namedEvent(name string) Report {
	return Report{Type: CustomEvent, Single: true, Matches: func(r *Rule) bool { return r.EventName == name }}
}

// customerOf returns the id of the customer of the path. Customers can name only themselves.
func customerOf(w *api.Writing) (string, error) {
	found, err := customer.Of(w.Call, w.Tx)
	if err != nil {
		return "", err
	}
	return found.ID, nil
}

// pay gives a customer the points of a report.
func (svc *Service) pay(w *api.Writing, customerID string, report Report) (paidView, error) {
	paid, err := svc.Reported(w.Tx, w.Store, customerID, report)
	return paidView{paid}, err
}

// enterHome makes the store of the customer that of a call without a store in its path.
func enterHome(c *api.Call) (none struct{}, err error) {
	return none, c.Read(func(tx *db.Tx) (err error) {
		c.Store, err = homeOf(tx, c.PathValue("customer"))
		return err
	})
}

// defaultStore is the store in which a customer is searched first if the path has no store.
const defaultStore = "DEFAULT"

// homeOf returns the active store of a customer: DEFAULT, or else the only store that has the customer.
func homeOf(tx *db.Tx, named string) (*store.Store, error) {
	stores, err := store.All(tx)
	if err != nil {
		return nil, err
	}
	var home *store.Store
	for i := range stores {
		s := &stores[i]
		if !s.Active {
			continue
		}
		_, err := customer.FindByPath(tx, s.Key, named, form.IsUUID(named))
		switch {
		case errors.Is(err, fault.ErrNotFound):
			continue
		case err != nil:
			return nil, err
		case s.Code == defaultStore:
			return s, nil
		case home != nil: // several stores have a customer with this card number
			return nil, fault.ErrNotFound
		}
		home = s
	}
	if home == nil {
		return nil, fault.ErrNotFound
	}
	return home, nil
}

// readCode reads a code, and optionally the id of one rule.
func readCode(g *form.Group) Report {
	code, only := g.Key("code", form.NotBlank), g.UUID("earningRuleId")
	return Report{Type: QRCode, Matches: func(r *Rule) bool {
		return r.Definition.Code == code && (only == "" || only == r.ID)
	}}
}

// readVisit reads a position, and optionally the id of one rule.
func readVisit(g *form.Group) Report {
	where, only := place(g), g.UUID("earningRuleId")
	return Report{Type: Geolocation, Matches: func(r *Rule) bool {
		return r.Definition.Circle.contains(where) && (only == "" || only == r.ID)
	}}
}

type usableList struct {
	EarningRules []ruleView `json:"earningRules"`
	Currency     string     `json:"currency"`
}

// listUsable lists the rules that a customer can use now.
func (svc *Service) listUsable(r *api.Reading, locale api.Locale) (usableList, error) {
	rules, err := svc.UsableNow(r.Tx, r.Store, r.Caller.ID)
	if err != nil {
		return usableList{}, err
	}
	views, err := svc.viewsOf(r, locale, rules)
	return usableList{views, r.Store.Currency}, err
}
