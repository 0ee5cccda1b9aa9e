package api

import (
	"net/http"
	"strings"
	"unicode"

	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Audit names a successful call of an endpoint in the audit log: docs/behaviour/audit.md. An empty member is
// derived from method and path.
type Audit struct {
	Event  string // such as UpdateLevel
	Entity string // type of the object, such as level
}

// Named returns what the audit log calls the endpoint.
func (e *Endpoint) Named() Audit {
	named := derive(e.Method, e.Path)
	if better, known := auditNames[named.Event]; known {
		named = better
	}
	if e.Audit.Event != "" {
		named.Event = e.Audit.Event
	}
	if e.Audit.Entity != "" {
		named.Entity = e.Audit.Entity
	}
	return named
}

// actions are the words at the end of paths that say what a call does.
var actions = map[string]string{
	"activate": "Activate", "active": "Activate", "deactivate": "Deactivate", "register": "Register",
	"self_register": "Register", "create": "Create", "add": "Add", "spend": "Spend", "block": "Block", "cancel": "Cancel",
	"expire": "Expire", "anonymize": "Anonymize", "delete": "Delete", "buy": "Buy", "redeem": "Redeem",
	"retry": "Retry", "replay": "Replay", "rotate": "Rotate", "run": "Run", "import": "Import", "assign": "Assign",
	"mark_as_used": "Use", "revoke": "Revoke", "refresh": "Refresh", "request": "Request", "change": "Change",
	"changeDeliveryStatus": "ChangeDeliveryOf", "invite": "Invite", "archive": "Archive", "resume": "Resume",
	"remove-manually-level": "RemoveManualLevelOf", "send": "Send", "reset": "Reset", "generate": "Generate",
}

// derive names a call by the last noun of its path and by its action, or else by its method.
func derive(method, path string) Audit {
	words := strings.Split(strings.TrimPrefix(path, "/api/"), "/")
	for len(words) > 1 && (strings.HasPrefix(words[0], "{") ||
		(words[0] == "admin" || words[0] == "seller" || words[0] == "customer") && !strings.HasPrefix(words[1], "{") &&
			actions[words[1]] == "") {
		words = words[1:]
	}
	verb := map[string]string{
		http.MethodPost: "Create", http.MethodPut: "Update", http.MethodDelete: "Delete", http.MethodGet: "Get",
	}[method]
	if last := len(words) - 1; last > 0 && actions[words[last]] != "" {
		verb, words = actions[words[last]], words[:last]
	}
	var nouns []string // the last word before an id, and the words behind it
	for i, word := range words {
		if !strings.HasPrefix(word, "{") {
			nouns = append(nouns, word)
		} else if i+1 < len(words) && len(nouns) > 1 {
			nouns = nouns[len(nouns)-1:]
		}
	}
	if strings.HasPrefix(words[len(words)-1], "{") && len(nouns) > 1 {
		nouns = nouns[len(nouns)-1:]
	}
	name := verb
	for _, noun := range nouns {
		name += camel(noun)
	}
	return Audit{Event: name, Entity: nouns[0]}
}

func camel(word string) (name string) {
	for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	return name
}

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

// AuditEntry returns the entry of the call, for an operation that writes it together with others.
func (c *Call) AuditEntry() *audit.Entry {
	e := c.entry(c.named)
	return &e
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

// audited gives the first transaction of a call an audit entry.
func (c *Call) audited(run func(tx *db.Tx) error) func(tx *db.Tx) error {
	if c.written {
		return run
	}
	return func(tx *db.Tx) error {
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
