package earning

import (
	"slices"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// earnerOf reads the data of a customer that the conditions of rules need.
func earnerOf(tx *db.Tx, s *store.Store, customerID string) (Earner, error) {
	c, err := customer.Find(tx, s.Key, customerID)
	if err != nil {
		return Earner{}, err
	}
	segments, err := segment.Of(tx, s.Key, customerID)
	return Earner{
		LevelID: c.LevelID, Segments: segments, POSID: c.POSID, Active: c.IsActive(), Sales: c.Purchases.Count,
	}, err
}

// usable returns the rules that can pay the customer now. It does not check limits.
func usable(tx *db.Tx, rules []Rule, who Earner) []Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return !r.UsableBy(who, tx.Now(), who.POSID) })
}

// exhausted reports whether the customer has reached the limit of the rule.
func exhausted(tx *db.Tx, s *store.Store, r *Rule, customerID string) (bool, error) {
	limit := r.Definition.Limit
	if !limit.Active {
		return false, nil
	}
	n, err := usedSince(tx, r, customerID, windowStart(limit.Period, tx.Now(), s.Zone), limit.Uses)
	return n >= limit.Uses, err
}

// payment is an amount of points to give.
type payment struct {
	grant points.Grant
	use   *Rule // the rule whose use is counted; nil if none
}

// payment returns the points of the rule for one event or use.
func (svc *Service) payment(tx *db.Tx, r *Rule) payment {
	p := payment{grant: points.Grant{
		Value: r.Definition.Points, Comment: r.Name, Issuer: points.BySystem, CreatedAt: tx.Now(),
	}}
	if svc.byName[r.Type].Limited {
		p.use = r
	}
	return p
}

// give gives the payments that decide returns, each in a lot of its own. It locks the account first, so that
// concurrent events cannot exceed a limit.
func give(tx *db.Tx, s *store.Store, customerID string, decide func() ([]payment, error)) (paid Amount, err error) {
	owner := points.Owner{Store: s, CustomerID: customerID}
	wallet, err := points.Change(tx, owner, func(w *points.Wallet) ([]event.Entry, error) {
		payments, err := decide()
		if err != nil {
			return nil, err
		}
		entries := make([]event.Entry, len(payments))
		for i, p := range payments {
			_, entries[i] = w.Add(p.grant)
			paid += p.grant.Value
			if p.use == nil {
				continue
			}
			if err := insertUse(tx, p.use, customerID); err != nil {
				return nil, err
			}
		}
		return entries, nil
	})
	if err != nil || paid == 0 {
		return 0, err
	}
	return paid, membership.PointsChanged(tx, s, wallet.Account)
}

// Registered gives a new customer the points for creating the account. It is a hook of customers.
func (svc *Service) Registered(tx *db.Tx, s *store.Store, c *customer.Customer) error {
	return svc.happened(tx, s, c.ID, accountCreated)
}

// LoggedIn gives a customer the points for a log-in. It is a hook of log-ins.
func (svc *Service) LoggedIn(tx *db.Tx, s *store.Store, customerID string) error {
	return svc.happened(tx, s, customerID, loggedIn)
}

// Changed gives a customer the points for agreeing to the newsletter, only the first time. It is a hook of customers.
func (svc *Service) Changed(tx *db.Tx, s *store.Store, before, after *customer.Customer) error {
	const agreement2 = 1 // its index
	if before.Agreements[agreement2] || !after.Agreements[agreement2] || after.Status == customer.Deleted {
		return nil
	}
	first, err := happenedFirst(tx, s.Key, after.ID, newsletter)
	if err != nil || !first {
		return err
	}
	return svc.happened(tx, s, after.ID, newsletter)
}

// happened gives the points for one of Events, by the usable rule with the most points, if there is one.
func (svc *Service) happened(tx *db.Tx, s *store.Store, customerID, eventName string) error {
	rules, err := rulesFor(tx, s, eventName)
	if err != nil || len(rules) == 0 {
		return err
	}
	_, err = give(tx, s, customerID, func() ([]payment, error) {
		who, err := earnerOf(tx, s, customerID)
		if best := Best(usable(tx, rules, who)); best != nil {
			return []payment{svc.payment(tx, best)}, err
		}
		return nil, err
	})
	return err
}

// rulesFor returns the active rules of one of Events.
func rulesFor(tx *db.Tx, s *store.Store, eventName string) ([]Rule, error) {
	rules, err := activeOf(tx, s.Key, Event)
	return slices.DeleteFunc(rules, func(r Rule) bool { return r.EventName != eventName }), err
}

// Report is a reported action of a customer.
type Report struct {
	Type    string // CustomEvent, QRCode or Geolocation
	Matches func(*Rule) bool
	Single  bool // only the rule with the most points pays
}

// Reported gives the points for a report by the rules that match it. It returns ErrNoEvent if no usable rule matches,
// and ErrLimitExceeded if the limits of all of them are reached.
func (svc *Service) Reported(tx *db.Tx, s *store.Store, customerID string, report Report) (Amount, error) {
	rules, err := activeOf(tx, s.Key, report.Type)
	if err != nil {
		return 0, err
	}
	rules = slices.DeleteFunc(rules, func(r Rule) bool { return !report.Matches(&r) })
	return give(tx, s, customerID, func() ([]payment, error) {
		who, err := earnerOf(tx, s, customerID)
		if err != nil {
			return nil, err
		}
		found := usable(tx, rules, who)
		if len(found) == 0 {
			return nil, ErrNoEvent
		}
		left, err := notExhausted(tx, s, customerID, found)
		if err != nil {
			return nil, err
		}
		if len(left) == 0 {
			return nil, ErrLimitExceeded
		}
		return svc.payments(tx, report.Single, left), nil
	})
}

func (svc *Service) payments(tx *db.Tx, single bool, rules []Rule) []payment {
	if single {
		return []payment{svc.payment(tx, Best(rules))}
	}
	payments := make([]payment, len(rules))
	for i := range rules {
		payments[i] = svc.payment(tx, &rules[i])
	}
	return payments
}

func notExhausted(tx *db.Tx, s *store.Store, customerID string, rules []Rule) ([]Rule, error) {
	var left []Rule
	for i := range rules {
		used, err := exhausted(tx, s, &rules[i], customerID)
		if err != nil {
			return nil, err
		}
		if !used {
			left = append(left, rules[i])
		}
	}
	return left, nil
}

// UsableNow returns the rules that a customer can use now, oldest first. See
// docs/behaviour/earning-rules.md#rules-a-customer-can-use.
func (svc *Service) UsableNow(tx *db.Tx, s *store.Store, customerID string) ([]Rule, error) {
	who, err := earnerOf(tx, s, customerID)
	if err != nil {
		return nil, err
	}
	rules, err := activeOf(tx, s.Key, svc.names...)
	if err != nil {
		return nil, err
	}
	rules = slices.DeleteFunc(usable(tx, rules, who), func(r Rule) bool {
		return r.Type == Event && r.EventName == accountCreated // the account exists already
	})
	return notExhausted(tx, s, customerID, rules)
}
