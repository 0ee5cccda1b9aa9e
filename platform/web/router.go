package web

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Route is one endpoint. Path is made of literal segments and parameters, such as
// /api/{storeCode}/campaign/{campaign}; the last segment may be {name...}, which takes the rest of the path,
// slashes included. A GET route serves HEAD too.
//
// Of all routes that match the path and method of a request, the one with a literal segment at the leftmost place where
// they differ is chosen. It is the one that net/http.ServeMux chooses, but ServeMux refuses some pairs, such as
// /customer/transaction/{id} beside /customer/{id}/status. Right after APIPrefix a literal is final: a word that begins
// one path is never read as a parameter of another. A route with {name...} takes only paths that no other route has,
// whatever the method, so that a wrong method is refused although pages are served on all other paths.
type Route struct {
	Method string // GET, POST, PUT or DELETE
	Path   string
	Handle func(*Request) error

	// UploadBytes is the size of the largest body that Request.Upload reads; 0 for routes without uploads.
	UploadBytes int64
}

// APIPrefix begins the paths of the API. It is also the path without its last slash.
const APIPrefix = "/api/"

// FirstWords returns the literal segments that follow APIPrefix in the routes, sorted and each once. A parameter in
// that place, such as a store's code, must never have one of these values: no route would match it.
func FirstWords(routes []Route) []string {
	words := map[string]bool{}
	for _, r := range routes {
		after, found := strings.CutPrefix(canonical(r.Path), APIPrefix)
		word, _, _ := strings.Cut(after, "/")
		if found && !strings.HasPrefix(word, "{") {
			words[word] = true
		}
	}
	return slices.Sorted(maps.Keys(words))
}

// maxParameters is the maximum number of parameters of a path; their values are in an array of the Request.
const maxParameters = 8

// methodSlots are the methods that routes can have.
var methodSlots = [...]string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete}

// slotOf returns the index of a method in methodSlots, -1 for a method that no route has.
func slotOf(method string) int {
	if method == http.MethodHead {
		return 0
	}
	return slices.Index(methodSlots[:], method)
}

// methods is the set of methods by their slots.
type methods [len(methodSlots)]bool

// String lists the methods as the Allow header does, HEAD after GET.
func (m methods) String() string {
	var names []string
	for slot, is := range m {
		if is {
			names = append(names, methodSlots[slot])
		}
		if is && slot == 0 {
			names = append(names, http.MethodHead)
		}
	}
	return strings.Join(names, ", ")
}

// endpoint is a Route in the tree, with the names of its parameters from left to right.
type endpoint struct {
	Route
	parameters []string
}

// node is a segment in the tree of routes.
type node struct {
	literals  map[string]*node
	parameter *node
	tail      *node
	final     bool // if a literal child matches, the other children are not tried
	endpoints [len(methodSlots)]*endpoint
}

// newTree builds the tree of all routes. The error names every route that is malformed, or has the method and shape
// of an earlier one.
func newTree(routes []Route) (*node, error) {
	root := &node{}
	root.literal(strings.Trim(APIPrefix, "/")).final = true
	var problems []error
	for _, r := range routes {
		if err := root.add(r); err != nil {
			problems = append(problems, fmt.Errorf("web: route %s %s: %w", r.Method, r.Path, err))
		}
	}
	return root, errors.Join(problems...)
}

func (n *node) add(r Route) error {
	if !slices.Contains(methodSlots[:], r.Method) {
		return errors.New("the method is not GET, POST, PUT or DELETE")
	}
	if r.Handle == nil {
		return errors.New("it has no handler")
	}
	path, found := strings.CutPrefix(canonical(r.Path), "/")
	if !found {
		return errors.New("the path does not begin with a slash")
	}
	e := &endpoint{Route: r}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		name, isParameter := strings.CutPrefix(segment, "{")
		name, closed := strings.CutSuffix(name, "}")
		name, isTail := strings.CutSuffix(name, "...")
		last := i == len(segments)-1
		switch {
		case isParameter != closed, strings.ContainsAny(name, "{}"), isTail && !last, isParameter && name == "",
			!isParameter && !last && segment == "", isParameter && slices.Contains(e.parameters, name),
			segment == ".", segment == "..":
			return fmt.Errorf("segment %q is malformed or repeated", segment)
		case !isParameter:
			n = n.literal(segment)
			continue
		case isTail:
			n = child(&n.tail)
		default:
			n = child(&n.parameter)
		}
		e.parameters = append(e.parameters, name)
	}
	if len(e.parameters) > maxParameters {
		return fmt.Errorf("it has more than %d parameters", maxParameters)
	}
	place := &n.endpoints[slotOf(r.Method)]
	if *place != nil {
		return fmt.Errorf("it conflicts with %s", (*place).Path)
	}
	*place = e
	return nil
}

func (n *node) literal(segment string) *node {
	if n.literals == nil {
		n.literals = map[string]*node{}
	}
	next := n.literals[segment]
	next = child(&next)
	n.literals[segment] = next
	return next
}

func child(place **node) *node {
	if *place == nil {
		*place = &node{}
	}
	return *place
}

// search is the search for the endpoint of a method and path.
type search struct {
	slot    int
	escaped bool                  // segments still have percent escapes, because one may be a slash
	values  [maxParameters]string // of the endpoint found
	others  methods               // if nothing is found: the methods that the path has
}

// find returns the endpoint of a path and slot, nil if there is none. It visits each node at most once.
func (s *search) find(root *node, u *url.URL, slot int) *endpoint {
	s.slot, s.escaped, s.others = slot, u.RawPath != "", methods{}
	path := u.Path
	if s.escaped {
		path = u.RawPath
	}
	rest, found := strings.CutPrefix(canonical(path), "/")
	if !found {
		return nil
	}
	return s.walk(root, rest, 0)
}

func (s *search) walk(n *node, path string, used int) *endpoint {
	first, rest, more := strings.Cut(path, "/")
	segment, valid := s.plain(first)
	if !valid {
		return nil
	}
	if next := n.literals[segment]; next != nil {
		if found := s.arrive(next, rest, more, used); found != nil || n.final {
			return found
		}
	}
	if n.parameter != nil && segment != "" && segment != "." && segment != ".." {
		if found := s.arrive(n.parameter, rest, more, used+1); found != nil {
			s.values[used] = segment
			return found
		}
	}
	if n.tail == nil || s.others != (methods{}) {
		return nil
	}
	tail, valid := s.plain(path)
	if !valid || tail != "" && !fs.ValidPath(strings.TrimSuffix(tail, "/")) {
		return nil
	}
	s.values[used] = tail
	return s.take(n.tail)
}

func (s *search) arrive(n *node, rest string, more bool, used int) *endpoint {
	if more {
		return s.walk(n, rest, used)
	}
	return s.take(n)
}

func (s *search) take(n *node) *endpoint {
	if s.slot >= 0 && n.endpoints[s.slot] != nil {
		return n.endpoints[s.slot]
	}
	for slot, e := range n.endpoints {
		s.others[slot] = s.others[slot] || e != nil
	}
	return nil
}

// plain removes percent escapes. It is false for text that is not UTF-8 or has a zero byte, which no database stores.
func (s *search) plain(text string) (string, bool) {
	if s.escaped {
		unescaped, err := url.PathUnescape(text)
		if err != nil {
			return "", false
		}
		text = unescaped
	}
	return text, utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

// canonical adds the last slash to APIPrefix without it. No other path has two spellings.
func canonical(path string) string {
	if path+"/" == APIPrefix {
		return APIPrefix
	}
	return path
}
