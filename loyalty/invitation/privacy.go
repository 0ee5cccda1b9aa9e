package invitation

import (
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/message"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/keytext"
	"punchcard/platform/phone"
)

// pageSize is how many invitations one step of Forget clears, and the page size of Export.
const pageSize = 200

// Forget clears the contacts and tokens of the invitations that a customer sent, some at a time, their personal link,
// and the invitation by which they came. Whom they invited can no longer register as invited by them.
func Forget(tx *db.Tx, s *store.Store, customerID, after string) (next string, err error) {
	ids, err := sentBy(tx, s.Key, customerID, after, pageSize)
	if err != nil {
		return "", err
	}
	if len(ids) == pageSize {
		next = ids[pageSize-1]
	}
	if after != "" {
		return next, forget(tx, s, ids)
	}
	if _, err := tx.Exec(`DELETE FROM invitation_links WHERE store_id = ? AND customer_id = ?`,
		s.Key, customerID); err != nil {
		return "", err
	}
	if err := event.Rewrite(tx, s.Key, PersonalEvents, customerID); err != nil {
		return "", err
	}
	own, err := idsWhere(tx, s.Key, `recipient_id = ? AND recipient_id <> ''`, customerID)
	if err != nil {
		return "", err
	}
	return next, forget(tx, s, append(ids, own...))
}

// ForgetContact clears the invitations that others sent to a customer's e-mail address or phone.
func ForgetContact(tx *db.Tx, s *store.Store, known *feature.Identifiers, _ string) (next string, err error) {
	phones := make([]string, len(known.Phones))
	for i, text := range known.Phones {
		phones[i] = phone.Key(text, s.Settings.Country)
	}
	for column, texts := range map[string][]string{
		"recipient_email": known.Emails, "recipient_phone_key": known.Phones,
		"joined_email": known.Emails, "joined_phone_key": phones,
	} {
		for _, text := range texts {
			ids, err := idsWhere(tx, s.Key, column+` = ? AND `+column+` <> ''`, keytext.Fold(text))
			if err != nil {
				return "", err
			}
			if err := forget(tx, s, ids); err != nil {
				return "", err
			}
		}
	}
	return "", nil
}

// idsWhere returns the ids of the invitations that meet a condition, which must be a constant.
func idsWhere(tx *db.Tx, storeKey int64, condition, value string) ([]string, error) {
	q := db.NewSQL(`SELECT invitation_id FROM invitations WHERE store_id = ?`, storeKey).And(condition, value)
	return db.AllValues[string](tx, q.Text(), q.Args()...)
}

// sentBy returns the ids of a customer's invitations after one, in order of creation.
func sentBy(tx *db.Tx, storeKey int64, customerID, after string, limit int) ([]string, error) {
	return db.AllValues[string](tx, `SELECT invitation_id FROM invitations
		WHERE store_id = ? AND referrer_id = ? AND invitation_id > ? ORDER BY invitation_id LIMIT ?`,
		storeKey, customerID, after, limit)
}

// forget clears invitations with their events and messages, which name the customer who invites.
func forget(tx *db.Tx, s *store.Store, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	var addresses []string
	err := table.Each(tx, func(i Invitation) {
		for _, address := range []string{i.RecipientEmail, i.RecipientPhone} {
			if address != "" {
				addresses = append(addresses, address)
			}
		}
	}, `SELECT i.recipient_email, i.recipient_phone FROM ? AS v (store, id) CROSS JOIN invitations i
		WHERE i.store_id = v.store AND i.invitation_id = v.id`, tx.Among(s.Key, db.Distinct(ids)...))
	if err != nil {
		return err
	}
	if err := message.ForgetStrangers(tx, s, db.Distinct(addresses)...); err != nil {
		return err
	}
	rows := make([]*Invitation, len(ids))
	for i, id := range ids {
		rows[i] = &Invitation{StoreKey: s.Key, ID: id}
	}
	err = table.Update(tx, "recipient_email, recipient_phone, recipient_phone_key, token, joined_email, joined_phone_key",
		rows...)
	if err != nil {
		return err
	}
	return event.Rewrite(tx, s.Key, PersonalEvents, ids...)
}

// exported is an invitation in the personal data export of the customer who sent it.
type exported struct {
	InvitationID   string        `json:"invitationId"`
	RecipientEmail string        `json:"recipientEmail"`
	RecipientPhone string        `json:"recipientPhone"`
	Status         string        `json:"status"`
	PointsEarned   points.Amount `json:"pointsEarned"`
	CreatedAt      string        `json:"createdAt"`
}

// Export returns a page of the invitations that a customer sent, for the personal data export.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	found, err := table.All(tx, `SELECT * FROM invitations
		WHERE store_id = ? AND referrer_id = ? AND invitation_id > ? ORDER BY invitation_id LIMIT ?`,
		s.Key, customerID, after, pageSize)
	for _, i := range found {
		items = append(items, exported{
			i.ID, i.RecipientEmail, i.RecipientPhone, i.Status, i.ReferrerPoints, api.Timestamp(i.CreatedAt, s.Zone),
		})
	}
	if len(found) == pageSize {
		next = found[pageSize-1].ID
	}
	return items, next, err
}
