package privacy

import (
	"cmp"
	"context"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/idempotency"
)

// batchSize is how many customers one run of the job reads at a time.
const batchSize = 50

// clearAgainAfter is how long after anonymization everything is cleared a second time. Requests that wrote
// about the customer during the anonymization have ended by then.
const clearAgainAfter = time.Minute

// anonymize erases the identity of a customer, and responds when everything is erased. If it is interrupted,
// repeating the request completes it; otherwise the job does.
func (svc *Service) anonymize(c *api.Call) (none api.NoContent, err error) {
	var who *customer.Customer
	err = c.Read(func(tx *db.Tx) (err error) {
		who, err = findIncludingDeleted(c, tx)
		return err
	})
	if err != nil {
		return none, err
	}
	if err := svc.clearUnlinked(c.Context(), c.DB(), c.Store, who.ID); err != nil {
		return none, err
	}
	if err := c.Step(func(tx *db.Tx) error { return Anonymize(tx, c.Store, who.ID) }); err != nil {
		return none, err
	}
	return none, svc.clearTraces(c.Context(), c.DB(), c.Store, who.ID)
}

// findIncludingDeleted reads the customer that the path names. Deleted customers are found too, because the
// rows that are left of them can be anonymized as well.
func findIncludingDeleted(c *api.Call, tx *db.Tx) (*customer.Customer, error) {
	named := c.PathValue("customer")
	if !form.IsUUID(named) {
		return customer.FindByPath(tx, c.Store.Key, named, false)
	}
	id := strings.ToLower(named)
	found, err := customer.FindAll(tx, c.Store.Key, id)
	if err == nil && found[id] == nil {
		err = fault.ErrNotFound
	}
	return found[id], err
}

// withMerged returns the id of a customer and those of the customers who were merged into them, whose data is erased
// with theirs.
func withMerged(tx *db.Tx, s *store.Store, id string) ([]string, error) {
	merged, err := customer.MergedInto(tx, s.Key, id)
	return append(merged, id), err
}

// Anonymize clears the identity of a customer's row, blocks the customer and ends their sessions. It does the same
// with the customers who were merged into them. The rows themselves, their sums and their links stay. Repeating it has
// no further effect. It schedules the job that clears what other features store about the customers.
func Anonymize(tx *db.Tx, s *store.Store, id string) error {
	ids, err := withMerged(tx, s, id)
	if err != nil {
		return err
	}
	owners := make([]points.Owner, len(ids))
	for i := range ids {
		owners[i] = points.Owner{Store: s, CustomerID: ids[i]}
	}
	wallets, err := points.Lock(tx, owners...)
	if err != nil {
		return err
	}
	if err := wallets.Save(); err != nil {
		return err
	}
	locked, err := customer.LockRows(tx, s.Key, ids)
	if err != nil {
		return err
	}
	if now, err := withMerged(tx, s, id); err != nil || len(now) != len(ids) { // merged since
		return cmp.Or(err, db.ErrStale)
	}
	if len(locked) != len(ids) {
		return fault.ErrNotFound
	}
	for _, c := range locked {
		if err := anonymizeLocked(tx, s, c); err != nil {
			return err
		}
	}
	return nil
}

func anonymizeLocked(tx *db.Tx, s *store.Store, c *customer.Customer) error {
	err := scheduleClearing(tx, s.Key, c.ID, tx.Now().Add(clearAgainAfter))
	if err != nil || !c.AnonymizedAt.IsZero() {
		return err
	}
	audit.Of(tx).Hide()
	before := *c
	if err := customer.Anonymize(tx, s, c); err != nil {
		return err
	}
	if err := feature.React(tx, s, access.SessionsEnded{UserID: c.ID}); err != nil {
		return err
	}
	return feature.React(tx, s, customer.Changed{Before: &before, After: c})
}

