package customer

import (
	"context"
	"time"

	"punchcard/api"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/idempotency"
	"punchcard/platform/search"
)

// ErrAnonymized says that nobody knows any more who the customer was, and that it stays so.
var ErrAnonymized = fault.New(fault.Refused, "This customer was anonymized.")

// clearAgainAfter is when everything is cleared a second time: whoever wrote about the customer while he became
// anonymous has ended by then.
const clearAgainAfter = time.Minute

// Trace clears what a room keeps of a customer beside his id, some at a time: it goes on behind a key, first the empty
// one, and returns the next key, empty when nothing is left. What was cleared before may be cleared again.
type Trace func(tx *db.Tx, s *store.Store, customerID, after string) (next string, err error)

// Known is by what a customer is and was known in his store.
type Identifiers struct {
	ID                    string
	Emails, Phones, Cards []string
}

// Unclaim is a Trace of what names a customer without being his. It is told by what, before nobody knows.
type UnlinkedTrace func(tx *db.Tx, s *store.Store, known *Identifiers, after string) (next string, err error)

// anonymize implements B14. All that can be known of the customer is gone when it answers; whatever cuts it off, the
// same call, or else the job, does the rest.
func (h Hooks) anonymize(c *api.Call) error {
	var who *Customer
	err := c.Read(func(tx *db.Tx) (err error) {
		who, err = findIncludingDeleted(c, tx)
		return err
	})
	if err != nil {
		return err
	}
	if err := h.clearUnlinked(c.Context(), c.DB(), c.Store, who); err != nil {
		return err
	}
	if err := c.Write(func(tx *db.Tx) error { return h.Anonymize(tx, c.Store, who.ID) }); err != nil {
		return err
	}
	if err := h.clearTraces(c.Context(), c.DB(), c.Store, who.ID); err != nil {
		return err
	}
	return c.NoContent()
}

// findIncludingDeleted reads the customer that the path names. Deleted customers are found too, because the rows
// that are left of them can be anonymized as well.
func findIncludingDeleted(c *api.Call, tx *db.Tx) (*Customer, error) {
	named := c.PathValue("customer")
	if !form.IsUUID(named) {
		return FindByPath(tx, c.Store.Key, named, false)
	}
	who, found, err := findBy(tx, c.Store.Key, "customer_id", matchKey(named))
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return who, err
}

// Anonymize takes from a customer all that he can be known by, switches him off and ends his log-ins. The record, its
// sums and its links stay. Repeating it changes nothing. What others keep of him is cleared by the job, if not before.
func (h Hooks) Anonymize(tx *db.Tx, s *store.Store, id string) error {
	wallets, err := points.Lock(tx, points.Owner{Store: s, CustomerID: id})
	if err != nil {
		return err
	}
	if err := wallets.Save(); err != nil {
		return err
	}
	c, err := lock(tx, s.Key, id)
	if err != nil {
		return err
	}
	if err := scheduleClearing(tx, s.Key, id, tx.Now.Add(clearAgainAfter)); err != nil || !c.AnonymizedAt.IsZero() {
		return err
	}
	before := *c
	c.forget(tx.Now)
	if err := update(tx, c); err != nil {
		return err
	}
	if err := search.Remove(tx, s.Key, SearchKind, c.ID); err != nil {
		return err
	}
	if h.EndSessions != nil {
		if err := h.EndSessions(tx, c.ID, ""); err != nil {
			return err
		}
	}
	if err := event.Append(tx, s.Key, event.Entry{AggregateID: c.ID, Fact: customerWasAnonymized{Ref{c.ID}}}); err != nil {
		return err
	}
	return h.changed(tx, s, &before, c)
}

// forget clears the row of a customer.
func (c *Customer) forget(now time.Time) {
	c.Email, c.Phone, c.LoyaltyCard, c.FirstName, c.LastName, c.BirthDate = "", "", "", "", "", ""
	c.Gender, c.Address, c.Company, c.Labels = undisclosed, Address{}, Company{}, nil
	c.PasswordHash, c.PasswordTemporary, c.AnonymizedAt, c.InactiveSince = "", false, now, now
	if c.Status != Deleted { // who is deleted does not come back
		c.Status = Blocked
	}
}

