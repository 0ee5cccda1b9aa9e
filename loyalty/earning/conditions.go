package earning

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/transaction"
)

// trial asks whether a rule pays a customer.
type trial struct {
	rule  *Rule
	who   Earner
	at    time.Time
	posID string
	uses  int64  // of a rule with a limit, in its window
	names *names // to explain; otherwise nil
}

// condition is a condition of a rule.
type condition struct {
	name    string
	applies func(t *trial) bool // nil means always
	check   func(t *trial) bool
	// describe adds what is needed and what there is, and a hint if the condition is broken.
	describe func(t *trial, f *api.Finding)
}

// conditions are those of all rules, in the order of docs/behaviour/earning-rules.md#who-may-earn. The limit comes
// last.
var conditions = []condition{
	{name: "active", check: isOn, describe: describeOn},
	{name: "time", applies: hasTime, check: isInTime, describe: describeTime},
	{name: "pos", applies: hasPOS, check: isAtPOS, describe: describePOS},
	{name: "customer", applies: isForMembers, check: isActiveEarner, describe: describeEarner},
	{name: "target", applies: isForMembers, check: isMeant, describe: describeTarget},
	{name: "limit", applies: hasLimit, check: hasUsesLeft, describe: describeLimit},
}

// isUsable reports whether the trial passes all conditions but the limit, which needs further data.
func (t *trial) isUsable() bool {
	for i := range conditions[:len(conditions)-1] {
		if c := &conditions[i]; (c.applies == nil || c.applies(t)) && !c.check(t) {
			return false
		}
	}
	return true
}

// explain returns the conditions that apply.
func (t *trial) explain() (findings []api.Finding) {
	for i := range conditions {
		c := &conditions[i]
		if c.applies != nil && !c.applies(t) {
			continue
		}
		f := api.Finding{Rule: c.name, Passed: c.check(t)}
		c.describe(t, &f)
		findings = append(findings, f.Hinted())
	}
	return findings
}

func hasTime(t *trial) bool { return !t.rule.AllTime }

func hasPOS(t *trial) bool { return len(t.rule.Definition.POS) > 0 }

// isForMembers reports whether the customer matters: a new one may have no level and is not activated yet.
func isForMembers(t *trial) bool { return t.rule.Type != Event || t.rule.EventName != accountCreated }

func hasLimit(t *trial) bool { return t.rule.Definition.Limit.Active }

func isOn(t *trial) bool { return t.rule.Active }

func isInTime(t *trial) bool {
	return t.rule.AllTime || !t.at.Before(t.rule.StartAt) && !t.at.After(t.rule.EndAt)
}

// isRunning reports whether a rule is on at a time.
func isRunning(r *Rule, at time.Time) bool {
	t := trial{rule: r, at: at}
	return isOn(&t) && isInTime(&t)
}

func isAtPOS(t *trial) bool { return slices.Contains(t.rule.Definition.POS, t.posID) }

func isActiveEarner(t *trial) bool { return t.who.Active }

func isMeant(t *trial) bool {
	d := &t.rule.Definition
	return d.Everybody || slices.Contains(d.Levels, t.who.LevelID) ||
		slices.ContainsFunc(t.who.Segments, func(id string) bool { return slices.Contains(d.Segments, id) })
}

func hasUsesLeft(t *trial) bool {
	limit := &t.rule.Definition.Limit
	return !limit.Active || t.uses < limit.Uses
}

// Condition is a condition of a type of rules that a sale must keep.
type Condition struct {
	Name string // in explanations
	// Skips means that a rule whose condition is broken did not count, so that it is never the last one.
	Skips bool
	// Applies reports whether a rule has the condition; nil means always.
	Applies func(r *Rule) bool
	Check   func(e *Evaluation, r *Rule) bool
	// Describe adds what is needed and what there is, and a hint for a broken condition. It may be nil.
	Describe func(e *Evaluation, r *Rule, f *api.Finding)
}

// ofSales are the conditions of all rules for a sale, before those of their types.
var ofSales = []Condition{
	{Name: "order", Skips: true, Check: func(e *Evaluation, _ *Rule) bool { return e.last == nil },
		Describe: describeOrder},
}

// keeps reports whether a sale keeps the conditions of a rule, and if not, whether the rule counts nevertheless.
func (e *Evaluation) keeps(t *RuleType, r *Rule) (all, counts bool) {
	if t.Step == 0 {
		return false, false
	}
	for _, some := range [][]Condition{ofSales, t.Conditions} {
		for i := range some {
			if c := &some[i]; (c.Applies == nil || c.Applies(r)) && !c.Check(e, r) {
				return false, !c.Skips
			}
		}
	}
	return true, true
}

// explain returns the conditions for the sale.
func (e *Evaluation) explain(t *RuleType, r *Rule) (findings []api.Finding) {
	if t.Step == 0 {
		return []api.Finding{{Rule: "type", Have: r.Type, Hint: "Rules of this type do not pay for sales."}}
	}
	for _, c := range slices.Concat(ofSales, t.Conditions) {
		if c.Applies != nil && !c.Applies(r) {
			continue
		}
		f := api.Finding{Rule: c.Name, Passed: c.Check(e, r)}
		if c.Describe != nil {
			c.Describe(e, r, &f)
		}
		findings = append(findings, f.Hinted())
	}
	return findings
}

// has reports whether any line of the sale matches.
func (e *Evaluation) has(matches func(*transaction.Item) bool) bool {
	for i := range e.Sale.Items {
		if matches(&e.Sale.Items[i]) {
			return true
		}
	}
	return false
}

// matchingLine is the condition that a line matches the rule.
func matchingLine(matches func(*Rule, *transaction.Item) bool) Condition {
	return Condition{
		Name: "lines",
		Check: func(e *Evaluation, r *Rule) bool {
			return e.has(func(i *transaction.Item) bool { return matches(r, i) })
		},
		Describe: func(e *Evaluation, r *Rule, f *api.Finding) {
			n := 0
			for i := range e.Sale.Items {
				if matches(r, &e.Sale.Items[i]) {
					n++
				}
			}
			f.Need, f.Have, f.Hint = 1, n, "No line has one of the products or labels."
		},
	}
}

// earnedBefore is the condition that products with a matching line have points from rules before.
func earnedBefore(matches func(*Rule, *transaction.Item) bool) Condition {
	return Condition{
		Name: "earned",
		Check: func(e *Evaluation, r *Rule) bool {
			return e.has(func(i *transaction.Item) bool { return e.points[i.SKU].Sign() != 0 && matches(r, i) })
		},
		Describe: func(e *Evaluation, r *Rule, f *api.Finding) {
			sum, seen := new(big.Rat), map[transaction.SKU]bool{}
			for i := range e.Sale.Items {
				if line := &e.Sale.Items[i]; !seen[line.SKU] && matches(r, line) {
					seen[line.SKU] = true
					sum.Add(sum, e.points[line.SKU])
				}
			}
			f.Have, f.Hint = exactly(sum), "The rules before it give its products no points to multiply."
		},
	}
}

// exactly returns a number of hundredths as a number of points, cut off after two digits.
func exactly(hundredths *big.Rat) Amount {
	whole := new(big.Int).Quo(hundredths.Num(), hundredths.Denom())
	if limit := big.NewInt(int64(PointsLimit)); whole.CmpAbs(limit) > 0 {
		return PointsLimit
	}
	return Amount(whole.Int64())
}

func describeOrder(e *Evaluation, _ *Rule, f *api.Finding) {
	if e.last != nil {
		f.Hint = fmt.Sprintf("The rule %s ends the evaluation before it.", e.last.Name)
	}
}
