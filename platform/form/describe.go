package form

import (
	"slices"
	"strings"
)

// Kind is the type of a field.
type Kind int

// The kinds of fields are named after the methods of Group that read them.
const (
	KindIgnored Kind = iota // in the tree of errors, but not read
	KindText
	KindCheckbox
	KindInteger
	KindDecimal
	KindChoice
	KindUUID
	KindID // an id, or the object that holds it, see Node.ID
	KindDateTime
	KindDate
	KindFile
	KindTexts
	KindUUIDs
	KindGroup
	KindGroups
	KindMap // a group with arbitrary names, see Keys
)

// hasFields reports whether the field contains other fields.
func (k Kind) hasFields() bool { return k >= KindGroup }

// isMany reports whether the fields inside belong to each of many elements.
func (k Kind) isMany() bool { return k >= KindGroups }

// anyElement stands for every index of a list and every name of a map.
const anyElement = "*"

// Field describes a field of a form.
type Field struct {
	Name         string
	Kind         Kind
	Choices      []string // of KindChoice
	Required     bool     // whenever the group that contains it is sent
	RequiredWhen string   // condition under which it is required
	ReadWhen     string   // condition under which it is read, if it is not required then
	Fields       []*Field // of a group, or of each element of a list or map; one without a name is the element itself

	note note
	path string
}

// Limit is a bound of a field: its JSON Schema keyword, and its value as a client would send it.
type Limit struct{ Keyword, Value string }

// Limits returns the bounds of the field.
func (f *Field) Limits() []Limit {
	var limits []Limit
	for _, rule := range f.note.rules {
		if keyword := rule.keyword(); keyword != "" {
			limits = append(limits, Limit{keyword, formatDecimal(rule.bound, f.note.digits)})
		}
	}
	return limits
}

// Inclusive returns the bounds of the field, with the next number that is allowed in the place of an exclusive bound:
// generators of clients know exclusive ones only as one version of JSON Schema or the other writes them.
func (f *Field) Inclusive() []Limit {
	var limits []Limit
	for _, rule := range f.note.rules {
		keyword, bound := rule.keyword(), rule.bound
		switch keyword {
		case "":
			continue
		case "exclusiveMinimum":
			keyword, bound = "minimum", bound+1
		case "exclusiveMaximum":
			keyword, bound = "maximum", bound-1
		}
		limits = append(limits, Limit{keyword, formatDecimal(bound, f.note.digits)})
	}
	return limits
}

// Describe returns the fields that a function reads from a form, in reading order. It calls the function with an
// empty form and records which fields it reads and which it refuses when blank. For each choice, checkbox, group,
// list and map among them it calls the function again with a form that has that field, once for each value, because
// the function may read other fields then; these runs are called trials. So "limit is read, and required, when
// unlimited is 0" follows from two trials that differ in the checkbox unlimited.
//
// The alternative is a description that forms are read by. But what a form requires depends on its other fields, on
// settings of the store and on the reward type, in conditions that are plain Go in the function. A second account of
// them could differ from what the server does; this one cannot.
func Describe(read func(*Group)) []*Field {
	trials, known := []*trial{{}}, map[reading]bool{}
	root := &Field{}
	for i := 0; i < len(trials); i++ {
		trials[i].run(read)
		trials = append(trials, trials[i].next(known)...)
		root.merge(trials[i].root)
	}
	complete(root, trials)
	return root.Fields
}

// DescribeTexts adds as texts and ids the children that a function reads from a node.
func (g *Group) DescribeTexts(read func(n *Node)) {
	read(&Node{group: &group{onRead: func(name string, kind Kind) { g.at(name, note{kind: kind}) }}})
}

// note records how a field was read.
type note struct {
	kind     Kind
	digits   int // after the point, of a decimal
	choices  []string
	rules    []Rule
	presence bool // the code asked whether it was sent
}

// take adds what another reading of the field shows.
func (n *note) take(more note) {
	presence := n.presence || more.presence
	switch {
	case n.kind == KindIgnored || more.kind == KindMap:
		*n = more
	case n.kind == more.kind && n.rules == nil:
		n.rules = more.rules
	}
	n.presence = presence
}

// at returns a field of the tree of errors, which it adds if necessary, and notes how it is read.
func (g *Group) at(name string, n note) *field {
	f := g.field.child(name)
	if g.form.describing {
		if f.note == nil {
			f.note = &note{}
		}
		f.note.take(n)
	}
	return f
}

