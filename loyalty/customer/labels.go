package customer

import (
	"slices"
	"unicode/utf8"

	"punchcard/api"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// LabelLimit is the maximum number of labels of a customer.
const LabelLimit = 1000

// errLabels is the error of invalid labels. Clients compare the message.
var errLabels = fault.New(fault.Fields, "invalid_labels", "Customer labels invalid data")

// sentLabel is a label of a request. Without a value it stands for all labels with its key.
type sentLabel struct {
	Label
	anyValue bool
}

// withLabels appends the labels that are missing, in their order.
func withLabels(labels []Label, sent []sentLabel) []Label {
	result, known := slices.Clone(labels), make(map[Label]bool, len(labels))
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
func withoutLabels(labels []Label, sent []sentLabel) []Label {
	gone, goneKeys := make(map[Label]bool, len(sent)), map[string]bool{}
	for _, l := range sent {
		if l.anyValue {
			goneKeys[l.Key] = true
		} else {
			gone[l.Label] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(labels), func(l Label) bool { return goneKeys[l.Key] || gone[l] })
}

// SetLabels replaces the labels of a locked customer and records an event. Equal labels change nothing.
func SetLabels(tx *db.Tx, s *store.Store, c *Customer, labels []Label) error {
	if slices.Equal(c.Labels, labels) {
		return nil
	}
	if !c.AnonymizedAt.IsZero() {
		return ErrAnonymized
	}
	before := *c
	c.Labels = labels
	if err := update(tx, c); err != nil {
		return err
	}
	return event.Append(tx, s.Key, detailsUpdated(s, &before, c, tx.Now()))
}

func (h Hooks) addLabels(c *api.Call) error { return h.changeLabels(c, withLabels) }

func (h Hooks) removeLabels(c *api.Call) error { return h.changeLabels(c, withoutLabels) }

func (h Hooks) changeLabels(c *api.Call, change func(labels []Label, sent []sentLabel) []Label) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(nil)
	sent, valid := readLabels(body.Child("labels"))
	group.Ignore("labels")
	err = h.change(c, func(tx *db.Tx, who *Customer, _ points.Account) error {
		labels := change(who.Labels, sent)
		if !valid || len(labels) > LabelLimit && len(labels) > len(who.Labels) {
			group.AddError("labels", errLabels)
			return group.Err()
		}
		return SetLabels(tx, c.Store, who, labels)
	})
	if err != nil {
		return err
	}
	return c.NoContent()
}

// describeLabels describes the input of readLabels.
func describeLabels(g *form.Group) {
	for _, label := range g.Groups("labels") {
		label.Text("key", form.NotBlank, form.MaxLength(textLimit))
		label.Text("value", form.MaxLength(textLimit))
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
		label := sentLabel{Label{key.Text(), value.Text()}, value == nil}
		if matchKey(label.Key) == "" || value.IsGroup() ||
			utf8.RuneCountInString(label.Key) > textLimit || utf8.RuneCountInString(label.Value) > textLimit {
			return nil, false
		}
		labels = append(labels, label)
	}
	return labels, true
}
