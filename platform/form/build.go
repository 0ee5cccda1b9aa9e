package form

import (
	"strconv"
	"strings"
)

// builder builds a tree from names and values in the order of the request.
type builder struct {
	root   *Node
	values int      // values and groups so far, against MaxFields
	groups []*group // all groups, packed at the end
	path   []string // keys of the current name
	spare  []Node   // unused nodes of the last allocation
	made   int      // size of the last allocation
}

func newBuilder() *builder {
	b := &builder{path: make([]string, 0, MaxDepth)}
	b.root = b.newGroup()
	b.values = 0 // the root is not counted
	return b
}

func (b *builder) node(n Node) *Node {
	if len(b.spare) == 0 {
		b.made = min(max(8, 2*b.made), 1024)
		b.spare = make([]Node, b.made)
	}
	b.values++
	next := &b.spare[0]
	b.spare = b.spare[1:]
	*next = n
	return next
}

func (b *builder) text(text string) *Node { return b.node(Node{text: text}) }

func (b *builder) newGroup() *Node {
	g := &group{}
	b.groups = append(b.groups, g)
	return b.node(Node{group: g})
}

// set adds leaf under a name with brackets. The last of two scalars with one name wins.
func (b *builder) set(name string, leaf *Node) error {
	if !b.split(name) {
		return invalid("form: malformed name")
	}
	at, last := b.root.group, len(b.path)-1
	for i, key := range b.path[:last] {
		child, ok := b.descend(at, key, b.path[i+1:])
		if !ok {
			return invalid("form: no index left")
		}
		if child.group == nil {
			return invalid("form: both a value and a group")
		}
		at = child.group
	}
	if b.values > MaxFields {
		return invalid("form: too many fields")
	}
	if b.path[last] == "" {
		if !at.push(leaf) {
			return invalid("form: no index left")
		}
		return nil
	}
	if i := at.find(b.path[last]); i >= 0 {
		if at.values[i].group != nil {
			return invalid("form: both a value and a group")
		}
		at.values[i] = leaf
		return nil
	}
	at.put(b.path[last], leaf)
	return nil
}

// split splits name[key][key]… into b.path. An empty key means the next index; it cannot follow another empty key.
func (b *builder) split(name string) bool {
	if len(name) > MaxNameBytes {
		return false
	}
	key, rest := name, ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		key, rest = name[:i], name[i:]
	}
	if key == "" || strings.IndexByte(key, ']') >= 0 {
		return false
	}
	b.path = append(b.path[:0], key)
	for rest != "" {
		end := strings.IndexByte(rest, ']')
		if rest[0] != '[' || end < 0 || len(b.path) == MaxDepth {
			return false
		}
		key, rest = rest[1:end], rest[end+1:]
		if strings.IndexByte(key, '[') >= 0 || key == "" && b.path[len(b.path)-1] == "" {
			return false
		}
		b.path = append(b.path, key)
	}
	return true
}

// descend returns the child of g under key, and adds it if it is new. An empty key means the element that the last
// empty key began, unless that has a value for the rest of the name: c[][used]=1&c[][code]=x is one element, and a
// second c[][used] begins another.
func (b *builder) descend(g *group, key string, rest []string) (child *Node, ok bool) {
	if key == "" {
		if g.open != nil && !isTaken(g.open, rest) {
			return g.open, true
		}
		g.open = b.newGroup()
		return g.open, g.push(g.open)
	}
	if i := g.find(key); i >= 0 {
		return g.values[i], true
	}
	child = b.newGroup()
	g.put(key, child)
	return child, true
}

func isTaken(n *Node, path []string) bool {
	for _, key := range path {
		if n = n.Child(key); n == nil {
			return false // also for an empty key, because there is always a next index
		}
	}
	return true
}

// put adds a child under a new name.
func (g *group) put(name string, child *Node) {
	if i, ok := parseIndex(name); ok && i >= g.next {
		g.next = i + 1
	}
	g.add(name, child)
}

// push adds a child under the next index. It returns false if the largest index is taken.
func (g *group) push(child *Node) bool {
	if g.next < 0 {
		return false
	}
	if g.names == nil {
		g.values = append(g.values, child)
		g.next++
		return true
	}
	g.put(strconv.FormatInt(g.next, 10), child)
	return true
}

// finish packs every group and returns the tree.
func (b *builder) finish() *Node {
	for _, g := range b.groups {
		g.pack()
	}
	return b.root
}

// pack turns a group whose names are all indexes into a list in the order of the request.
func (g *group) pack() {
	for _, name := range g.names {
		if _, ok := parseIndex(name); !ok {
			return
		}
	}
	g.names, g.places = nil, nil
}
