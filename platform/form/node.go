// Package form decodes submitted forms of any encoding into a tree, reads typed fields from the tree, and collects
// their errors: docs/behaviour/requests.md#bodies.
package form

import (
	"iter"
	"strings"

	"punchcard/platform/keytext"
)

// Node is a value of a submitted tree: a text, an uploaded file, or children in order. A nil Node is a value that was
// not submitted; every method accepts it. A Node belongs to one goroutine.
type Node struct {
	text  string
	file  *File
	group *group // the children; nil for a text and for a file
}

// File is an uploaded file. Its name comes from the client, without folders.
type File struct {
	Name  string
	Bytes []byte
}

// group has the children of a Node, and state that is used while they are collected.
type group struct {
	ordered[*Node]
	next   int64                        // index of the next name[]: one above the largest so far; negative if none is left
	open   *Node                        // the element that the last name[] with a sub-key began
	onRead func(name string, kind Kind) // is called for children that are read, see Group.DescribeTexts
}

// Text returns the text of a scalar, empty for anything else.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// Key returns the text of a scalar in the form of keytext.Clean, empty for anything else.
func (n *Node) Key() string { return keytext.Clean(n.Text()) }

// File returns the uploaded file, nil for anything else.
func (n *Node) File() *File {
	if n == nil {
		return nil
	}
	return n.file
}

// IsGroup reports whether the node is a map or a list, even an empty one.
func (n *Node) IsGroup() bool { return n != nil && n.group != nil }

// IsList reports whether the node has no children, or only children whose names are indexes. These are numbered from
// "0" in the order of the request.
func (n *Node) IsList() bool { return n.IsGroup() && n.group.names == nil }

// Len returns the number of children.
func (n *Node) Len() int {
	if !n.IsGroup() {
		return 0
	}
	return len(n.group.values)
}

// Child returns the child with the name, nil if there is none.
func (n *Node) Child(name string) *Node { return n.child(name, KindText) }

func (n *Node) child(name string, kind Kind) *Node {
	if !n.IsGroup() {
		return nil
	}
	if n.group.onRead != nil {
		n.group.onRead(name, kind)
	}
	if i := n.group.find(name); i >= 0 {
		return n.group.values[i]
	}
	return nil
}

// Has reports whether a child with the name was submitted.
func (n *Node) Has(name string) bool { return n.Child(name) != nil }

// ID returns the text of a child that holds an id, in lower case. The id may also be the object that responses show it
// as: a group with a child of the same name.
func (n *Node) ID(name string) string {
	id := n.child(name, KindID)
	if id.IsGroup() {
		id = id.Child(name)
	}
	return strings.ToLower(trim(id.Text()))
}

// Children iterates over the children in the order in which they first appeared in the request.
func (n *Node) Children() iter.Seq2[string, *Node] {
	return func(yield func(string, *Node) bool) {
		if !n.IsGroup() {
			return
		}
		for i, child := range n.group.values {
			if !yield(n.group.name(i), child) {
				return
			}
		}
	}
}
