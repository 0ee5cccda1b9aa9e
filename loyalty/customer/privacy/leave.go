package privacy

import (
	"context"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// ReturnDays is for how many days customers who deleted their account can come back by signing in.
const ReturnDays = 14

func (svc *Service) leaveEndpoint() api.Endpoint {
	return api.Endpoint{Method: "POST", Path: ofStore + "customer/customer/{customer}/delete",
		Access: access.Only(access.Customer), Factor: api.Own,
		Do:      api.Write(api.BodyInCall("", svc.confirmLeaving, api.Reads(readPassword)), leave),
		Summary: "Delete one's own account, after some days in which one can come back by signing in",
		Audit:   api.Audited("DeleteCustomer", "customer")}
}

func readPassword(g *form.Group) string { return g.Verbatim("currentPassword", form.NotBlank) }

// leaving is when an account will be erased.
type leaving struct {
	DeletionAt string `json:"deletionAt"`
}

// confirmLeaving checks the password of the calling customer.
func (svc *Service) confirmLeaving(c *api.Call, g *form.Group) (none struct{}, err error) {
	given := readPassword(g)
	err = c.Read(func(tx *db.Tx) error {
		_, err := customer.Of(c, tx)
		return err
	})
	if err != nil {
		return none, err
	}
	_, err = svc.confirm(c, g, given)
	return none, err
}

// leave ends the sessions of the calling customer and records when the account is to be erased.
func leave(w *api.Writing, _ struct{}) (none leaving, err error) {
	who, _, err := customer.Lock(w.Tx, w.Store, w.Caller.ID)
	if err != nil {
		return none, err
	}
	w.Entry().SetCustomer(who.ID)
	at := calendar.AddDate(w.Tx.Now(), 0, 0, ReturnDays, w.Store.Zone)
	if err := erasure.Plan(w.Tx, who.StoreKey, who.ID, at); err != nil {
		return none, err
	}
	if err := feature.React(w.Tx, w.Store, access.SessionsEnded{UserID: who.ID}); err != nil {
		return none, err
	}
	err = feature.React(w.Tx, w.Store, customer.Departure{Customer: who, At: at})
	return leaving{api.Timestamp(at, w.Store.Zone)}, err
}

// EraseLeft is the job that erases the accounts of customers who deleted them and did not come back, as an
// administrator anonymizes them. It returns how many.
func (svc *Service) EraseLeft(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var ids []string
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		ids, err = erasure.Due(tx, s.Key, batchSize)
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if ctx.Err() != nil {
			break
		}
		erased, err := svc.eraseLeft(ctx, d, s, id)
		if err != nil {
			return done, err
		}
		if erased {
			done++
		}
	}
	return done, nil
}

// eraseLeft erases an account, unless the customer came back. The job of Anonymize does what is left if it fails.
func (svc *Service) eraseLeft(ctx context.Context, d *db.DB, s *store.Store, id string) (erased bool, err error) {
	if err := svc.clearUnlinked(ctx, d, s, id); err != nil {
		return false, err
	}
	err = store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
		if erased, err = erasure.Take(tx, s.Key, id); err != nil || !erased {
			return err
		}
		return Anonymize(tx, s, id)
	})
	if err != nil || !erased {
		return false, err
	}
	return true, svc.clearTraces(ctx, d, s, id)
}