// clearUnlinked clears rows that mention the customer, or one who was merged into them, without being linked to them.
// It must run before the customer's own row is cleared, because that row holds the identifiers.
func (svc *Service) clearUnlinked(ctx context.Context, d *db.DB, s *store.Store, id string) error {
	if _, err := event.Number(ctx, d); err != nil {
		return err
	}
	var all []*feature.Identifiers
	err := store.Read(ctx, d, s, func(tx *db.Tx) error {
		ids, err := withMerged(tx, s, id)
		if err != nil {
			return err
		}
		found, err := customer.FindAll(tx, s.Key, ids...)
		if err != nil {
			return err
		}
		for _, c := range found {
			known, err := identifiersOf(tx, c)
			if err != nil {
				return err
			}
			all = append(all, known)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, known := range all {
		if err := svc.clearKnown(ctx, d, s, known); err != nil {
			return err
		}
	}
	return nil
}

func (svc *Service) clearKnown(ctx context.Context, d *db.DB, s *store.Store, known *feature.Identifiers) error {
	traces := []feature.UnlinkedTrace{clearStoredResponses}
	for i := range svc.stored {
		if trace := svc.stored[i].ForgetUnlinked; trace != nil {
			traces = append(traces, trace)
		}
	}
	for _, clear := range traces {
		err := inPages(ctx, d, s, func(tx *db.Tx, after string) (next string, err error) {
			return clear(tx, s, known, after)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inPages runs one write transaction per page until the returned key is empty.
func inPages(ctx context.Context, d *db.DB, s *store.Store,
	run func(tx *db.Tx, after string) (next string, err error)) error {
	for after, more := "", true; more; more = after != "" {
		next := "" // reset when the transaction is retried
		err := store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
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
func clearStoredResponses(tx *db.Tx, s *store.Store, known *feature.Identifiers, after string) (
	next string, err error) {
	return idempotency.Forget(tx, s.Key, after, append([]string{known.ID}, known.Emails...)...)
}

// clearTraces clears what all features store about an anonymized customer and those who were merged into them, and
// their events. It numbers the events first, because only numbered events are found.
func (svc *Service) clearTraces(ctx context.Context, d *db.DB, s *store.Store, id string) error {
	if _, err := event.Number(ctx, d); err != nil {
		return err
	}
	var ids []string
	err := store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		ids, err = withMerged(tx, s, id)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := svc.clearTracesOf(ctx, d, s, id); err != nil {
			return err
		}
	}
	return nil
}

func (svc *Service) clearTracesOf(ctx context.Context, d *db.DB, s *store.Store, id string) error {
	traces := []feature.Trace{forgetEvents}
	for i := range svc.stored {
		traces = append(traces, svc.stored[i].Forget...)
	}
	for _, clear := range traces {
		err := inPages(ctx, d, s, func(tx *db.Tx, after string) (next string, err error) {
			return clear(tx, s, id, after)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ClearAnonymized is the job that clears a second time what is stored about recently anonymized customers. It
// returns how many customers it completed.
func (svc *Service) ClearAnonymized(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var ids []string
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		ids, err = dueForClearing(tx, s.Key, tx.Now())
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if ctx.Err() != nil {
			break
		}
		if err := svc.clearTraces(ctx, d, s, id); err != nil {
			return done, err
		}
		err := store.Write(ctx, d, s, func(tx *db.Tx) error { return unscheduleClearing(tx, s.Key, id) })
		if err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

// scheduleClearing records when everything about a customer is to be cleared again.
func scheduleClearing(tx *db.Tx, storeKey int64, id string, at time.Time) error {
	return clearings.Put(tx, &clearing{storeKey, id, at})
}

// clearing is the second clearing of a customer.
type clearing struct {
	storeKey   int64
	customerID string
	dueAt      time.Time
}

var clearings = db.NewTable("anonymizations", "store_id, customer_id", func(c *clearing) db.Row {
	return db.Row{"store_id", &c.storeKey, "customer_id", &c.customerID, "due_at", db.Time(&c.dueAt)}
})

// dueForClearing lists one batch of customers whose second clearing is due.
func dueForClearing(tx *db.Tx, storeKey int64, now time.Time) ([]string, error) {
	return db.AllValues[string](tx, `SELECT customer_id FROM anonymizations
		WHERE store_id = ? AND due_at <= ? ORDER BY due_at LIMIT ?`, storeKey, now.UnixMicro(), batchSize)
}

func unscheduleClearing(tx *db.Tx, storeKey int64, id string) error {
	_, err := tx.Exec(`DELETE FROM anonymizations WHERE store_id = ? AND customer_id = ?`, storeKey, id)
	return err
}
