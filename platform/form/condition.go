package form

import (
	"slices"
	"strings"
)

// complete sets kinds and conditions of the fields below f, which are merged from all trials. It removes fields that
// are never read.
func complete(f *Field, trials []*trial) {
	families := familiesOf(trials)
	var walk func(f *Field)
	walk = func(f *Field) {
		for _, child := range f.Fields {
			child.Kind, child.Choices = child.note.kind, child.note.choices
			child.Required = requiredIn(child, f, trials)
			for _, family := range families {
				family.addConditions(child, f)
			}
			walk(child)
		}
		f.Fields = slices.DeleteFunc(f.Fields, func(child *Field) bool {
			return child.Kind == KindIgnored && len(child.Fields) == 0
		})
		if len(f.Fields) == 1 && f.Fields[0].Name == anyElement {
			f.Fields = f.Fields[0].elements()
		}
	}
	walk(f)
}

// elements returns the fields of each element, or the element itself if it has none.
func (f *Field) elements() []*Field {
	if f.Kind.hasFields() || f.Kind == KindIgnored {
		return f.Fields
	}
	f.Name = ""
	return []*Field{f}
}

// requiredIn reports whether the field is refused in every trial that sends the group without it.
func requiredIn(f, group *Field, trials []*trial) bool {
	required := false
	for _, t := range trials {
		if !t.sends(group.path) || t.sends(f.path) {
			continue
		}
		if !t.required[f.path] {
			return false
		}
		required = true
	}
	return required
}

// family has trials that differ only in the value of one choice or checkbox.
type family struct {
	field  string // its path
	trials []*trial
	values []string
}

func familiesOf(trials []*trial) []*family {
	var all []*family
	for _, t := range trials[1:] {
		last := t.sent[len(t.sent)-1]
		if last.kind != KindChoice && last.kind != KindCheckbox {
			continue
		}
		at := slices.IndexFunc(all, func(known *family) bool { return known.field == last.path })
		if at < 0 {
			at = len(all)
			all = append(all, &family{field: last.path})
			if last.kind == KindCheckbox {
				all[at].add(t.before, "0")
			}
		}
		all[at].add(t, last.text)
	}
	return all
}

// add adds a trial with the value.
func (y *family) add(t *trial, value string) {
	y.trials, y.values = append(y.trials, t), append(y.values, value)
}

// addConditions adds the values for which f is read and required, unless it is for all values.
func (y *family) addConditions(f, group *Field) {
	if strings.HasPrefix(y.field+"[", f.path+"[") {
		return
	}
	count := 0 // trials that send the group
	var reading, requiring []string
	for i, t := range y.trials {
		if t.sends(group.path) {
			count++
		}
		required, read := t.required[f.path]
		if read {
			reading = append(reading, y.values[i])
		}
		if required {
			requiring = append(requiring, y.values[i])
		}
	}
	if len(requiring) > 0 && len(requiring) < count {
		f.RequiredWhen = and(f.RequiredWhen, y.condition(requiring))
	}
	if len(reading) > 0 && len(reading) < count && len(reading) > len(requiring) {
		f.ReadWhen = and(f.ReadWhen, y.condition(reading))
	}
}

// condition describes the values in words: by these, or by the others if they are fewer.
func (y *family) condition(values []string) string {
	name := strings.TrimSuffix(y.field[strings.LastIndexByte(y.field, '[')+1:], "]")
	if 2*len(values) <= len(y.values)+1 {
		return name + " is " + strings.Join(values, " or ")
	}
	others := slices.DeleteFunc(slices.Clone(y.values), func(v string) bool { return slices.Contains(values, v) })
	if len(others) == 1 {
		return name + " is not " + others[0]
	}
	return name + " is none of " + strings.Join(others, ", ")
}

func and(condition, more string) string {
	if condition == "" {
		return more
	}
	return condition + " and " + more
}
