package customerapi

import (
	"slices"
	"unicode/utf8"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// errLabels is the error of invalid labels. Clients compare the message.
var errLabels = fault.New(fault.Fields, "invalid_labels", "Customer labels invalid data")

// sentLabel is a label of a request. Without a value it stands for all labels with its key.
type sentLabel struct {
	customer.Label
	anyValue bool
}

// withLabels appends the labels that are missing, in their order.
func withLabels(labels []customer.Label, sent []sentLabel) []customer.Label {
	result, known := slices.Clone(labels), make(map[customer.Label]bool, len(labels))
	for _, l := range labels {
		known[l] = true
	}
	for _, l := range sent {
		if !known[l.Label] {
			known[l.Label] = true
			result = append(result, l.Label)
		}
	}
	return result
}

// withoutLabels removes exact pairs, and all labels whose key was sent without a value.
func withoutLabels(labels []customer.Label, sent []sentLabel) []customer.Label {
	gone, goneKeys := make(map[customer.Label]bool, len(sent)), map[string]bool{}
	for _, l := range sent {
		if l.anyValue {
			goneKeys[l.Key] = true
		} else {
			gone[l.Label] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(labels), func(l customer.Label) bool { return goneKeys[l.Key] || gone[l] })
}

// changeLabels returns the operation that replaces the labels of a customer.
func changeLabels(changed func(labels []customer.Label, sent []sentLabel) []customer.Label) api.Operation {
	return change(api.UnreadBody(describeLabels),
		func(w *api.Writing, who *customer.Customer, body *form.Node) (none api.NoContent, err error) {
			sent, valid := readLabels(body.Child("labels"))
			labels := changed(who.Labels, sent)
			if !valid || len(labels) > customer.LabelLimit && len(labels) > len(who.Labels) {
				return none, w.Refuse("labels", errLabels)
			}
			return none, customer.SetLabels(w.Tx, w.Store, who, labels)
		})
}

// describeLabels describes the input of readLabels.
func describeLabels(g *form.Group) {
	for _, label := range g.Groups("labels") {
		label.Key("key", form.NotBlank, form.MaxLength(customer.TextLimit))
		label.Text("value", form.MaxLength(customer.TextLimit))
	}
}

// readLabels reads a list of pairs. It returns false if the input is not a list, or a key is missing or
// blank.
func readLabels(list *form.Node) (labels []sentLabel, valid bool) {
	if !list.IsList() {
		return nil, false
	}
	for _, entry := range list.Children() {
		key, value := entry.Child("key"), entry.Child("value")
		label := sentLabel{customer.Label{Key: key.Key(), Value: value.Text()}, value == nil}
		if label.Key == "" || value.IsGroup() ||
			utf8.RuneCountInString(label.Key) > customer.TextLimit || utf8.RuneCountInString(label.Value) > customer.TextLimit {
			return nil, false
		}
		labels = append(labels, label)
	}
	return labels, true
}
