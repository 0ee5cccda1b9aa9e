package privacy

import (
	"context"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// ReturnDays is for how many days customers who deleted their account can come back by signing in.
const ReturnDays = 14

func (svc *Service) leaveEndpoint() api.Endpoint {
	return api.Endpoint{Method: "POST", Path: ofStore + "customer/customer/{customer}/delete",
		Access: access.Only(access.Customer), Factor: api.Own, Handle: svc.leave,
		Summary: "Delete one's own account, after some days in which one can come back by signing in",
		Form:    api.Reads(readPassword), Response: leaving{}, Audit: api.Audited("DeleteCustomer", "customer")}
}

func readPassword(g *form.Group) string { return g.Verbatim("currentPassword", form.NotBlank) }

// leaving is when an account will be erased.
type leaving struct {
	DeletionAt string `json:"deletionAt"`
}

// leave ends the sessions of the calling customer and records when the account is to be erased.
func (svc *Service) leave(c *api.Call) error {
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
	if err != nil {
		return err
	}
	if _, err := svc.confirm(c, group, given); err != nil {
		return err
	}
	if err := group.Err(); err != nil {
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
		if err := who.Leave(tx, at); err != nil {
			return err
		}
		if err := feature.React(tx, c.Store, access.SessionsEnded{UserID: who.ID}); err != nil {
			return err
		}
		return feature.React(tx, c.Store, customer.Departure{Customer: who, At: at})
	}, func() error { return c.OK(response) })
}

// EraseLeft is the job that erases the accounts of customers who deleted them and did not come back, as an
// administrator anonymizes them. It returns how many.
func (svc *Service) EraseLeft(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var ids []string
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		ids, err = customer.Left(tx, s.Key, batchSize)
		return err
	})
	for _, id := range ids {
		if err == nil && ctx.Err() == nil {
			err = svc.clearUnlinked(ctx, d, s, id)
		}
		erased := false
		if err == nil && ctx.Err() == nil {
			err = store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
				if erased, err = customer.TakeLeft(tx, s.Key, id); err == nil && erased {
					err = Anonymize(tx, s, id)
				}
				return err
			})
		}
		if err == nil && erased && ctx.Err() == nil {
			err = svc.clearTraces(ctx, d, s, id) // or else the job of Anonymize does it
			done++
		}
	}
	return done, err
}
