package api

import (
	"net/http"
	"slices"
	"strings"

	"punchcard/core/access"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ErrChangedMeanwhile is the error of a write whose If-Match names another state of the object than the present one.
var ErrChangedMeanwhile = fault.New(fault.PreconditionFailed, "changed_meanwhile",
	"Somebody else has changed this meanwhile.")

// Replaces reports whether the endpoint replaces what a GET of its path shows.
func (e *Endpoint) Replaces() bool {
	return e.Method == http.MethodPut || e.Method == http.MethodPost && e.Audit.Event == "UpdateSettings"
}

// replacement is a call that replaces an object.
type replacement struct {
	named Audit
	rule  access.Rule
}

// mayBeBy reports whether a caller may make the call. Others get no tag, which costs a read of the object.
func (r *replacement) mayBeBy(caller *access.Caller) bool {
	return r.rule.Check(caller) == nil && r.rule.CheckWrite(caller) == nil
}

// tag sets the ETag of the object that the path names: docs/behaviour/requests.md#conditional-writes. It comes before
// the handler reads, so that a change in between makes the tag too old, never too new.
func (c *Call) tag(named Audit) error {
	object := c.server.AuditObjects[named.Entity]
	if object == nil {
		return nil
	}
	return c.Read(func(tx *db.Tx) error {
		e := c.entry(named)
		if err := c.nameCustomer(tx, &e); err != nil {
			return err
		}
		tag, err := audit.Tag(tx, c.Store, object, e.EntityID)
		if tag != "" {
			c.ResponseHeader().Set("Etag", `"`+tag+`"`)
		}
		return err
	})
}

// locked makes other calls that change the object of the entry wait until the end of the transaction, and checks the
// If-Match of the call.
func (c *Call) locked(tx *db.Tx, e *audit.Entry, object audit.Object) error {
	wanted := c.Header["If-Match"]
	if object == nil || e.EntityID == "" {
		if wanted != nil {
			return ErrChangedMeanwhile // nothing has a tag
		}
		return nil
	}
	name := e.EntityType + " " + e.EntityID
	if e.EntityType == "language" {
		name = store.LanguagesLock // a new default language changes the former one
	}
	if err := tx.Lock(name); err != nil || wanted == nil {
		return err
	}
	tag, err := audit.Tag(tx, c.Store, object, e.EntityID)
	if err == nil && !matches(wanted, tag) {
		err = ErrChangedMeanwhile
	}
	return err
}

// matches reports whether a list of tags has the tag of an object, which is empty if there is no object. The tag of a
// compressed response is marked as a weak one. It names the same object, so that the mark does not count.
func matches(lines []string, tag string) bool {
	if tag == "" {
		return false
	}
	for _, line := range lines {
		tags := strings.Split(line, ",")
		if slices.ContainsFunc(tags, func(sent string) bool {
			sent = strings.TrimPrefix(strings.TrimSpace(sent), "W/")
			return sent == "*" || sent == `"`+tag+`"`
		}) {
			return true
		}
	}
	return false
}
