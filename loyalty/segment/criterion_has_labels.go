package segment

import (
	"slices"
	"strings"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/form"
)

// HasLabels selects customers who have one of the labels.
type HasLabels struct {
	Labels []Label `json:"labels"`
}

// hasLabels selects customers by the keys of labels alone.
var hasLabels = CriterionType[HasLabels]{
	Name:       "customer_has_labels",
	Has:        func(_ *HasLabels, c Candidate) any { return append([]customer.Label{}, c.Labels...) },
	Hint:       "The customer has none of these labels.",
	FormFields: []string{"labels"},
	Read:       func(g *form.Group, _ *store.Store) *HasLabels { return &HasLabels{readLabels(g, noValue)} },
	Matches:    (*HasLabels).matches,
}

// matches ignores case. A label without a value matches any value.
func (h *HasLabels) matches(c Candidate) bool {
	return slices.ContainsFunc(h.Labels, func(wanted Label) bool {
		return slices.ContainsFunc(c.Labels, func(l customer.Label) bool {
			return strings.EqualFold(l.Key, wanted.Key) &&
				(wanted.Value == "" || strings.EqualFold(l.Value, wanted.Value))
		})
	})
}
