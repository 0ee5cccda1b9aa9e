// Package form turns a submitted form into one tree whatever its encoding, reads typed fields from
// the tree, and collects what is wrong with them.
package form

import "iter"

// Node is one value of a submitted tree: a text, an uploaded file, or children in order. A nil Node
// is a value that was not submitted; every method takes it. A Node belongs to one goroutine.
type Node struct {
	text  string
	file  *File
	group *group // the children; nil for a text and for a file
}

// File is an uploaded file. Its name is what the client says, without folders.
type File struct {
	Name  string
	Bytes []byte
}

// group is the children of a Node, with what is needed while they are collected.
type group struct {
	ordered[*Node]
	next  int64             // the index that name[] takes: one above the largest so far; negative when none is left
	open  *Node             // the element that the last name[] with a sub-key began
	asked func(name string) // receives the names of the children that are read, see Group.Asked
}

// Text returns the text of a scalar, empty for anything else.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// File returns the uploaded file, nil for anything else.
func (n *Node) File() *File {
	if n == nil {
		return nil
	}
	return n.file
}

// IsGroup says whether the node may have children: a map or a list, even an empty one.
func (n *Node) IsGroup() bool { return n != nil && n.group != nil }

// IsList says whether the node has no children, or children that were sent with indexes for names. They count anew
// from "0", in the order of the request.
func (n *Node) IsList() bool { return n.IsGroup() && n.group.names == nil }

// Len returns the number of children.
func (n *Node) Len() int {
	if !n.IsGroup() {
		return 0
	}
	return len(n.group.values)
}

// Child returns the child with the name, nil when there is none.
func (n *Node) Child(name string) *Node {
	if !n.IsGroup() {
		return nil
	}
	if n.group.asked != nil {
		n.group.asked(name)
	}
	if i := n.group.find(name); i >= 0 {
		return n.group.values[i]
	}
	return nil
}

// Has says whether a child with the name was submitted.
func (n *Node) Has(name string) bool { return n.Child(name) != nil }

// Children walks the children in the order in which they first appeared in the request.
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
