package api

import (
	"errors"
	"strings"

	"punchcard/core/access"
	"punchcard/core/audit"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Audit names a successful call of an endpoint in the audit log: docs/behaviour/audit.md.
type Audit struct {
	Event  string // such as UpdateLevel
	Entity string // type of the object, such as level
}

// Audited returns the name of an event that concerns an object of a type.
func Audited(event, entity string) Audit { return Audit{event, entity} }

// entry returns the audit entry of the call, which its operation may add to.
func (c *Call) entry(named Audit) audit.Entry {
	e := audit.Entry{
		Event: named.Event, EntityType: named.Entity, User: audit.UserOf(c.Caller), IP: c.ClientAddress(),
		EntityID: c.pathID(named.Entity),
	}
	if c.Store != nil {
		e.StoreKey = c.Store.Key
		if named.Entity == "settings" || named.Entity == "store" {
			e.EntityID = c.Store.ID
		}
	}
	if c.Caller != nil && c.Caller.Role == access.Customer {
		e.SetCustomer(c.Caller.ID)
	}
	if e.EntityID == "" && named == (Audit{"UpdateAdmin", "admin"}) {
		e.EntityID = c.Caller.ID // of themselves, at the path without an id
	}
	return e
}

// pathID returns the id of an entity in the path: the parameter with its name, or else the last id.
func (c *Call) pathID(entity string) (id string) {
	for _, name := range []string{entity, "code", "name"} {
		if value := c.PathValue(name); value != "" && name != "customer" {
			return value
		}
	}
	for _, value := range c.PathValues() {
		if form.IsUUID(value) {
			id = strings.ToLower(value)
		}
	}
	return id
}

var errUnnamed = errors.New("api: an endpoint that has no name for the audit log has written")

// audited gives the first transaction of a call an audit entry.
func (c *Call) audited(run func(tx *db.Tx) error) func(tx *db.Tx) error {
	if c.written {
		return run
	}
	return func(tx *db.Tx) error {
		if c.named.Event == "" {
			return errUnnamed
		}
		e := c.entry(c.named)
		if err := c.nameCustomer(tx, &e); err != nil {
			return err
		}
		e.Data.Sent = audit.Sent(c.Submitted())
		object := c.server.AuditObjects[e.EntityType]
		if e.Event == audit.AuthenticationSuccess {
			object = nil
		}
		if err := c.locked(tx, &e, object); err != nil {
			return err
		}
		if err := audit.Begin(tx, e, c.Store, object); err != nil {
			return err
		}
		return run(tx)
	}
}

// nameCustomer finds the customer that the path names, by whatever it names them.
func (c *Call) nameCustomer(tx *db.Tx, e *audit.Entry) error {
	named := c.PathValue("customer")
	if named == "" || c.Store == nil || c.server.CustomerID == nil {
		return nil
	}
	if form.IsUUID(named) {
		e.SetCustomer(strings.ToLower(named))
		return nil
	}
	id, err := c.server.CustomerID(tx, c.Store, named)
	if id != "" {
		e.SetCustomer(id)
	}
	return err
}

// view records that staff looked at the data of the customer that the path names.
func (c *Call) view() {
	if c.Caller == nil || c.Caller.Role == access.Customer || c.PathValue("customer") == "" || c.Store == nil ||
		c.server.Audit == nil || c.Store.Settings.ViewsNotAudited {
		return
	}
	e := c.entry(Audit{audit.ViewCustomer, "customer"})
	if err := c.Read(func(tx *db.Tx) error { return c.nameCustomer(tx, &e) }); err == nil && e.CustomerID != "" {
		c.server.Audit.View(c.Context(), e)
	}
}

// LogInFailed records a failed log-in. The id is that of the account, empty if there is none.
func (c *Call) LogInFailed(storeKey int64, role access.Role, id string) {
	if c.server.Audit == nil {
		return
	}
	e := audit.Entry{
		Event: audit.AuthenticationFailure, EntityType: audit.TypeOf(role), StoreKey: storeKey, EntityID: id,
		IP: c.ClientAddress(),
	}
	if role == access.Customer {
		e.CustomerID = id
	}
	c.server.Audit.Add(c.Context(), e)
}
