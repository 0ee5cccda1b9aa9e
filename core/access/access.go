// Package access has the callers of the API, and the rules for who may call what.
package access

import (
	"net/netip"
	"slices"

	"punchcard/platform/fault"
	"punchcard/platform/limit"
)

// Role is the kind of a caller. Its values are the role names in tokens.
type Role string

// The roles.
const (
	Administrator Role = "ROLE_ADMIN"
	Customer      Role = "ROLE_PARTICIPANT"
	Seller        Role = "ROLE_SELLER"
)

// Resources that an administrator's role may be given VIEW or MODIFY on.
const (
	ACL             = "ACL"
	Admin           = "ADMIN"
	Analytics       = "ANALYTICS"
	APIKeys         = "API_KEY"
	Audit           = "AUDIT"
	Customers       = "CUSTOMER"
	CustomerMerges  = "CUSTOMER_MERGE"
	EarningRules    = "EARNING_RULE"
	Events          = "EVENT"
	Levels          = "LEVEL"
	PointTransfers  = "POINT_TRANSFER"
	POS             = "POS"
	RewardCampaigns = "REWARD_CAMPAIGN"
	Segments        = "SEGMENT"
	Security        = "SECURITY" // where messages with secrets go; only masters have it until they give it
	SegmentExport   = "SEGMENT_EXPORT"
	Sellers         = "SELLER"
	Settings        = "SETTINGS"
	Stores          = "STORE"
	Transactions    = "TRANSACTION"
)

// Resources lists all resources in order.
var Resources = []string{
	ACL, Admin, Analytics, APIKeys, Audit, Customers, CustomerMerges, EarningRules, Events, Levels, PointTransfers, POS,
	RewardCampaigns, Security, Segments, SegmentExport, Sellers, Settings, Stores, Transactions,
}

// Outside lists the resources that only endpoints outside of stores need. A role in a store has no use of them.
var Outside = []string{ACL, Admin, Audit}

// The kinds of access. MODIFY implies VIEW.
const (
	View   = "VIEW"
	Modify = "MODIFY"
)

// Caller is the authenticated sender of a request.
type Caller struct {
	Role        Role
	ID          string // of the administrator, customer or seller; empty for the master key
	Username    string
	StoreKey    int64               // of customers and sellers; 0 for administrators
	Session     string              // log-in of the access token; empty for a permanent token
	Master      bool                // an administrator with all permissions
	Permanent   bool                // identified by a permanent token instead of a log-in
	Permissions map[string][]string // resource to accesses, of administrators who are not master
	// Stores has the Permissions in each store by its key, of administrators who have roles in some stores only. Those
	// have no permission outside of a store: Permissions is empty until In names one.
	Stores     map[int64]map[string][]string
	Blocked    bool // a customer who may only read
	MustEnroll bool // can only add a second factor until they have one
	PIN        bool // a seller who gave a PIN on an enrolled till, not a password
	Key        *Key // restrictions of an API key, which also gives the caller its ID; nil for others
}

// Key restricts a caller with an API key: docs/behaviour/keys.md.
type Key struct {
	MakerID  string
	Stores   []int64        // keys of the stores that it opens; empty for all
	Networks []netip.Prefix // from which it may be used; empty for all
	Rate     limit.Rate     // of its requests; zero for no limit
}

// opens reports whether the key opens a store.
func (k *Key) opens(storeKey int64) bool {
	return k == nil || len(k.Stores) == 0 || slices.Contains(k.Stores, storeKey)
}

// AcceptsFrom reports whether the key may be used from an address. An unknown one is invalid.
func (k *Key) AcceptsFrom(address netip.Addr) bool {
	return len(k.Networks) == 0 ||
		slices.ContainsFunc(k.Networks, func(n netip.Prefix) bool { return n.Contains(address) })
}

// Allowed reports whether the caller is an administrator with the access to the resource.
func (c *Caller) Allowed(resource, access string) bool {
	if c.Role != Administrator {
		return false
	}
	granted := c.Permissions[resource]
	return c.Master || slices.Contains(granted, Modify) || slices.Contains(granted, access)
}

// In returns the caller with the permissions that count in a store.
func (c *Caller) In(storeKey int64) *Caller {
	if c == nil || c.Stores == nil {
		return c
	}
	inside := *c
	inside.Permissions = c.Stores[storeKey]
	return &inside
}

// Reaches reports whether the caller has rights in a store: a customer or seller in their own, an administrator where
// they have a role.
func (c *Caller) Reaches(storeKey int64) bool {
	if c.Role != Administrator {
		return c.StoreKey == storeKey
	}
	_, has := c.Stores[storeKey]
	return (has || c.Stores == nil) && c.Key.opens(storeKey)
}

// Rule is the condition for calling an endpoint.
type Rule struct {
	Anyone   bool   // no credentials needed
	Roles    []Role // any of these
	Resource string // to which an administrator needs Access; empty means any administrator
	Access   string

	// Keys admits API keys of any permission, or none although they have the Resource. By default they are admitted where
	// there is a Resource, which they need like others.
	Keys KeyRule

	// BlockedToo admits blocked customers to an endpoint that is no GET: it changes nothing, ends sessions, or refuses
	// them itself.
	BlockedToo bool
	// UnenrolledToo admits callers who can only add a second factor.
	UnenrolledToo bool
	// PINToo admits sellers who gave a PIN on an enrolled till.
	PINToo bool
}

