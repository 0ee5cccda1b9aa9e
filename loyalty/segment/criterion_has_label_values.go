package segment

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/form"
)

// hasLabelValues selects customers by keys and values of labels.
var hasLabelValues = CriterionType[HasLabels]{
	Name:       "customer_has_labels_with_values",
	Has:        func(_ *HasLabels, c Candidate) any { return append([]customer.Label{}, c.Labels...) },
	Hint:       "The customer has none of these labels.",
	Aliases:    []string{"customer_with_labels_values"}, // in older clients
	FormFields: []string{"labels"},
	Read:       func(g *form.Group, _ *store.Store) *HasLabels { return &HasLabels{readLabels(g, requiredValue)} },
	Matches:    (*HasLabels).matches,
}
