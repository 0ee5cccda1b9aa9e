package form

import (
	"slices"
	"strings"
)

// Kind says as what a field is read.
type Kind int

// The kinds of fields, after the methods of Group that read them.
const (
	KindIgnored Kind = iota // listed, but not read
	KindText
	KindCheckbox
	KindInteger
	KindDecimal
	KindChoice
	KindUUID
	KindDateTime
	KindDate
	KindFile
	KindTexts
	KindUUIDs
	KindGroup
	KindGroups
	KindMap // a group whose names are data, see Keys
)

// hasFields says whether other fields are inside.
func (k Kind) hasFields() bool { return k >= KindGroup }

// isMany says whether what is inside belongs to each of many elements.
func (k Kind) isMany() bool { return k >= KindGroups }

// anyElement is the name that stands for every index of a list and every name of a map.
const anyElement = "*"

// Field is one field of a form as the code that reads it treats it.
type Field struct {
	Name         string
	Kind         Kind
	Choices      []string // of KindChoice
	Required     bool     // whenever the group around it is sent
	RequiredWhen string   // the condition under which it must be sent
	ReadWhen     string   // the condition under which it means anything, when it may also be left out then
	Fields       []*Field // of a group, and of each element of a list or map; one without a name is the element itself

	note note
	path string
}

// Limit is a bound of a field under its JSON Schema keyword, in the words of a submitted value.
type Limit struct{ Keyword, Value string }

// Limits are the field's bounds.
func (f *Field) Limits() []Limit {
	var limits []Limit
	for _, rule := range f.note.rules {
		if keyword := rule.keyword(); keyword != "" {
			limits = append(limits, Limit{keyword, formatDecimal(rule.bound, f.note.digits)})
		}
	}
	return limits
}

// Describe lists the fields that read reads, in its order. It runs read on an empty form, and again for every
// choice, checkbox, list and map that read asks for, with that one filled in, so that it also meets the fields
// that are read only then.
func Describe(read func(*Group)) []*Field {
	trials, known := []*trial{{}}, map[reading]bool{}
	root := &Field{}
	for i := 0; i < len(trials); i++ {
		trials[i].run(read)
		trials = append(trials, trials[i].next(known)...)
		root.merge(trials[i].root)
	}
	judge(root, trials)
	return root.Fields
}

// DescribeTexts lists as texts the children that read asks an empty node for.
func (g *Group) DescribeTexts(read func(n *Node)) {
	read(&Node{group: &group{asked: func(name string) { g.at(name, note{kind: KindText}) }}})
}

// note is what reading a field tells about it.
type note struct {
	kind    Kind
	digits  int // after the point, of a decimal
	choices []string
	rules   []Rule
	asked   bool // whether it was sent makes a difference
}

// take adds what a further reading of the same field tells.
func (n *note) take(more note) {
	asked := n.asked || more.asked
	switch {
	case n.kind == KindIgnored || more.kind == KindMap:
		*n = more
	case n.kind == more.kind && n.rules == nil:
		n.rules = more.rules
	}
	n.asked = asked
}

// at finds or makes a field in the tree of errors, and notes how it is read.
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

// submission is one value that a trial fills in.
type submission struct {
	name string // with brackets
	path string // the same with anyElement where a name is one of many
	text string
	kind Kind // of the field; one with fields is sent as an empty group
}

// trial is one run of the reading code.
type trial struct {
	sent   []submission
	before *trial // the same without the last submission; nil for the empty form
	root   *field
	met    map[string]bool // the fields read, by path: whether the empty field was refused
}

func (t *trial) run(read func(*Group)) {
	b := newBuilder()
	for _, s := range t.sent {
		leaf := b.text(s.text)
		if s.kind.hasFields() {
			leaf = b.newGroup()
		}
		_ = b.set(s.name, leaf) // a name that is read as a text and as a group keeps the first meaning
	}
	g := Read(b.finish())
	g.form.describing = true
	read(g)
	t.root, t.met = g.form.root, map[string]bool{}
}

// reading is one way in which a field is read; another branch may read it in another way.
type reading struct {
	name string
	kind Kind
}

// next notes what the trial met, and returns a trial for each alternative that no earlier one met.
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
				others, met := t.met[s.path]
				t.met[s.path] = child.demanded() && (others || !met) // by every element of a list or map
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

// nameOf is a child's name in a path.
func (f *field) nameOf(child string) string {
	if f.isMany() {
		return anyElement
	}
	return child
}

// alternatives are what may be sent for the field so that the code goes another way.
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
	case s.kind == KindGroup, !s.kind.hasFields() && f.note.asked:
		return []submission{with("")}
	case s.kind == KindGroups:
		return []submission{element("0")}
	case s.kind == KindMap: // one name may be that of the default language
		return []submission{element("en"), element("key")}
	}
	return nil
}

// sends says whether the trial submits something at the path or below it.
func (t *trial) sends(path string) bool {
	return path == "" || slices.ContainsFunc(t.sent, func(s submission) bool {
		return strings.HasPrefix(s.path+"[", path+"[")
	})
}

// demanded says whether a blank field is refused, for itself or for one inside.
func (f *field) demanded() bool {
	return f.has(Blank) || slices.ContainsFunc(f.children.values, (*field).demanded) ||
		f.note != nil && slices.ContainsFunc(f.note.rules, Rule.demands)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "[" + name + "]"
}

// merge adds the fields of one trial, each behind the one that was read before it.
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