// submission is a value in the form of a trial.
type submission struct {
	name string // with brackets
	path string // the same with anyElement where a name is one of many
	text string
	kind Kind // of the field; a kind with fields is sent as an empty group
}

// trial is a run of the function with a form.
type trial struct {
	sent     []submission
	before   *trial // the trial without the last submission; nil for the empty form
	root     *field
	required map[string]bool // fields that were read, by path: whether the empty field was refused
}

func (t *trial) run(read func(*Group)) {
	b := newBuilder()
	for _, s := range t.sent {
		leaf := b.text(s.text)
		if s.kind.hasFields() {
			leaf = b.newGroup()
		}
		_ = b.set(s.name, leaf) // an error means that the name is read as a text and as a group; the first meaning counts
	}
	g := Read(b.finish())
	g.form.describing = true
	read(g)
	t.root, t.required = g.form.root, map[string]bool{}
}

// reading is a way in which a field is read. Other branches of the code may read it in other ways.
type reading struct {
	name string
	kind Kind
}

// next records the fields that the trial read, and returns further trials for those that no earlier trial read.
func (t *trial) next(known map[reading]bool) []*trial {
	var further []*trial
	var walk func(f *field, name, path string)
	walk = func(f *field, name, path string) {
		for i, child := range f.children.values {
			if child.note == nil {
				child.note = &note{} // an element of a list, or a field that is refused without being read
			}
			own := f.children.name(i)
			s := submission{name: join(name, own), path: join(path, f.nameOf(own)), kind: child.note.kind}
			if child.note.kind != KindIgnored || f.isMany() {
				others, known := t.required[s.path]
				t.required[s.path] = child.isRequired() && (others || !known) // in every element of a list or map
			}
			if way := (reading{s.name, s.kind}); !known[way] && t.sends(path) {
				known[way] = true
				for _, alternative := range child.alternatives(s) {
					further = append(further, &trial{sent: append(slices.Clone(t.sent), alternative), before: t})
				}
			}
			walk(child, s.name, s.path)
		}
	}
	walk(t.root, "", "")
	return further
}

func (f *field) isMany() bool { return f.note != nil && f.note.kind.isMany() }

// nameOf returns the name of a child in a path.
func (f *field) nameOf(child string) string {
	if f.isMany() {
		return anyElement
	}
	return child
}

// alternatives returns the submissions of a field that may make the code read other fields.
func (f *field) alternatives(s submission) []submission {
	with := func(text string) submission { return submission{s.name, s.path, text, s.kind} }
	element := func(name string) submission {
		return submission{join(s.name, name), join(s.path, anyElement), "", KindGroup}
	}
	switch {
	case s.kind == KindChoice:
		all := make([]submission, len(f.note.choices))
		for i, choice := range f.note.choices {
			all[i] = with(choice)
		}
		return all
	case s.kind == KindCheckbox:
		return []submission{with("1")}
	case s.kind == KindGroup, !s.kind.hasFields() && f.note.presence:
		return []submission{with("")}
	case s.kind == KindGroups:
		return []submission{element("0")}
	case s.kind == KindMap: // one name may be that of the default language
		return []submission{element("en"), element("key")}
	}
	return nil
}

// sends reports whether the trial submits something at the path or below it.
func (t *trial) sends(path string) bool {
	return path == "" || slices.ContainsFunc(t.sent, func(s submission) bool {
		return strings.HasPrefix(s.path+"[", path+"[")
	})
}

// isRequired reports whether the blank field, or one inside it, is refused.
func (f *field) isRequired() bool {
	return f.has(Blank) || slices.ContainsFunc(f.children.values, (*field).isRequired) ||
		f.note != nil && slices.ContainsFunc(f.note.rules, Rule.requires)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "[" + name + "]"
}

// merge adds the fields of a trial, each after the one that was read before it.
func (f *Field) merge(from *field) {
	place := 0
	for i, child := range from.children.values {
		name := from.nameOf(from.children.name(i))
		at := slices.IndexFunc(f.Fields, func(known *Field) bool { return known.Name == name })
		if at < 0 {
			at = place
			f.Fields = slices.Insert(f.Fields, at, &Field{Name: name, path: join(f.path, name)})
		}
		place = at + 1
		if child.note != nil {
			f.Fields[at].note.take(*child.note)
		}
		f.Fields[at].merge(child)
	}
}
