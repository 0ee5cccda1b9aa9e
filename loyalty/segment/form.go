package segment

import (
	"slices"

	"punchcard/core/store"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// Limits of the rules of a segment.
const (
	PartLimit      = 100
	CriterionLimit = 100    // in a part
	EntryLimit     = 1000   // entries of a list in a criterion
	CustomerLimit  = 10_000 // customers of a list

	nameLimit        = 255    // characters
	descriptionLimit = 65_535 // characters
)

// Draft is a segment as sent by a client.
type Draft struct {
	Name, Description string
	Active            bool
	Parts             []Part
}

// read reads the form of a segment.
func (svc *Service) read(g *form.Group, s *store.Store) Draft {
	d := Draft{
		Name:        g.Text("name", form.NotBlank, form.MaxLength(nameLimit)),
		Description: g.Text("description", form.MaxLength(descriptionLimit)),
		Active:      g.Checkbox("active"),
	}
	d.Parts = svc.readParts(g, s)
	return d
}

func (svc *Service) readParts(g *form.Group, s *store.Store) []Part {
	groupsOfParts := groups(g, "parts", PartLimit)
	parts := make([]Part, len(groupsOfParts))
	for i, part := range groupsOfParts {
		criteria := groups(part, "criteria", CriterionLimit)
		parts[i].Criteria = make([]Criterion, len(criteria))
		for j, criterion := range criteria {
			parts[i].Criteria[j] = svc.readCriterion(criterion, s)
		}
	}
	return parts
}

func (svc *Service) readCriterion(g *form.Group, s *store.Store) Criterion {
	c := Criterion{Type: g.Choice("type", slices.Concat(svc.names, svc.aliases), form.NotBlank)}
	kind, known := svc.byName[c.Type]
	if !known {
		return c
	}
	c.Fields = kind.read(g, s)
	for _, other := range svc.names {
		for _, field := range svc.byName[other].formFields() {
			if !slices.Contains(kind.formFields(), field) && g.HasValue(field) {
				g.AddError(field, form.Invalid("not_for_this_type"))
			}
		}
	}
	return c
}

// groups reads a list that must not be empty.
func groups(g *form.Group, name string, limit int) []*form.Group {
	found := g.Groups(name)
	if len(found) == 0 && !g.Failed(name) {
		g.AddError(name, form.NoItems)
	}
	if bounded(g, name, len(found), limit) {
		return found
	}
	return nil
}

func bounded(g *form.Group, name string, n, limit int) bool {
	if n > limit {
		g.AddError(name, form.TooMany.With(limit))
	}
	return n <= limit
}

// inOrder refuses a range that ends before it begins.
func inOrder(g *form.Group, isInOrder bool, from, to string) {
	if !isInOrder && !g.Failed(from) && !g.Failed(to) {
		g.AddError(to, form.Invalid("range_reversed"))
	}
}

func texts(g *form.Group, name string, limit int) []string {
	found := g.KeyTexts(name, form.MinItems(1), form.MaxLength(nameLimit))
	if !bounded(g, name, len(found), limit) {
		return nil
	}
	return found
}

// labelValue is the rule for the values of labels.
type labelValue int

const (
	noValue labelValue = iota
	optionalValue
	requiredValue
)

// Label is a key with a value. An empty value stands for any.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value,omitempty"`
}

// folded returns the label in the form in which labels are compared: in lower case.
func (l Label) folded() Label { return Label{keytext.Fold(l.Key), keytext.Fold(l.Value)} }

func readLabels(g *form.Group, value labelValue) []Label {
	labels := []Label{}
	for _, entry := range groups(g, "labels", EntryLimit) {
		label := Label{Key: entry.Key("key", form.NotBlank, form.MaxLength(nameLimit))}
		switch value {
		case optionalValue:
			label.Value = entry.Key("value", form.MaxLength(nameLimit))
		case requiredValue:
			label.Value = entry.Key("value", form.NotBlank, form.MaxLength(nameLimit))
		}
		labels = append(labels, label)
	}
	return labels
}

// setOf returns the values as a set.
func setOf(values []string) map[string]bool {
	set := make(map[string]bool, len(values))
	for _, value := range values {
		set[value] = true
	}
	return set
}