// KeyRule is whether API keys are admitted.
type KeyRule int

// The rules for keys.
const (
	KeysWithPermission KeyRule = iota
	AnyKey
	NoKey
)

// WithKeys returns a rule that also admits API keys.
func (r Rule) WithKeys() Rule {
	r.Keys = AnyKey
	return r
}

// WithoutKeys returns a rule that admits no API keys.
func (r Rule) WithoutKeys() Rule {
	r.Keys = NoKey
	return r
}

// Public admits everyone, with or without credentials.
func Public() Rule { return Rule{Anyone: true} }

// AdministratorWith admits administrators with the access to the resource.
func AdministratorWith(resource, access string) Rule {
	return Rule{Roles: []Role{Administrator}, Resource: resource, Access: access}
}

// Only admits the roles. Administrators need no permission.
func Only(roles ...Role) Rule { return Rule{Roles: roles} }

// And returns a rule that also admits further roles.
func (r Rule) And(roles ...Role) Rule {
	r.Roles = append(slices.Clone(r.Roles), roles...)
	return r
}

// ErrUnauthenticated is the error of a request without credentials.
var ErrUnauthenticated = fault.New(fault.Unauthenticated, "authentication_required", "Authentication Required")

// Check returns an error unless the rule admits the caller; nil is a caller without credentials.
func (r Rule) Check(c *Caller) error {
	switch {
	case r.Anyone:
		return nil
	case c == nil:
		return ErrUnauthenticated
	case !slices.Contains(r.Roles, c.Role):
		return fault.ErrForbidden.Lacking(fault.Missing{What: "role", Roles: names(r.Roles)})
	case c.MustEnroll && !r.UnenrolledToo:
		return ErrMustEnroll
	case c.PIN && !r.PINToo:
		return ErrPIN
	case c.Role == Administrator && r.Resource != "" && !c.Allowed(r.Resource, r.Access):
		return LacksPermission(r.Resource, r.Access)
	case c.Key != nil && (r.Keys == NoKey || r.Keys == KeysWithPermission && r.Resource == ""):
		return fault.ErrForbidden.Lacking(fault.Missing{What: "log_in"})
	}
	return nil
}

// CheckStore returns an error for an admitted caller who may not work in a store, or without one if storeKey is 0.
func (r Rule) CheckStore(c *Caller, storeKey int64) error {
	switch {
	case r.Anyone, storeKey == 0 && (c.Key.opens(0) || r.Keys == AnyKey):
		return nil
	case storeKey == 0 || !c.Reaches(storeKey):
		return fault.ErrForbidden.Lacking(fault.Missing{What: "store"})
	}
	return nil
}

func names(roles []Role) []string {
	all := make([]string, len(roles))
	for i, role := range roles {
		all[i] = role.name()
	}
	return all
}

// name returns the role as documents name it.
func (r Role) name() string {
	switch r {
	case Administrator:
		return "administrator"
	case Seller:
		return "seller"
	}
	return "customer"
}

// LacksPermission returns the error of a caller without the access to a resource.
func LacksPermission(resource, access string) error {
	return fault.ErrForbidden.Lacking(fault.Missing{What: "permission", Permission: resource + " " + access})
}

// ErrMustEnroll is the error of callers whose role needs a second factor and who have none when the grace period is
// over.
var ErrMustEnroll = fault.New(fault.Forbidden, "second_factor_enrollment_required",
	"Add a second factor first: your role requires one.")

// Unenrolled returns a rule that also admits callers who can only add a second factor.
func (r Rule) Unenrolled() Rule {
	r.UnenrolledToo = true
	return r
}

// Blocked returns a rule that also admits blocked customers to an endpoint that is no GET.
func (r Rule) Blocked() Rule {
	r.BlockedToo = true
	return r
}

// ErrPIN is the error of sellers who gave a PIN where a password is needed.
var ErrPIN = fault.New(fault.Forbidden, "pin_session", "This needs a log-in with the password, not with a PIN.")

// WithPIN returns a rule that also admits sellers who gave a PIN: docs/behaviour/cashier-pin.md#rights.
func (r Rule) WithPIN() Rule {
	r.PINToo = true
	return r
}

// CheckWrite returns an error for an admitted caller who may not write.
func (r Rule) CheckWrite(c *Caller) error {
	if c != nil && c.Blocked && !r.Anyone && !r.BlockedToo {
		return fault.ErrForbidden.Lacking(fault.Missing{What: "active_account"})
	}
	return nil
}

// String returns the rule as docs/endpoints.md shows it.
func (r Rule) String() string {
	if r.Anyone {
		return "anyone"
	}
	text := ""
	for _, role := range r.Roles {
		if text != "" {
			text += ", "
		}
		text += role.name()
		if role == Administrator && r.Resource != "" {
			text += " (" + r.Resource + " " + r.Access + ")"
		}
	}
	return text
}
