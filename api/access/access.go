// Package access says who is calling and who may call what.
package access

import (
	"slices"

	"punchcard/platform/fault"
)

// Role is what a caller logged in as. The values are the role names of the token.
type Role string

// The roles that a token names.
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
	Audit           = "AUDIT"
	Customers       = "CUSTOMER"
	EarningRules    = "EARNING_RULE"
	Events          = "EVENT"
	Levels          = "LEVEL"
	PointTransfers  = "POINT_TRANSFER"
	POS             = "POS"
	RewardCampaigns = "REWARD_CAMPAIGN"
	Segments        = "SEGMENT"
	SegmentExport   = "SEGMENT_EXPORT"
	Sellers         = "SELLER"
	Settings        = "SETTINGS"
	Stores          = "STORE"
	Transactions    = "TRANSACTION"
)

// Resources lists them all in their order.
var Resources = []string{
	ACL, Admin, Analytics, Audit, Customers, EarningRules, Events, Levels, PointTransfers, POS, RewardCampaigns,
	Segments, SegmentExport, Sellers, Settings, Stores, Transactions,
}

// The two accesses; MODIFY implies VIEW.
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
	Session     string              // the log-in that the access token comes from; empty for a permanent token
	Master      bool                // an administrator who may do everything
	Permanent   bool                // identified by a permanent token instead of a log-in
	Permissions map[string][]string // resource to accesses, of administrators who are not master
	Blocked     bool                // a customer who may read and not write
}

// Allowed tells whether an administrator has the access on the resource.
func (c *Caller) Allowed(resource, access string) bool {
	if c.Role != Administrator {
		return false
	}
	granted := c.Permissions[resource]
	return c.Master || slices.Contains(granted, Modify) || slices.Contains(granted, access)
}

// Rule says who may call an endpoint.
type Rule struct {
	Anyone   bool   // no log-in needed
	Roles    []Role // any of these
	Resource string // what an administrator must have Access on; empty means any administrator
	Access   string

	// BlockedToo lets blocked customers call an endpoint that writes: its operation refuses them itself.
	BlockedToo bool
}

// Public lets everyone call, logged in or not.
func Public() Rule { return Rule{Anyone: true} }

// AdministratorWith lets administrators call who have the access on the resource.
func AdministratorWith(resource, access string) Rule {
	return Rule{Roles: []Role{Administrator}, Resource: resource, Access: access}
}

// Only lets the roles call; administrators need no particular permission.
func Only(roles ...Role) Rule { return Rule{Roles: roles} }

// And lets further roles call too.
func (r Rule) And(roles ...Role) Rule {
	r.Roles = append(slices.Clone(r.Roles), roles...)
	return r
}

// ErrUnauthenticated is the error of a request without credentials.
var ErrUnauthenticated = fault.New(fault.Unauthenticated, "authentication_required", "Authentication Required")

// Check refuses a caller whom the rule does not name; nil is somebody without credentials.
func (r Rule) Check(c *Caller) error {
	switch {
	case r.Anyone:
		return nil
	case c == nil:
		return ErrUnauthenticated
	case !slices.Contains(r.Roles, c.Role):
		return fault.ErrForbidden
	case c.Role == Administrator && r.Resource != "" && !c.Allowed(r.Resource, r.Access):
		return fault.ErrForbidden
	}
	return nil
}

// CheckWrite refuses a caller whom the rule names and who may not write.
func (r Rule) CheckWrite(c *Caller) error {
	if c != nil && c.Blocked && !r.Anyone && !r.BlockedToo {
		return fault.ErrForbidden
	}
	return nil
}

// String is the rule as the endpoint table of the documentation shows it.
func (r Rule) String() string {
	if r.Anyone {
		return "anyone"
	}
	text := ""
	for _, role := range r.Roles {
		if text != "" {
			text += ", "
		}
		switch role {
		case Administrator:
			text += "administrator"
			if r.Resource != "" {
				text += " (" + r.Resource + " " + r.Access + ")"
			}
		case Customer:
			text += "customer"
		case Seller:
			text += "seller"
		}
	}
	return text
}
