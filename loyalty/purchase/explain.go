package purchase

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/fault"
	"punchcard/platform/web"
)

// explain returns the rules that apply to the purchase, in the order of checks.
func (a *attempt) explain() []api.Finding {
	findings := make([]api.Finding, 0, len(rules))
	for i := range rules {
		r := &rules[i]
		if r.applies == nil || r.applies(a) {
			findings = append(findings, a.finding(r))
		}
	}
	return findings
}

func (a *attempt) finding(r *rule) api.Finding {
	f := api.Finding{Rule: r.name, Passed: r.check(a) == nil}
	r.describe(a, &f)
	return f.Hinted()
}

// explainTo returns the explanation for a role. Customers get the rules that they break and may know of, by the names
// of reasons, each once.
func (a *attempt) explainTo(role access.Role) []api.Finding {
	if role != access.Customer {
		return a.explain()
	}
	reasons := []api.Finding{}
	for i := range rules {
		if reason := a.reason(&rules[i]); reason != "" &&
			!slices.ContainsFunc(reasons, func(f api.Finding) bool { return f.Rule == reason }) {
			f := a.finding(&rules[i])
			f.Rule = reason
			reasons = append(reasons, f)
		}
	}
	return reasons
}

// reason returns the name under which customers learn that they break a rule; empty if they keep it or do not learn it.
func (a *attempt) reason(r *rule) string {
	if r.reason == nil || r.decide(a) == nil {
		return ""
	}
	return r.reason(a)
}

// Explanation gets the rules of a purchase that a role may know of.
type Explanation struct {
	Role     access.Role
	Findings []api.Finding
}

// found returns the findings; nil without an explanation.
func (e *Explanation) found() []api.Finding {
	if e == nil {
		return nil
	}
	return e.Findings
}

// refuse adds the findings to a refusal. What is not found stays unexplained.
func (e *Explanation) refuse(err error) error {
	refusal, is := errors.AsType[*fault.Error](err)
	if !is || refusal.Kind == fault.NotFound {
		return err
	}
	text, failed := web.Encode(e.Findings)
	if failed != nil {
		return failed
	}
	return refusal.WithExplanation(json.RawMessage(text))
}

func always(name string) func(*attempt) string { return func(*attempt) string { return name } }

// notActiveYet is the reason of campaigns that customers see before they can buy them.
func notActiveYet(a *attempt) string {
	if a.campaign.Active && a.now.Before(a.campaign.Activity.From) {
		return "notActiveYet"
	}
	return ""
}

// targetsLevels is the reason of campaigns that another level could buy.
func targetsLevels(a *attempt) string {
	if len(a.campaign.Definition.Levels) > 0 {
		return "level"
	}
	return ""
}

func describeReward(a *attempt, f *api.Finding) {
	f.Have, f.Hint = a.campaign.Reward.Name, "A reward of this type is not bought."
}

func describeActive(a *attempt, f *api.Finding) {
	f.Hint = "The campaign is switched off."
	if a.campaign.Active {
		a.describeWindow(a.campaign.Activity, f, "bought")
	}
}

func describeVisible(a *attempt, f *api.Finding) {
	f.Hint = "Customers never see a reward of this type."
	if a.campaign.Reward.Fields.Visibility {
		a.describeWindow(a.campaign.Visibility, f, "seen")
	}
}

// describeWindow tells when a window begins that is still ahead, or when it ended.
func (a *attempt) describeWindow(w campaign.Window, f *api.Finding, done string) {
	if f.Passed {
		return
	}
	need, word := w.From, "from"
	if !a.now.Before(w.From) {
		need, word = w.To, "until"
	}
	at := api.Timestamp(need, a.zone)
	f.Need, f.Have = at, api.Timestamp(a.now, a.zone)
	f.Hint = fmt.Sprintf("It can be %s %s %s.", done, word, at)
}

func describeTarget(a *attempt, f *api.Finding) {
	if a.targets != nil && !f.Passed {
		f.Need, f.Have = a.targets.needed(&a.campaign.Definition), a.targets.had
	}
	f.Hint = "The customer needs one of these levels or segments."
}

// explainer has what explanations of purchases of one customer need.
type explainer struct {
	role     access.Role // who reads them
	standing customer.Standing
	segments []customer.Segment // of the customer
	targets  targetNames
}

