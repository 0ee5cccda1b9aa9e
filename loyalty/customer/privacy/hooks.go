// Package privacy exports what the program stores about a customer, and erases their identity.
package privacy

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Hooks read and clear the data of features about customers. Package app sets them.
type Hooks struct {
	// Customers are the hooks of the endpoints of customers: they run for an anonymization too, and add to
	// the customer in the export.
	Customers customerapi.Hooks
	// Stored lists the personal data of all features.
	Stored []feature.Personal
	// EndSessions ends all sessions of a customer except keep.
	EndSessions func(tx *db.Tx, id, keep string) error
	// Confirm reports whether a text is the caller's password. A wrong one becomes an error of the form.
	Confirm func(c *api.Call, g *form.Group, given string) (bool, error)
	// Leaving runs after a customer deleted their account, in the same transaction. It is erased at the moment.
	Leaving func(tx *db.Tx, s *store.Store, c *customer.Customer, at time.Time) error
}
