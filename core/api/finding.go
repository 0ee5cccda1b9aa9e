package api

// Finding is a rule that decided about something, and whether it was kept. See docs/behaviour/offers.md#explanations.
type Finding struct {
	Rule   string `json:"rule"`
	Passed bool   `json:"passed"`
	Need   any    `json:"need,omitempty"`
	Have   any    `json:"have,omitempty"`
	Hint   string `json:"hint,omitempty"` // only of a broken rule
}

// Hinted returns the finding with its hint only if the rule was broken.
func (f Finding) Hinted() Finding {
	if f.Passed {
		f.Hint = ""
	}
	return f
}

// AllPassed reports whether no finding is a broken rule.
func AllPassed(findings []Finding) bool {
	for i := range findings {
		if !findings[i].Passed {
			return false
		}
	}
	return true
}
