package earning

import (
	"errors"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

func (svc *Service) reportEndpoints() []api.Endpoint {
	modify := access.AdministratorWith(access.EarningRules, access.Modify)
	self := access.Only(access.Customer)
	reportAt := func(path string, rule access.Rule, handle func(*api.Call) error) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: rule, Factor: api.Everyday, Handle: handle,
			Summary: "Report a custom event", Response: paidView{}, Audit: api.Audited("EarnByEvent", "customer")}
	}
	return []api.Endpoint{
		reportAt(ofStore+"customer/earningRule/{eventName}", self, svc.reportOwn),
		reportAt(ofStore+"customer/earnRule/{eventName}", self, svc.reportOwn),
		{Method: "GET", Path: ofStore + "customer/earningRule", Access: self, Handle: svc.listUsable,
			Summary: "List the earning rules one can use now", Query: api.LocaleQuery, Response: usableList{}},
		reportAt(ofStore+"v1/earnRule/{eventName}/customer/{customer}", modify, svc.report),
		reportAt("/api/v1/earnRule/{eventName}/customer/{customer}", modify, svc.reportAnywhere),
		{Method: "POST", Path: ofStore + "earningRule/qrcode/customer/{customer}", Access: modify.And(access.Customer),
			Factor: api.Everyday, Handle: svc.presentCode, Summary: "Present a code", Form: inRule(api.Reads(readCode)),
			Response: paidView{}, Audit: api.Audited("EarnByEvent", "customer")},
		{Method: "POST", Path: ofStore + "earningRule/geolocation/customer/{customer}", Access: modify.And(access.Customer),
			Factor: api.Everyday,
			Handle: svc.visit, Summary: "Report a place", Form: inRule(api.Reads(readVisit)),
			Response: paidView{}, Audit: api.Audited("EarnByEvent", "customer")},
	}
}

// inRule describes a form with the single group that read reads.
func inRule(read func(*form.Group)) func(*form.Group) {
	return func(g *form.Group) { read(g.Group("earningRule")) }
}

// paidView is the response to a report.
type paidView struct {
	Points Amount `json:"points"`
}

// reportOwn reports a custom event of the caller, a customer.
func (svc *Service) reportOwn(c *api.Call) error {
	return svc.earn(c, ownID, Report{Type: CustomEvent, Single: true, Matches: func(r *Rule) bool {
		return r.EventName == keytext.Clean(c.PathValue("eventName")) && !r.Definition.NotByCustomers
	}})
}

func ownID(c *api.Call, _ *db.Tx) (string, error) { return c.Caller.ID, nil }

// report reports a custom event of the customer of the path.
func (svc *Service) report(c *api.Call) error {
	return svc.earn(c, namedID, namedEvent(keytext.Clean(c.PathValue("eventName"))))
}

func namedEvent(name string) Report {
	return Report{Type: CustomEvent, Single: true, Matches: func(r *Rule) bool { return r.EventName == name }}
}

// namedID returns the id of the customer of the path. Customers can name only themselves.
func namedID(c *api.Call, tx *db.Tx) (string, error) {
	found, err := customer.Of(c, tx)
	if err != nil {
		return "", err
	}
	return found.ID, nil
}

func (svc *Service) earn(c *api.Call, customerID func(*api.Call, *db.Tx) (string, error), report Report) error {
	var paid Amount
	run := func() (wrong bool, err error) {
		err = c.Write(func(tx *db.Tx) error {
			id, err := customerID(c, tx)
			if err != nil {
				return err
			}
			paid, err = svc.Reported(tx, c.Store, id, report)
			return err
		}, func() error { return c.OK(paidView{paid}) })
		return report.Type != Geolocation && errors.Is(err, ErrNoEvent), err
	}
	return c.Guess(svc.Guesses, run)
}

// reportAnywhere is report without a store in the path. The customer determines the store of the call.
func (svc *Service) reportAnywhere(c *api.Call) error {
	err := c.Read(func(tx *db.Tx) (err error) {
		c.Store, err = homeOf(tx, c.PathValue("customer"))
		return err
	})
	if err != nil {
		return err
	}
	return svc.report(c)
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

// presentCode reports the scan of a QR code.
func (svc *Service) presentCode(c *api.Call) error { return svc.earnByForm(c, readCode) }

// readCode reads a code, and optionally the id of one rule.
func readCode(g *form.Group) Report {
	code, only := g.Key("code", form.NotBlank), g.UUID("earningRuleId")
	return Report{Type: QRCode, Matches: func(r *Rule) bool {
		return r.Definition.Code == code && (only == "" || only == r.ID)
	}}
}

// visit reports a position.
func (svc *Service) visit(c *api.Call) error { return svc.earnByForm(c, readVisit) }

// readVisit reads a position, and optionally the id of one rule.
func readVisit(g *form.Group) Report {
	where, only := place(g), g.UUID("earningRuleId")
	return Report{Type: Geolocation, Matches: func(r *Rule) bool {
		return r.Definition.Circle.contains(where) && (only == "" || only == r.ID)
	}}
}

// earnByForm gives the points of a report. An unknown customer is reported before an invalid form.
func (svc *Service) earnByForm(c *api.Call, read func(*form.Group) Report) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "earningRule")
	report := read(g)
	return svc.earn(c, func(c *api.Call, tx *db.Tx) (string, error) {
		id, err := namedID(c, tx)
		if err != nil {
			return "", err
		}
		return id, g.Err()
	}, report)
}

type usableList struct {
	EarningRules []ruleView `json:"earningRules"`
	Currency     string     `json:"currency"`
}

// listUsable serves the rules that a customer can use now.
func (svc *Service) listUsable(c *api.Call) error {
	locale, err := c.Locale()
	if err != nil {
		return err
	}
	response := usableList{Currency: c.Store.Currency}
	err = c.Read(func(tx *db.Tx) error {
		rules, err := svc.UsableNow(tx, c.Store, c.Caller.ID)
		if err != nil {
			return err
		}
		response.EarningRules, err = svc.viewsOf(tx, c, locale, rules)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}
