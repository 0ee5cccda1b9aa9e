package segment

import "punchcard/platform/form"

// hasLabelValues selects customers by keys and values of labels.
var hasLabelValues = CriterionType[HasLabels]{
	Name:       "customer_has_labels_with_values",
	FormFields: []string{"labels"},
	Read:       func(g *form.Group) *HasLabels { return &HasLabels{readLabels(g, requiredValue)} },
	Matches:    (*HasLabels).matches,
}
