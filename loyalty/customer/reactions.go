package customer

import "time"

// The following types say what happens to customers, for later features to react to in the same transaction.
type (
	// Registering is a registration with the token of an invitation. A reaction sets the id of the invitation, which stays
	// empty if the token is of none.
	Registering struct{ Token, InvitationID string }
	// Registered are new customers who registered together, other than imported ones.
	Registered struct{ Customers []*Customer }
	// Imported are new customers of an import.
	Imported struct {
		Customers                     []*Customer
		WithoutPoints, WithoutWelcome bool
	}
	// Greeting asks to send a customer what they need to log in.
	Greeting struct{ Customer *Customer }
	// Changed is a change of a customer, whose account is locked. A deleted one has the status Deleted.
	Changed struct{ Before, After *Customer }
	// ContactChanged is a new e-mail address or phone of a customer.
	ContactChanged struct {
		Before, After *Customer
		ByStaff       bool
	}
	// ContactHeld is a new e-mail address or phone that the customer has to confirm first.
	ContactHeld struct {
		Customer     *Customer
		Field, Value string
	}
	// Departure is that customers deleted their account. It is erased at the moment.
	Departure struct {
		Customer *Customer
		At       time.Time
	}
	// Merged is a merge of two customers, or its undoing.
	Merged struct{ TargetID, MergedID string }
	// Ranked are customers whose points, level or coupons changed some seconds ago.
	Ranked struct{ CustomerIDs []string }
)

// IDs returns the ids of customers.
func IDs(customers []*Customer) []string {
	ids := make([]string, len(customers))
	for i, c := range customers {
		ids[i] = c.ID
	}
	return ids
}
