package customer

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

// ErrAnonymized is returned for a change that would give an anonymized customer an identity again.
var ErrAnonymized = fault.New(fault.Refused, "customer_anonymized", "This customer was anonymized.")

// forget clears everything in the row that identifies the customer.
func (c *Customer) forget(now time.Time) {
	c.Email, c.Phone, c.PhoneKey, c.LoyaltyCard, c.FirstName, c.LastName, c.BirthDate = "", "", "", "", "", "", ""
	c.Gender, c.Address, c.Company, c.Labels, c.Locale = undisclosed, Address{}, Company{}, nil, ""
	c.PasswordHash, c.PasswordTemporary, c.AnonymizedAt, c.InactiveSince = "", false, now, now
	if c.Status != Deleted {
		c.Status = Blocked
	}
}

// Anonymize clears the identity of a locked customer, blocks them and records an event. The row itself, its
// sums and its links stay.
func Anonymize(tx *db.Tx, s *store.Store, c *Customer) error {
	c.forget(tx.Now())
	if err := Save(tx, c); err != nil {
		return err
	}
	if err := FreeLeads(tx, s.Key, c.ID); err != nil {
		return err
	}
	if err := c.removeAppData(tx); err != nil {
		return err
	}
	if err := search.Remove(tx, s.Key, SearchKind, c.ID); err != nil {
		return err
	}
	return event.Append(tx, s.Key, event.Entry{AggregateID: c.ID, Fact: customerWasAnonymized{Ref{c.ID}}})
}
