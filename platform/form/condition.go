package form

import (
	"slices"
	"strings"
)

// judge completes the fields below f, whose names and notes are merged: when they are read and when demanded.
// Fields that are never read are left out.
func judge(f *Field, trials []*trial) {
	families := familiesOf(trials)
	var walk func(f *Field)
	walk = func(f *Field) {
		for _, child := range f.Fields {
			child.Kind, child.Choices = child.note.kind, child.note.choices
			child.Required = demandedIn(child, f, trials)
			for _, family := range families {
				family.judge(child, f)
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

// elements are the fields of each element, or the element itself where it has none.
func (f *Field) elements() []*Field {
	if f.Kind.hasFields() || f.Kind == KindIgnored {
		return f.Fields
	}
	f.Name = ""
	return []*Field{f}
}

// demandedIn says whether every trial that sends the group without the field has it refused.
func demandedIn(f, group *Field, trials []*trial) bool {
	demanded := false
	for _, t := range trials {
		if !t.sends(group.path) || t.sends(f.path) {
			continue
		}
		if !t.met[f.path] {
			return false
		}
		demanded = true
	}
	return demanded
}

// family is the trials that differ in one choice or checkbox only, by its value.
type family struct {
	driver string // path of the field that differs
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
		at := slices.IndexFunc(all, func(known *family) bool { return known.driver == last.path })
		if at < 0 {
			at = len(all)
			all = append(all, &family{driver: last.path})
			if last.kind == KindCheckbox {
				all[at].add(t.before, "0")
			}
		}
		all[at].add(t, last.text)
	}
	return all
}

func (y *family) add(t *trial, value string) {
	y.trials, y.values = append(y.trials, t), append(y.values, value)
}

// judge tells for which values of the driver the field is read and demanded, where that is not for all.
func (y *family) judge(f, group *Field) {
	if strings.HasPrefix(y.driver+"[", f.path+"[") {
		return
	}
	open := 0 // trials that send the group
	var reading, demanding []string
	for i, t := range y.trials {
		if t.sends(group.path) {
			open++
		}
		demanded, read := t.met[f.path]
		if read {
			reading = append(reading, y.values[i])
		}
		if demanded {
			demanding = append(demanding, y.values[i])
		}
	}
	if len(demanding) > 0 && len(demanding) < open {
		f.RequiredWhen = also(f.RequiredWhen, y.words(demanding))
	}
	if len(reading) > 0 && len(reading) < open && len(reading) > len(demanding) {
		f.ReadWhen = also(f.ReadWhen, y.words(reading))
	}
}

// words tells a condition, by the shorter of the two lists.
func (y *family) words(values []string) string {
	name := strings.TrimSuffix(y.driver[strings.LastIndexByte(y.driver, '[')+1:], "]")
	if 2*len(values) <= len(y.values)+1 {
		return name + " is " + strings.Join(values, " or ")
	}
	others := slices.DeleteFunc(slices.Clone(y.values), func(v string) bool { return slices.Contains(values, v) })
	if len(others) == 1 {
		return name + " is not " + others[0]
	}
	return name + " is none of " + strings.Join(others, ", ")
}

func also(condition, more string) string {
	if condition == "" {
		return more
	}
	return condition + " and " + more
}
