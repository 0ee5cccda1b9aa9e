package earning

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/occasion"
	"punchcard/loyalty/points"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// readEarner reads the data of a customer that the conditions of rules need.
func readEarner(tx *db.Tx, s *store.Store, customerID string) (Earner, error) {
	earners, err := readEarners(tx, s, customerID)
	if err != nil {
		return Earner{}, err
	}
	return earners[0], nil
}

// readEarners is readEarner for several customers, in their order.
func readEarners(tx *db.Tx, s *store.Store, customerIDs ...string) ([]Earner, error) {
	customers, err := customer.FindAll(tx, s.Key, customerIDs...)
	if err != nil {
		return nil, err
	}
	segments, err := segment.OfCustomers(tx, s.Key, customerIDs...)
	earners := make([]Earner, len(customerIDs))
	for i, id := range customerIDs {
		c := customers[id]
		if c == nil {
			return nil, fault.ErrNotFound
		}
		earners[i] = earnerOf(c, segments[id])
	}
	return earners, err
}

func earnerOf(c *customer.Customer, in []customer.Segment) Earner {
	who := Earner{LevelID: c.LevelID, POSID: c.POSID, Active: c.IsActive(), Sales: c.Purchases.Count}
	for _, of := range in {
		who.Segments = append(who.Segments, of.ID)
	}
	return who
}

// usable returns the rules that can pay the customer now. It does not check limits.
func usable(tx *db.Tx, rules []Rule, who Earner) []Rule {
	return usableAt(rules, trial{who: who, at: tx.Now(), posID: who.POSID})
}

// usableAt returns the rules that pass a trial without its limit.
func usableAt(rules []Rule, t trial) (usable []Rule) {
	for i := range rules {
		if t.rule = &rules[i]; t.isUsable() {
			usable = append(usable, rules[i])
		}
	}
	return usable
}

// triedNow returns the trial of a limit at the present time.
func triedNow(tx *db.Tx, s *store.Store, r *Rule, customerID string) (t trial, err error) {
	t = trial{rule: r, at: tx.Now()}
	if limit := r.Definition.Limit; limit.Active {
		t.uses, err = usedSince(tx, r, customerID, windowStart(limit.Period, t.at, s.Zone), limit.Uses)
	}
	return t, err
}

// exhausted reports whether the customer has reached the limit of the rule.
func exhausted(tx *db.Tx, s *store.Store, r *Rule, customerID string) (bool, error) {
	t, err := triedNow(tx, s, r, customerID)
	return !hasUsesLeft(&t), err
}

// payment is an amount of points to give.
type payment struct {
	customerID string
	grant      points.Grant
	use        *Rule // the rule whose use is counted; nil if none
}

// payment returns the points of the rule for one event or use by a customer.
func (svc *Service) payment(tx *db.Tx, r *Rule, customerID string) payment {
	p := payment{customerID: customerID, grant: points.Grant{
		Value: r.Definition.Points, Comment: r.Name, Issuer: points.BySystem, CreatedAt: tx.Now(),
	}}
	if svc.byName[r.Type].Limited {
		p.use = r
	}
	return p
}

// give gives the payments that decide returns, each in a lot of its own, and returns their sum. It locks the customers
// first, in a fixed order, so that concurrent events cannot exceed a limit.
func give(tx *db.Tx, s *store.Store, customerIDs []string, decide func() ([]payment, error)) (paid Amount, err error) {
	members, err := membership.Lock(tx, s, customerIDs...)
	if err != nil {
		return 0, err
	}
	for _, id := range customerIDs {
		if members.Of(id) == nil {
			return 0, fault.ErrNotFound
		}
	}
	payments, err := decide()
	if err != nil {
		return 0, err
	}
	for _, p := range payments {
		paid += p.payTo(members, s)
		if p.use == nil {
			continue
		}
		if err := insertUse(tx, p.use, p.customerID); err != nil {
			return 0, err
		}
	}
	return paid, members.Save()
}

// payTo gives the points to a locked member, and returns their amount. Less than one whole point may be rounded to
// none.
func (p payment) payTo(members *membership.Members, s *store.Store) Amount {
	p.grant.Value = s.Settings.RuleGives(p.grant.Value)
	if p.grant.Value > 0 {
		members.Pay(members.Of(p.customerID), p.grant)
	}
	return p.grant.Value
}