// clearUnlinked clears what names a customer without being his. It has to come before his own row is cleared.
func (h Hooks) clearUnlinked(ctx context.Context, d *db.DB, s *store.Store, who *Customer) error {
	if _, err := event.Number(ctx, d); err != nil {
		return err
	}
	var known *Identifiers
	err := d.Read(ctx, func(tx *db.Tx) (err error) {
		known, err = identifiersOf(tx, who)
		return err
	})
	if err != nil {
		return err
	}
	for _, clear := range append([]UnlinkedTrace{clearStoredResponses}, h.UnlinkedTraces...) {
		err := inPages(ctx, d, func(tx *db.Tx, after string) (next string, err error) { return clear(tx, s, known, after) })
		if err != nil {
			return err
		}
	}
	return nil
}

// inPages runs transactions, each behind the key that the one before it returned, until that is empty.
func inPages(ctx context.Context, d *db.DB, run func(tx *db.Tx, after string) (next string, err error)) error {
	for after, more := "", true; more; more = after != "" {
		next := "" // a transaction that is run again begins where it began
		err := d.Write(ctx, func(tx *db.Tx) (err error) {
			next, err = run(tx, after)
			return err
		})
		if err != nil {
			return err
		}
		after = next
	}
	return nil
}

// clearStoredResponses clears the responses stored for idempotency keys that mention the customer.
func clearStoredResponses(tx *db.Tx, s *store.Store, known *Identifiers, after string) (next string, err error) {
	return idempotency.Forget(tx, s.Key, after, append([]string{known.ID}, known.Emails...)...)
}

// clearTraces clears what all rooms keep of an anonymous customer, and his events. Only numbered events are found.
func (h Hooks) clearTraces(ctx context.Context, d *db.DB, s *store.Store, id string) error {
	if _, err := event.Number(ctx, d); err != nil {
		return err
	}
	for _, clear := range append([]Trace{forgetEvents}, h.Traces...) {
		err := inPages(ctx, d, func(tx *db.Tx, after string) (next string, err error) { return clear(tx, s, id, after) })
		if err != nil {
			return err
		}
	}
	return nil
}

// ClearAnonymized is the job that clears once more what is kept of customers who became anonymous a moment ago. It
// returns how many they were.
func (h Hooks) ClearAnonymized(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var ids []string
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		s.EnterTime(tx)
		ids, err = dueForClearing(tx, s.Key, tx.Now)
		return err
	})
	for _, id := range ids {
		if err == nil && ctx.Err() == nil {
			err = h.clearTraces(ctx, d, s, id)
		}
		if err == nil && ctx.Err() == nil {
			err = d.Write(ctx, func(tx *db.Tx) error { return unscheduleClearing(tx, s.Key, id) })
			done++
		}
	}
	return done, err
}

// scheduleClearing notes when everything that is kept of a customer is to be cleared.
func scheduleClearing(tx *db.Tx, storeKey int64, id string, at time.Time) error {
	return tx.Insert("anonymizations", "store_id, customer_id, due_at",
		`ON CONFLICT (store_id, customer_id) DO UPDATE SET due_at = excluded.due_at`,
		[]any{storeKey, id, at.UnixMicro()})
}

// dueForClearing lists some customers of whom everything is to be cleared by now.
func dueForClearing(tx *db.Tx, storeKey int64, now time.Time) ([]string, error) {
	return db.All(tx, func(id *string) []any { return []any{id} }, `SELECT customer_id FROM anonymizations
		WHERE store_id = $1 AND due_at <= $2 ORDER BY due_at LIMIT $3`, storeKey, now.UnixMicro(), batchSize)
}

func unscheduleClearing(tx *db.Tx, storeKey int64, id string) error {
	_, err := tx.Exec(`DELETE FROM anonymizations WHERE store_id = $1 AND customer_id = $2`, storeKey, id)
	return err
}
