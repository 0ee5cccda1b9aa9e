// Package audit stores who changed what, when and from where, and who looked at the data of a customer. The entry of a
// change is written in the transaction of the change.
package audit

import (
	"errors"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// NotLogged is the user name that entries of calls without credentials show.
const NotLogged = "<notlogged>"

// Events that no endpoint gives its name to.
const (
	ViewCustomer          = "ViewCustomer"
	AuthenticationSuccess = "AuthenticationSuccess"
	AuthenticationFailure = "AuthenticationFailure"
	// BuyCampaign is the only event of purchases. Their rows leave out the entity type, which it implies.
	BuyCampaign = "BuyCampaign"
)

// Purchase is the entity type of purchases. Their entity is the first coupon.
const Purchase = "purchase"

// Entry is one entry of the audit log.
type Entry struct {
	ID         string
	StoreKey   int64 // 0 for what belongs to no store
	CreatedAt  time.Time
	Event      string // such as UpdateLevel
	EntityType string // such as level
	EntityID   string
	CustomerID string // whom the entry is about; empty if nobody
	User       User
	IP         string
	Data       Data

	discarded, hidden bool
}

// Object reads an object for an entry: nil or fault.ErrNotFound if it does not exist. s is nil for what belongs to no
// store.
type Object func(tx *db.Tx, s *store.Store, id string) (any, error)

// OrNone returns nil for an object that is not known.
func OrNone[T any](found T, known bool, err error) (any, error) {
	if !known {
		return nil, err
	}
	return found, err
}

// User is the caller. The zero value is somebody without credentials.
type User struct {
	Type string // admin, seller or customer; key for a program with an API key
	ID   string // empty for the master key
	Name string
}

// UserOf returns the user that a caller is.
func UserOf(c *access.Caller) User {
	switch {
	case c == nil:
		return User{}
	case c.Key != nil:
		return User{"key", c.ID, c.Username}
	}
	return User{TypeOf(c.Role), c.ID, c.Username}
}

// TypeOf returns the type of the users with a role.
func TypeOf(r access.Role) string {
	switch r {
	case access.Administrator:
		return "admin"
	case access.Seller:
		return "seller"
	case access.Customer:
		return "customer"
	}
	return ""
}

// Data describes a change. Secrets are left out.
type Data struct {
	Before map[string]any `json:"before,omitempty"` // of the members that changed
	After  map[string]any `json:"after,omitempty"`
	Sent   map[string]any `json:"sent,omitempty"`   // the body of the call, if there is no Before and After
	Erased bool           `json:"erased,omitempty"` // personal data was removed
}

// HidePersonal removes what an entry says about a person who is a customer.
func (e *Entry) HidePersonal() {
	switch {
	case e.User.Type == "customer":
		e.User.Name, e.IP = "", ""
	case e.User.Type == "" && e.CustomerID != "":
		e.IP = ""
	}
	if e.CustomerID != "" {
		e.Data = Data{
			Before: impersonal(e.Data.Before), After: impersonal(e.Data.After), Sent: impersonal(e.Data.Sent), Erased: true,
		}
	}
}

// record holds the entry of a transaction.
type record struct{ entry *Entry }

type recordKey struct{}

func recordOf(tx *db.Tx) *record {
	return db.Keep(tx, recordKey{}, func() *record { return &record{} })
}

// Begin makes e the entry of a transaction. It is written before the commit, with what the operation adds to it. If
// there is a way to read the object of the entity, the entry has what changed of it.
func Begin(tx *db.Tx, e Entry, s *store.Store, object Object) error {
	recordOf(tx).entry = &e
	if object != nil {
		before, err := readMembers(tx, s, object, e.EntityID)
		if err != nil {
			return err
		}
		e.Data.Before = before
	}
	tx.BeforeCommit("audit", func() error {
		if e.discarded {
			return nil
		}
		if err := e.finish(tx, s, object); err != nil {
			return err
		}
		return Append(tx, &e)
	})
	return nil
}

// readMembers returns the members of an object, none if it does not exist.
func readMembers(tx *db.Tx, s *store.Store, object Object, id string) (map[string]any, error) {
	if id == "" {
		return nil, nil
	}
	v, err := object(tx, s, id)
	if errors.Is(err, fault.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return members(v)
}

// Of returns the entry of a transaction, for the operation to add to. It is nil if there is none, as in jobs; every
// method accepts that.
func Of(tx *db.Tx) *Entry { return recordOf(tx).entry }

// SetEntity names the object that was changed.
func (e *Entry) SetEntity(id string) {
	if e != nil {
		e.EntityID = id
	}
}

// SetCustomer names the customer whom the change is about: the entity unless there is another one.
func (e *Entry) SetCustomer(id string) {
	if e == nil {
		return
	}
	e.CustomerID = id
	if e.EntityType == "customer" {
		e.EntityID = id
	}
}

// SetUser names the user who made the change, if the call began without credentials.
func (e *Entry) SetUser(c *access.Caller) {
	if e != nil {
		e.User = UserOf(c)
	}
}

// SetEvent gives the change another name.
func (e *Entry) SetEvent(name string) {
	if e != nil {
		e.Event = name
	}
}

// Discard leaves out the entry of a call that changed nothing.
func (e *Entry) Discard() {
	if e != nil {
		e.discarded = true
	}
}

// SetCreated makes a new object the entity, instead of the one that the path names.
func (e *Entry) SetCreated(id string) {
	if e != nil {
		e.EntityID, e.Data.Before = id, nil
	}
}

// SetMade notes what a new object has, instead of what was sent, for entries that Begin does not complete.
func (e *Entry) SetMade(object any) error {
	after, err := members(object)
	if _, e.Data.After = differences(nil, after, e.EntityType == "segment"); e.Data.After != nil {
		e.Data.Sent = nil
	}
	return err
}

// Hide keeps personal data of the customer out of the entry, because the change erases it.
func (e *Entry) Hide() {
	if e != nil {
		e.hidden = true
	}
}

// finish completes the entry before it is written.
func (e *Entry) finish(tx *db.Tx, s *store.Store, object Object) error {
	e.ID, e.CreatedAt = tx.NewID(), tx.ServerNow()
	if object != nil {
		after, err := readMembers(tx, s, object, e.EntityID)
		if err != nil {
			return err
		}
		e.Data.Before, e.Data.After = differences(e.Data.Before, after, e.EntityType == "segment")
		if e.Data.Before != nil || e.Data.After != nil {
			e.Data.Sent = nil
		}
	}
	if e.hidden {
		e.HidePersonal()
	}
	return nil
}
