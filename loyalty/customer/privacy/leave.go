package privacy

import (
	"context"
	"time"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// ReturnDays is for how many days customers who deleted their account can come back by signing in.
const ReturnDays = 14

func (h Hooks) leaveEndpoint() api.Endpoint {
	return api.Endpoint{Method: "POST", Path: ofStore + "customer/customer/{customer}/delete",
		Access: access.Only(access.Customer), Factor: api.Own, Handle: h.leave,
		Summary: "Delete one's own account, after some days in which one can come back by signing in",
		Form:    api.Reads(readPassword), Response: leaving{}, Audit: api.Audited("DeleteCustomer", "customer")}
}

func readPassword(g *form.Group) string { return g.Verbatim("currentPassword", form.NotBlank) }

// leaving is when an account will be erased.
type leaving struct {
	DeletionAt string `json:"deletionAt"`
}

// leave ends the sessions of the calling customer and records when the account is to be erased.
func (h Hooks) leave(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body)
	given := readPassword(group)
	err = c.Read(func(tx *db.Tx) error {
		_, err := customer.Of(c, tx)
		return err
	})
	if err == nil {
		_, err = h.Confirm(c, group, given)
	}
	if err == nil {
		err = group.Err()
	}
	if err != nil {
		return err
	}
	var response leaving
	return c.Write(func(tx *db.Tx) error {
		who, _, err := customer.Lock(tx, c.Store, c.Caller.ID)
		if err != nil {
			return err
		}
		audit.Of(tx).SetCustomer(who.ID)
		at := calendar.AddDate(tx.Now(), 0, 0, ReturnDays, c.Store.Zone)
		response.DeletionAt = api.Timestamp(at, c.Store.Zone)
		err = tx.Insert("leaving_customers", "store_id, customer_id, due_at",
			`ON CONFLICT (store_id, customer_id) DO UPDATE SET due_at = excluded.due_at`,
			[]any{c.Store.Key, who.ID, at.UnixMicro()})
		if err == nil {
			err = h.EndSessions(tx, who.ID, "")
		}
		if err == nil {
			err = h.Leaving(tx, c.Store, who, at)
		}
		return err
	}, func() error { return c.OK(response) })
}

// ComeBack keeps the account of a customer who signed in after they deleted it.
func ComeBack(tx *db.Tx, storeKey int64, customerID string) error {
	_, err := tx.Exec(`DELETE FROM leaving_customers WHERE store_id = $1 AND customer_id = $2`, storeKey, customerID)
	return err
}

// LeavesAt returns when the account of a customer is erased because they deleted it; zero if they did not.
func LeavesAt(tx *db.Tx, storeKey int64, customerID string) (time.Time, error) {
	at, found, err := db.One(tx, func(at *time.Time) []any { return []any{db.Time(at)} },
		`SELECT due_at FROM leaving_customers WHERE store_id = $1 AND customer_id = $2`, storeKey, customerID)
	if !found {
		at = time.Time{}
	}
	return at, err
}

// EraseLeft is the job that erases the accounts of customers who deleted them and did not come back, as an
// administrator anonymizes them. It returns how many.
func (h Hooks) EraseLeft(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var ids []string
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		ids, err = db.All(tx, func(id *string) []any { return []any{id} }, `SELECT customer_id FROM leaving_customers
			WHERE store_id = $1 AND due_at <= $2 ORDER BY due_at LIMIT $3`, s.Key, tx.Now().UnixMicro(), batchSize)
		return err
	})
	for _, id := range ids {
		if err == nil && ctx.Err() == nil {
			err = h.clearUnlinked(ctx, d, s, id)
		}
		erased := false
		if err == nil && ctx.Err() == nil {
			err = store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
				if erased, err = takeLeft(tx, s.Key, id); err == nil && erased {
					err = h.Anonymize(tx, s, id)
				}
				return err
			})
		}
		if err == nil && erased && ctx.Err() == nil {
			err = h.clearTraces(ctx, d, s, id) // or else the job of Anonymize does it
			done++
		}
	}
	return done, err
}

// takeLeft removes a customer whose account is due. It returns false if they came back meanwhile.
func takeLeft(tx *db.Tx, storeKey int64, id string) (bool, error) {
	n, err := tx.Exec(`DELETE FROM leaving_customers WHERE store_id = $1 AND customer_id = $2 AND due_at <= $3`,
		storeKey, id, tx.Now().UnixMicro())
	return n == 1, err
}