// registered gives new customers the points for creating the account, and both sides those for the invitation.
func (svc *Service) registered(tx *db.Tx, s *store.Store, e customer.Registered) error {
	if err := svc.payNew(tx, s, e.Customers...); err != nil {
		return err
	}
	for _, c := range e.Customers {
		if err := svc.joined(tx, s, c); err != nil {
			return err
		}
	}
	return nil
}

func (svc *Service) imported(tx *db.Tx, s *store.Store, e customer.Imported) error {
	if e.WithoutPoints {
		return nil
	}
	return svc.payNew(tx, s, e.Customers...)
}

// payNew gives new customers the points for creating the account.
func (svc *Service) payNew(tx *db.Tx, s *store.Store, added ...*customer.Customer) error {
	rules, err := rulesFor(tx, s, accountCreated)
	if err != nil || len(rules) == 0 {
		return err
	}
	return svc.payBest(tx, s, rules, customer.IDs(added)...)
}

// paysBirthdays answers whether a store has an active rule for birthdays.
func paysBirthdays(tx *db.Tx, s *store.Store, asked *occasion.BirthdayPoints) error {
	rules, err := rulesFor(tx, s, hadBirthday)
	asked.Given = len(rules) > 0
	return err
}

// payBirthdays gives customers the points for their birthday.
func (svc *Service) payBirthdays(tx *db.Tx, s *store.Store, e occasion.Birthdays) error {
	rules, err := rulesFor(tx, s, hadBirthday)
	if err != nil || len(rules) == 0 {
		return err
	}
	return svc.payBest(tx, s, rules, db.Distinct(e.CustomerIDs)...)
}

// loggedIn gives a customer the points for a log-in.
func (svc *Service) loggedIn(tx *db.Tx, s *store.Store, e auth.LoggedIn) error {
	return svc.happened(tx, s, e.CustomerID, loggedIn)
}

// changed gives a customer the points for agreeing to the newsletter, only the first time, and both sides those for an
// invitation when the recipient is activated.
func (svc *Service) changed(tx *db.Tx, s *store.Store, e customer.Changed) error {
	before, after := e.Before, e.After
	if !before.IsActive() {
		if err := svc.joined(tx, s, after); err != nil {
			return err
		}
	}
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
	return svc.payBest(tx, s, rules, customerID)
}

// payBest gives each customer the points of their usable rule with the most points, if there is one.
func (svc *Service) payBest(tx *db.Tx, s *store.Store, rules []Rule, customerIDs ...string) error {
	_, err := give(tx, s, customerIDs, func() (all []payment, err error) {
		earners, err := readEarners(tx, s, customerIDs...)
		for i, who := range earners {
			if best := Best(usable(tx, rules, who)); best != nil {
				all = append(all, svc.payment(tx, best, customerIDs[i]))
			}
		}
		return all, err
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
	return give(tx, s, []string{customerID}, func() ([]payment, error) {
		who, err := readEarner(tx, s, customerID)
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
		if report.Single {
			return []payment{svc.payment(tx, Best(left), customerID)}, nil
		}
		return svc.payments(tx, left, customerID), nil
	})
}

func (svc *Service) payments(tx *db.Tx, rules []Rule, customerID string) []payment {
	payments := make([]payment, len(rules))
	for i := range rules {
		payments[i] = svc.payment(tx, &rules[i], customerID)
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
	who, err := readEarner(tx, s, customerID)
	if err != nil {
		return nil, err
	}
	rules, err := activeOf(tx, s.Key, svc.names...)
	if err != nil {
		return nil, err
	}
	rules = slices.DeleteFunc(rules, func(r Rule) bool {
		switch {
		case r.Type == Referral: // those whom the customer invites must meet its conditions
			return !who.Active || !isRunning(&r, tx.Now())
		case r.Type == Event && r.EventName == accountCreated: // the account exists already
			return true
		}
		return !r.UsableBy(who, tx.Now(), who.POSID)
	})
	return notExhausted(tx, s, customerID, rules)
}
