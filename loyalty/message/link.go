package message

import (
	"cmp"

	"punchcard/loyalty/store"
)

// Links makes links to the web apps.
type Links struct {
	Base string // the public URL of the server, without a path; empty if it is not known
}

// To returns the link to a path that begins with a slash. ok is false if neither the store nor the
// server has a public URL.
func (l Links) To(s *store.Store, path string) (link string, ok bool) {
	base := cmp.Or(s.Settings.PublicURL, l.Base)
	return base + path, base != ""
}