// newExplainer reads the names of the levels of a store, and for staff also those of the segments of campaigns.
func newExplainer(tx *db.Tx, storeKey int64, e explainer, locale api.Locale,
	campaigns iter.Seq[*campaign.Campaign]) (*explainer, error) {
	levels, err := level.All(tx, storeKey)
	if err != nil {
		return nil, err
	}
	e.targets = targetNames{levels: levels, locale: locale, had: []string{}}
	if l := level.Find(levels, e.standing.LevelID); l != nil {
		e.targets.had = append(e.targets.had, l.Name(locale))
	}
	if e.role == access.Customer {
		return &e, nil
	}
	var ids []string
	for c := range campaigns {
		ids = append(ids, c.Definition.Segments...)
	}
	for _, in := range e.segments {
		e.targets.had = append(e.targets.had, in.Name)
	}
	e.targets.segments, err = segment.Names(tx, storeKey, db.Distinct(ids)...)
	return &e, err
}

// explain returns the explanation of a purchase; nil if the reader may not know of the campaign.
func (e *explainer) explain(a attempt) []api.Finding {
	a.status, a.targets = e.standing.Status, &e.targets
	a.isMeant = isMeantFor(a.campaign, e.standing.LevelID, e.segments)
	if e.role == access.Customer && !a.isRevealed() {
		return nil
	}
	return a.explainTo(e.role)
}

// isRevealed reports whether customers may know of the campaign: they can see it, or could on another level if it is
// public.
func (a *attempt) isRevealed() bool {
	c := a.campaign
	return c.Active && c.VisibleAt(a.now) && (a.isMeant || c.Public && len(c.Definition.Levels) > 0)
}

// explain gives the pages what the explanations of their campaigns need.
func (s *offerBatch) explain(requests []offerRequest, outcomes []batch.Outcome[offerPage]) (err error) {
	for i := range requests {
		r, page := &requests[i], &outcomes[i].Value
		if !r.wanted.explain || outcomes[i].Err != nil {
			continue
		}
		e := explainer{role: r.role, standing: s.customers[r.customerID], segments: s.segments[r.customerID]}
		page.why, err = newExplainer(s.tx, s.store.Key, e, r.list.Locale, func(yield func(*campaign.Campaign) bool) {
			for _, id := range page.ids {
				if !yield(page.views[id].campaign) {
					return
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// targetNames names the levels and segments of campaigns and of a customer.
type targetNames struct {
	levels   []level.Level // of the store
	segments map[string]string
	locale   api.Locale
	had      []string // the names of the customer's level and segments
}

// needed returns the names of the levels and segments that a campaign targets.
func (t *targetNames) needed(d *campaign.Definition) []string {
	names := []string{}
	for _, id := range slices.Concat(d.Levels, d.Segments) {
		if name := t.name(id); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// name returns the name of a level or segment, and an empty text for any other target.
func (t *targetNames) name(id string) string {
	if l := level.Find(t.levels, id); l != nil {
		return l.Name(t.locale)
	}
	return t.segments[id]
}

func describeSale(a *attempt, f *api.Finding) {
	f.Need, f.Have, f.Hint = 1, 0, "Send the id of a sale of the customer."
	if f.Passed {
		f.Have = 1
	}
}

func describeQuantity(a *attempt, f *api.Finding) {
	f.Need, f.Have, f.Hint = 1, a.quantity, fmt.Sprintf("A quantity is 1 to %d.", QuantityLimit)
}

func describeLimit(a *attempt, f *api.Finding) {
	if a.campaign.Unlimited {
		describeCodes(a, f)
		return
	}
	f.Need, f.Have = a.quantity, a.campaign.LimitLeft(a.counters)
	f.Hint = "All customers together have bought it as often as they may."
}

func describeLimitPerCustomer(a *attempt, f *api.Finding) {
	f.Need, f.Have = a.quantity, a.campaign.LimitPerUserLeft(a.mine)
	f.Hint = "The customer has bought it as often as one may."
	if a.campaign.LimitPeriod != "" {
		_, again := a.campaign.LimitSpan(a.now, a.zone)
		f.Hint = fmt.Sprintf("The customer can buy it again from %s.", api.Timestamp(again, a.zone))
	}
}

func describeCustomer(a *attempt, f *api.Finding) {
	f.Need, f.Have, f.Hint = customer.Active, a.status, "The customer is not active."
}

func describePoints(a *attempt, f *api.Finding) {
	cost := points.Amount(math.MaxInt64)
	if n := points.Amount(max(1, a.quantity)); a.cost <= cost/n {
		cost = a.cost * n
	}
	f.Need, f.Have = cost, a.points
	f.Hint = fmt.Sprintf("%s points are missing.", cost-a.points)
}

func describeCodes(a *attempt, f *api.Finding) {
	f.Need, f.Have, f.Hint = a.quantity, a.counters.CodesLeft(), "The campaign has no codes left."
}

func describeWorth(a *attempt, f *api.Finding) {
	f.Need, f.Have, f.Hint = 1, 0, "The share of the sale is less than one whole unit."
	if a.gross != nil {
		f.Have = a.campaign.Worth(*a.gross)
	}
}
