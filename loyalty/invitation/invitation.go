// Package invitation holds the invitations that customers send to others: docs/behaviour/invitations.md. What
// invitations earn is decided by the referral rules of package earning.
package invitation

import (
	"cmp"
	"crypto/rand"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/counter"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// The statuses of an invitation, in the order in which it goes through them.
const (
	Invited      = "invited"
	Registered   = "registered"
	MadePurchase = "made_purchase"
)

// Statuses lists the statuses.
var Statuses = []string{Invited, Registered, MadePurchase}

// ErrExists is the error of an invitation to somebody who was invited before or is a customer already.
var ErrExists = fault.New(fault.Fields, "invitation_exists", "Invitation exists")

// Invitation is an invitation of one person by a customer, the referrer.
type Invitation struct {
	StoreKey        int64
	ID              string
	ReferrerID      string
	RecipientID     string // the customer who registered; empty until then
	RecipientEmail  string // both contacts are empty for somebody who used the referrer's personal link
	RecipientPhone  string
	JoinedEmail     string // with which the recipient registered
	JoinedPhoneKey  string
	Token           string // cleared with the personal data of either side
	Status          string
	Rewarded        bool          // the rules for the registration were applied
	ReferrerPoints  points.Amount // what referral rules have paid each side
	RecipientPoints points.Amount
	CreatedAt       time.Time
	RegisteredAt    time.Time
	PurchasedAt     time.Time
}

// counterName is the name of the counter of a store's invitations with the status.
func counterName(status string) string { return "invitations " + status }

func countInvitation(tx *db.Tx, storeKey int64, status string, more int64) {
	counter.Add(tx, storeKey, counterName(status), more)
}

// Total returns the number of a store's invitations with one of the statuses.
func Total(tx *db.Tx, storeKey int64, statuses ...string) (int64, error) {
	names := make([]string, len(statuses))
	for i, status := range statuses {
		names[i] = counterName(status)
	}
	return counter.Total(tx, storeKey, names...)
}

// Invite stores an invitation to an e-mail address or a phone. It returns ErrExists if the recipient was invited
// before, by whomever, or is a customer.
func Invite(tx *db.Tx, s *store.Store, referrerID, email, phone string) (*Invitation, error) {
	known, err := customer.CountByContact(tx, s.Key, email+phone)
	if err != nil {
		return nil, err
	}
	if known > 0 {
		return nil, ErrExists
	}
	i := &Invitation{
		StoreKey: s.Key, ID: tx.NewID(), ReferrerID: referrerID, RecipientEmail: email, RecipientPhone: phone,
		Token: rand.Text(), Status: Invited, CreatedAt: tx.Now(),
	}
	if inserted, err := table.InsertNew(tx, i); err != nil {
		return nil, err
	} else if !inserted {
		return nil, ErrExists
	}
	countInvitation(tx, s.Key, Invited, 1)
	return i, event.Append(tx, s.Key, i.created())
}

// Claim returns the id of the invitation by which somebody with the token can register, or an empty id. It locks
// the account of the referrer, so call it before the registration locks other rows. The token of an invitation works
// once. That of a personal link always makes a new invitation.
func Claim(tx *db.Tx, s *store.Store, token string) (id string, err error) {
	i, err := byToken(tx, s.Key, token)
	if err != nil || i == nil {
		return "", err
	}
	referrers, err := customer.FindAll(tx, s.Key, i.ReferrerID)
	if err != nil {
		return "", err
	}
	if of := referrers[i.ReferrerID]; of != nil { // the link may be that of a merged customer
		i.ReferrerID = cmp.Or(of.MergedInto, i.ReferrerID)
	}
	if _, err := points.Lock(tx, points.Owner{Store: s, CustomerID: i.ReferrerID}); err != nil {
		return "", err
	}
	if i.ID == "" {
		i.ID, i.Status, i.CreatedAt = tx.NewID(), Invited, tx.Now()
		countInvitation(tx, s.Key, Invited, 1)
		if err := table.Insert(tx, i); err != nil {
			return "", err
		}
		return i.ID, event.Append(tx, s.Key, i.created())
	}
	if i, err = Lock(tx, s.Key, i.ID); err != nil || i.Token != token || i.Status != Invited {
		return "", err
	}
	return i.ID, nil
}

// Attach makes a new customer the recipient of the invitation that Claim returned, if there is one. Somebody who came
// by an invitation before, and was deleted, does not earn for it again.
func Attach(tx *db.Tx, s *store.Store, c *customer.Customer) error {
	if c.InvitationID == "" {
		return nil
	}
	i, err := Lock(tx, s.Key, c.InvitationID)
	if err != nil {
		return err
	}
	i.RecipientID, i.Status, i.RegisteredAt = c.ID, Registered, tx.Now()
	i.JoinedEmail, i.JoinedPhoneKey = c.Email, c.PhoneKey
	countInvitation(tx, s.Key, Invited, -1)
	countInvitation(tx, s.Key, Registered, 1)
	for column, value := range map[string]string{"joined_email": c.Email, "joined_phone_key": c.PhoneKey} {
		earlier, found, err := byJoined(tx, s.Key, column, value)
		if err != nil {
			return err
		}
		i.Rewarded = i.Rewarded || found && earlier.Rewarded
		if found && earlier.Status == MadePurchase && i.Status == Registered {
			i.Purchased(tx)
		}
	}
	if err := Save(tx, i); err != nil {
		return err
	}
	return event.Append(tx, s.Key, event.Entry{
		AggregateID: i.ID, Fact: customerWasAttachedToInvitation{ref{i.ID}, customer.Ref{CustomerID: c.ID}},
	})
}

// Purchased notes the first sale to the recipient. The caller saves the invitation, which must be locked.
func (i *Invitation) Purchased(tx *db.Tx) {
	i.Status, i.PurchasedAt = MadePurchase, tx.Now()
	countInvitation(tx, i.StoreKey, Registered, -1)
	countInvitation(tx, i.StoreKey, MadePurchase, 1)
}

// LinkToken returns the token of a customer's personal link. The first call makes it.
func LinkToken(tx *db.Tx, s *store.Store, customerID string) (string, error) {
	token := rand.Text()
	inserted, err := linkTable.InsertNew(tx, &link{s.Key, customerID, token, tx.Now()})
	if err != nil || !inserted {
		if err == nil {
			token, err = linkToken(tx, s.Key, customerID)
		}
		return token, err
	}
	return token, event.Append(tx, s.Key, event.Entry{AggregateID: customerID, Fact: customerInvitationTokenWasCreated{
		customer.Ref{CustomerID: customerID}, token,
	}})
}
