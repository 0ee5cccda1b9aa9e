package customer

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/customer/arrival"
	"punchcard/loyalty/level"
	"punchcard/loyalty/rollup"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/search"
)

// Change replaces some fields of a customer.
type Change struct {
	Registration
	Sent map[string]bool // the fields to replace, by their JSON names
}

// Update applies a change to a locked customer. A *Taken error names the fields that conflict.
func Update(tx *db.Tx, s *store.Store, c *Customer, change Change) error {
	if !c.AnonymizedAt.IsZero() {
		return ErrAnonymized
	}
	before := *c
	change.applyTo(c, s, func(field string) bool { return change.Sent[field] })
	taken, err := c.conflicts(tx)
	if err == nil && c.Locale != before.Locale { // a language may have been removed since it was chosen
		taken.LocaleUnknown, err = isUnknown(tx, c.Locale)
	}
	if err != nil {
		return err
	}
	if change.LevelID != "" {
		levels, err := level.All(tx, s.Key)
		if err != nil {
			return err
		}
		change.startLevel(levels, taken)
	}
	if *taken != (Taken{}) {
		return taken
	}
	if err := Save(tx, c); err != nil {
		return err
	}
	if !slices.Equal(before.contacts(), c.contacts()) {
		if err := endLeads(tx, s, c); err != nil {
			return err
		}
	}
	before.countIn(rollup.Adding(tx, s).Minus())
	c.countIn(rollup.Adding(tx, s))
	if err := search.Put(tx, s.Key, SearchKind, c.document()); err != nil {
		return err
	}
	if err := event.Append(tx, s.Key, changeEvents(s, &before, c, change.Sent, tx.Now())...); err != nil {
		return err
	}
	if change.LevelID == "" {
		return nil
	}
	return Move{To: change.LevelID, byHand: true}.Apply(tx, s, c)
}

// Activate allows the customer to log in, earn and buy. Repeating it has no further effect. An anonymized
// customer cannot be activated.
func Activate(tx *db.Tx, s *store.Store, id string) error {
	c, err := Find(tx, s.Key, id)
	if err == nil && !c.AnonymizedAt.IsZero() {
		err = ErrAnonymized
	}
	if err != nil {
		return err
	}
	changed, err := setStatus(tx, s, id, Active, []string{New, Blocked}, customerWasActivated{
		Customer: Ref{id}, ActivatedAt: eventTime(s, tx.Now()),
	})
	if err != nil || !changed {
		return err
	}
	newcomer := c.Status == New
	c.Status, c.EmailVerified, c.PhoneVerified = Active, c.EmailVerified || newcomer, c.PhoneVerified || newcomer
	if err := endLeads(tx, s, c); err != nil {
		return err
	}
	if newcomer {
		return arrival.RecordNewcomers(tx, s.Key, id)
	}
	return arrival.RecordCustomers(tx, s.Key, id)
}

// ActivateNew activates a locked customer who is new and proved who they are. The caller has marked the contact that
// this verifies.
func ActivateNew(tx *db.Tx, s *store.Store, c *Customer) error {
	c.Status = Active
	if err := Save(tx, c); err != nil {
		return err
	}
	if err := endLeads(tx, s, c); err != nil {
		return err
	}
	if err := arrival.RecordNewcomers(tx, s.Key, c.ID); err != nil {
		return err
	}
	return event.Append(tx, s.Key, event.Entry{
		AggregateID: c.ID, Fact: customerWasActivated{Customer: Ref{c.ID}, ActivatedAt: eventTime(s, tx.Now())},
	})
}

// Deactivate stops the customer from logging in, earning and buying. Their points stay. Repeating it has no
// further effect.
func Deactivate(tx *db.Tx, s *store.Store, id string) error {
	_, err := setStatus(tx, s, id, Blocked, []string{New, Active}, customerWasDeactivated{
		Customer: Ref{id}, DeactivatedAt: eventTime(s, tx.Now()),
	})
	return err
}

func setStatus(tx *db.Tx, s *store.Store, id, to string, from []string, fact event.Fact) (changed bool, err error) {
	changed, err = updateStatus(tx, s.Key, id, to, from)
	if err != nil {
		return false, err
	}
	if !changed {
		_, err := Find(tx, s.Key, id)
		return false, err
	}
	return true, event.Append(tx, s.Key, event.Entry{AggregateID: id, Fact: fact})
}

// Delete removes a locked customer from every list and count, and frees their e-mail address, phone and
// loyalty card. Their transactions and points stay.
func Delete(tx *db.Tx, s *store.Store, c *Customer) error {
	c.countIn(rollup.Adding(tx, s).Minus())
	from := c.LevelID
	c.Status, c.Email, c.Phone, c.PhoneKey, c.LoyaltyCard, c.PasswordHash = Deleted, "", "", "", "", ""
	c.InactiveSince = tx.Now()
	c.LevelID, c.ManualLevelID = "", ""
	if err := Save(tx, c); err != nil {
		return err
	}
	if err := c.removeAppData(tx); err != nil {
		return err
	}
	if err := releaseContacts(tx, s.Key, c.ID); err != nil {
		return err
	}
	if err := search.Remove(tx, s.Key, SearchKind, c.ID); err != nil {
		return err
	}
	level.Count(tx, s.Key, from, -1)
	return event.Append(tx, s.Key, event.Entry{AggregateID: c.ID, Fact: customerWasDeleted{Ref{c.ID}}})
}

// AssignPOS sets the customer's point of sale, which must belong to the store.
func AssignPOS(tx *db.Tx, s *store.Store, c *Customer, posID string) error {
	c.POSID = posID
	if err := Save(tx, c); err != nil {
		return err
	}
	return event.Append(tx, s.Key, event.Entry{
		AggregateID: c.ID, Fact: posWasAssignedToCustomer{Ref{c.ID}, posRef{posID}, eventTime(s, tx.Now())},
	})
}

// Conflicts returns a *Taken error if another request took a unique field while the change was running. The
// unique index fails such a change with an internal error, which this explains.
func (change Change) Conflicts(tx *db.Tx, s *store.Store, c *Customer) error {
	change.applyTo(c, s, func(field string) bool { return change.Sent[field] })
	taken, err := c.conflicts(tx)
	if err == nil && *taken != (Taken{}) {
		err = taken
	}
	return err
}
