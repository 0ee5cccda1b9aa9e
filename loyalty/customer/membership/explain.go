package membership

import (
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/calendar"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// levelView is a level of the store for one customer.
type levelView struct {
	LevelID        string        `json:"levelId"`
	Name           string        `json:"name"`
	ConditionValue decimal.Money `json:"conditionValue"`
	Current        bool          `json:"current"`  // the customer is in it
	Deserved       bool          `json:"deserved"` // the next check leaves the customer in it
	// Explanation holds the rules that decide; nil unless the request asks for it.
	Explanation []api.Finding `json:"explanation,omitzero"`
}

type customerLevels struct {
	Levels []levelView `json:"levels"`
	Total  int         `json:"total"`
}

func describeLevels(q *form.Group) {
	q.Checkbox("explain")
	api.AtQuery(q)
}

// movedList reads the time that a list is asked about.
func movedList(c *api.Call, list api.ListRequest) (api.ListRequest, error) {
	return list, c.MoveByQuery()
}

// listLevels lists the levels of the store for one customer. See docs/behaviour/levels.md#levels-of-a-customer.
func listLevels(r *api.Reading, request api.ListRequest) (list customerLevels, err error) {
	who, err := customer.Of(r.Call, r.Tx)
	if err == nil && !r.Caller.Allowed(access.Customers, access.View) {
		err = fault.ErrForbidden
	}
	if err != nil {
		return list, err
	}
	levels, err := level.All(r.Tx, r.Store.Key)
	if err != nil {
		return list, err
	}
	account, err := points.Balance(r.Tx, r.Store, who.ID)
	if err != nil {
		return list, err
	}
	basis, err := ReadLevelBasis(r.Tx, r.Store, who, account)
	if err != nil {
		return list, err
	}
	explained, _ := form.ParseBool(request.Query.Child("explain").Text())
	x := explainLevels(r.Store, levels, who, basis.Value(r.Store, who.Purchases), r.Tx.Now(), request.Locale)
	shown := slices.DeleteFunc(slices.Clone(levels), func(l level.Level) bool { return l.Deleted })
	from := min(request.Offset, len(shown))
	list = customerLevels{Levels: []levelView{}, Total: len(shown)}
	for _, l := range shown[from:min(from+request.Limit, len(shown))] {
		list.Levels = append(list.Levels, x.view(level.Find(levels, l.ID), explained))
	}
	return list, nil
}

// levelExplainer explains why a customer is in a level or not.
type levelExplainer struct {
	decision
	store  *store.Store
	who    *customer.Customer
	value  decimal.Money
	locale api.Locale
}

func explainLevels(s *store.Store, levels []level.Level, who *customer.Customer, value decimal.Money, now time.Time,
	locale api.Locale) levelExplainer {
	canDrop := level.CanDrop(&s.Settings) || isDue(s, who, now)
	return levelExplainer{decide(levels, who, value, canDrop), s, who, value, locale}
}

func (x *levelExplainer) view(l *level.Level, explained bool) levelView {
	v := levelView{
		LevelID: l.ID, Name: l.Name(x.locale), ConditionValue: l.ConditionValue, Current: l.ID == x.who.LevelID,
		Deserved: l == x.level(),
	}
	if explained {
		v.Explanation = x.explain(l)
	}
	return v
}

// explain returns the rules that decide whether a check leaves the customer in a level. All pass exactly for that
// level: see docs/behaviour/levels.md#levels-of-a-customer.
func (x *levelExplainer) explain(l *level.Level) []api.Finding {
	if x.reason != "" && l == x.present {
		return []api.Finding{{Rule: x.reason, Passed: true, Need: l.ConditionValue, Have: x.value, Hint: x.whyKept()}}
	}
	findings := []api.Finding{
		{Rule: "active", Passed: l.Active, Hint: "The level is switched off."},
		{Rule: "condition", Passed: l.IsReached(x.value), Need: l.ConditionValue, Have: x.value, Hint: x.missing(l)},
	}
	if api.AllPassed(findings) {
		findings = append(findings, api.Finding{
			Rule: "highest", Passed: l == x.candidate, Have: x.candidate.Name(x.locale), Hint: "A higher level is reached.",
		})
	}
	if x.reason != "" {
		findings = append(findings, api.Finding{Rule: x.reason, Hint: x.whyKept()})
	}
	for i := range findings {
		findings[i] = findings[i].Hinted()
	}
	return findings
}

// missing tells how far a value is below the condition of a level.
func (x *levelExplainer) missing(l *level.Level) string {
	missing := (l.ConditionValue - x.value).String()
	if x.store.Settings.TierAssignType == store.TierPoints {
		return missing + " points are missing."
	}
	return missing + " " + x.store.Currency + " are missing."
}

// whyKept tells why the customer stays in the present level.
func (x *levelExplainer) whyKept() string {
	switch {
	case x.reason == nothingReached:
		return "No level is reached, so the customer stays."
	case x.reason == sameCondition:
		return "The level that is reached has the same condition, so the customer stays."
	case x.reason == setByHand:
		return "The level was set by hand, so the customer does not fall below it."
	case level.DropsAfterDays(&x.store.Settings):
		due := calendar.DayOf(measuredSince(x.who), x.store.Zone) + calendar.Day(x.store.Settings.LevelDowngradeDays)
		return "Levels fall only at the recalculation, which is due on " + due.String() + "."
	}
	return "Levels never fall in this store."
}
