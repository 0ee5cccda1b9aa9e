package customer

import (
	"slices"
	"unicode/utf8"

	"punchcard/api"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/form"
)

// LabelLimit is how many labels a customer has at most.
const LabelLimit = 1000

// invalidLabels is what clients are told of labels that make no sense, and compare.
const invalidLabels = "Customer labels invalid data"

// sentLabel is a label of a request; without a value it stands for all with its key.
type sentLabel struct {
	Label
	anyValue bool
}

// withLabels adds labels that are not there yet, in their order.
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

// withoutLabels leaves out exact pairs, and every label of a key that was sent without a value.
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

// SetLabels gives a locked customer the labels and tells of it. The same labels change nothing.
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
	return event.Append(tx, s.Key, detailsUpdated(s, &before, c, tx.Now))
}

// addLabels implements endpoint 35.
func (h Hooks) addLabels(c *api.Call) error { return h.changeLabels(c, withLabels) }

// removeLabels implements endpoint 36.
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
			group.AddError("labels", invalidLabels)
			return group.Err()
		}
		return SetLabels(tx, c.Store, who, labels)
	})
	if err != nil {
		return err
	}
	return c.NoContent()
}

// describeLabels describes what readLabels reads.
func describeLabels(g *form.Group) {
	for _, label := range g.Groups("labels") {
		label.Text("key", form.NotBlank, form.MaxLength(textLimit))
		label.Text("value", form.MaxLength(textLimit))
	}
}

// readLabels reads the list of pairs; valid is false when it is none or a key is missing or blank.
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
