package earning

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// ExplainedOff is how many rules that are switched off an explanation has.
const ExplainedOff = 100

// Explain returns what a sale would earn, and for each rule of the store why. who is nil for nobody, who is in the
// segments. See docs/behaviour/transactions.md#explanations.
func (svc *Service) Explain(tx *db.Tx, s *store.Store, locale api.Locale, who *customer.Customer, in []customer.Segment,
	sale *transaction.Transaction) (points Amount, explained []transaction.ExplainedRule, err error) {
	rules, err := activeOf(tx, s.Key, svc.names...)
	if err != nil {
		return 0, nil, err
	}
	off, err := newestOff(tx, s.Key, ExplainedOff)
	if err != nil {
		return 0, nil, err
	}
	rules = svc.inOrder(append(rules, off...))
	x := explainer{svc: svc, tx: tx, now: tx.Now(), store: s, sale: sale, earns: begin(s, sale, true)}
	if who != nil {
		x.who = earnerOf(who, in)
	}
	if x.names, err = namesOf(tx, s, locale, rules); err != nil {
		return 0, nil, err
	}
	for _, of := range in {
		x.names.segments[of.ID] = of.Name
	}
	explained = make([]transaction.ExplainedRule, len(rules))
	for i := range rules {
		if explained[i], err = x.explain(&rules[i]); err != nil {
			return 0, nil, err
		}
	}
	f := x.earns.forecast(&s.Settings)
	for i := range explained {
		addPoints(&explained[i], f)
	}
	return f.Points, explained, nil
}

// explainer explains what a sale earns, rule by rule.
type explainer struct {
	svc   *Service
	tx    *db.Tx
	now   time.Time
	store *store.Store
	sale  *transaction.Transaction
	who   Earner
	names names
	earns *Evaluation // by the rules so far
}

// explain explains the next rule, and applies it if it can be used.
func (x *explainer) explain(r *Rule) (transaction.ExplainedRule, error) {
	kind := x.svc.byName[r.Type]
	t := trial{rule: r, who: x.who, at: x.sale.PurchasedAt, posID: x.sale.POSID, names: &x.names}
	if kind.Step == 0 { // it is about the customer, not about the sale
		t.at, t.posID = x.now, x.who.POSID
	}
	if hasLimit(&t) && x.sale.CustomerID != "" {
		limited, err := triedNow(x.tx, x.store, r, x.sale.CustomerID)
		if err != nil {
			return transaction.ExplainedRule{}, err
		}
		t.uses = limited.uses
	}
	made := transaction.ExplainedRule{
		EarningRuleID: r.ID, Type: r.Type, Name: r.Name, RewardCampaignID: r.Definition.RewardCampaignID,
		Explanation: append(t.explain(), x.earns.explain(kind, r)...),
	}
	if t.isUsable() {
		x.earns.apply(kind, r)
	}
	return made, nil
}

// addPoints adds what a rule gives. One that gives rewards gives no points.
func addPoints(to *transaction.ExplainedRule, f Forecast) {
	for i := range f.Rules {
		if f.Rules[i].RuleID == to.EarningRuleID {
			to.Points = f.Rules[i].Points
		}
	}
	if to.RewardCampaignID == "" && api.AllPassed(to.Explanation) {
		to.Explanation = append(to.Explanation, api.Finding{
			Rule: "points", Passed: to.Points != 0, Have: to.Points, Hint: "It leaves the rounded points of the sale the same.",
		}.Hinted())
	}
}

// names are the names of what rules are for.
type names struct {
	levels   []level.Level
	segments map[string]string
	pos      map[string]string
	locale   api.Locale
	zone     *time.Location
}

// namesOf reads the names of the levels, segments and points of sale of rules.
func namesOf(tx *db.Tx, s *store.Store, locale api.Locale, rules []Rule) (n names, err error) {
	n.locale, n.zone = locale, s.Zone
	var segments, places []string
	for i := range rules {
		segments = append(segments, rules[i].Definition.Segments...)
		places = append(places, rules[i].Definition.POS...)
	}
	if n.levels, err = level.All(tx, s.Key); err != nil {
		return n, err
	}
	if n.segments, err = segment.Names(tx, s.Key, db.Distinct(segments)...); err != nil {
		return n, err
	}
	n.pos, err = pos.Names(tx, s.Key, db.Distinct(places)...)
	return n, err
}

// of returns the names of levels, segments or points of sale. Those that are gone have none.
func (n *names) of(ids ...string) []string {
	found := []string{}
	for _, id := range ids {
		if l := level.Find(n.levels, id); l != nil {
			found = append(found, l.Name(n.locale))
		} else if name := cmp.Or(n.segments[id], n.pos[id]); name != "" {
			found = append(found, name)
		}
	}
	return found
}

func describeOn(_ *trial, f *api.Finding) { f.Hint = "The rule is switched off." }

func describeTime(t *trial, f *api.Finding) {
	if f.Passed {
		return
	}
	need, word := t.rule.StartAt, "from"
	if !t.at.Before(need) {
		need, word = t.rule.EndAt, "until"
	}
	at := api.Timestamp(need, t.names.zone)
	f.Need, f.Have, f.Hint = at, api.Timestamp(t.at, t.names.zone), fmt.Sprintf("The rule counts %s %s.", word, at)
}

func describePOS(t *trial, f *api.Finding) {
	f.Need, f.Have = t.names.of(t.rule.Definition.POS...), t.names.of(t.posID)
	f.Hint = "The rule is for other points of sale."
}

func describeEarner(_ *trial, f *api.Finding) { f.Hint = "There is no active customer." }

func describeTarget(t *trial, f *api.Finding) {
	if d := &t.rule.Definition; !f.Passed {
		f.Need = t.names.of(slices.Concat(d.Levels, d.Segments)...)
		f.Have = t.names.of(append([]string{t.who.LevelID}, t.who.Segments...)...)
	}
	f.Hint = "The customer needs one of these levels or segments."
}

func describeLimit(t *trial, f *api.Finding) {
	limit := &t.rule.Definition.Limit
	f.Need, f.Have = limit.Uses, t.uses
	f.Hint = "The customer has used it as often as one may in the period."
}
