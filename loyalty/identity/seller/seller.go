// Package seller manages the people who serve customers at points of sale: docs/behaviour/sellers.md.
package seller

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/keytext"
)

// Seller serves the customers of one store. The rows of deleted sellers remain, because purchases and transfers refer
// to them, but are never shown.
type Seller struct {
	StoreKey            int64
	ID                  string
	Email               string // in lower case; the name to log in with
	FirstName, LastName string
	Phone               string
	PasswordHash        string
	POSID               string
	Active, Deleted     bool
	Rights
	LastLoginAt time.Time
	CreatedAt   time.Time
}

// Rights are the switches that say what a seller may do for customers, besides what all sellers may do.
type Rights struct {
	AllowPointTransfer bool // add and spend points
	AllowCouponUse     bool // mark coupons as used
	AllowCouponLookup  bool // see whose a code is, and whether it can be used
	AllowTransactions  bool // register receipts and returns, and preview them
	AllowCouponCancel  bool // cancel purchases, which gives the points back
}

// NewRights are the rights of a new seller by default: all that a till needs, but no points by hand
// and nothing that gives points back.
var NewRights = Rights{AllowCouponUse: true, AllowCouponLookup: true, AllowTransactions: true}

// New is the data of a new or changed seller.
type New struct {
	Email               string
	FirstName, LastName string
	Phone               string
	PasswordHash        string
	POSID               string // may be empty
	Active              bool
	AllowPointTransfer  bool
	// The other Rights. Nil means no change, and NewRights for a new seller.
	AllowCouponUse, AllowCouponLookup, AllowTransactions, AllowCouponCancel *bool
}

// Refused marks the fields of a seller that an operation refused: another seller of the store has the e-mail address,
// or the store has no such point of sale.
type Refused struct{ EmailTaken, POSUnknown bool }

// Error describes the error for logs. Clients get an error at each refused field.
func (r *Refused) Error() string { return "the seller is refused by a field" }

// Create adds a seller to a store. A *Refused error names the refused fields.
func Create(tx *db.Tx, storeKey int64, in New) (Seller, error) {
	s := Seller{StoreKey: storeKey, ID: tx.NewID(), CreatedAt: tx.Now(), Rights: NewRights}
	s.take(in)
	if err := s.claim(tx); err != nil {
		return Seller{}, err
	}
	return s, insertSeller(tx, &s)
}

// Change replaces a seller's data; an empty PasswordHash keeps the password. ended means that the sessions of the
// seller must end, because the password changed or the seller was deactivated. A *Refused error names the refused
// fields; fault.ErrNotFound is for unknown and deleted sellers.
func Change(tx *db.Tx, storeKey int64, id string, in New) (ended bool, err error) {
	if _, err := store.Lock(tx, storeKey); err != nil {
		return false, err
	}
	s, found, err := FindByID(tx, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return false, err
	}
	ended = in.PasswordHash != "" || s.Active && !in.Active
	if in.PasswordHash == "" {
		in.PasswordHash = s.PasswordHash
	}
	s.take(in)
	if err := s.claim(tx); err != nil {
		return false, err
	}
	return ended, updateSeller(tx, &s)
}

// Activate activates or deactivates a seller. It is idempotent.
func Activate(tx *db.Tx, storeKey int64, id string, active bool) error {
	return set(tx, storeKey, id, "active", active)
}

// Move gives a seller another point of sale. A *Refused error is for an unknown one.
func Move(tx *db.Tx, storeKey int64, id, posID string) error {
	_, known, err := pos.Find(tx, storeKey, posID)
	if err == nil && !known {
		err = &Refused{POSUnknown: true}
	}
	if err != nil {
		return err
	}
	return set(tx, storeKey, id, "pos_id", posID)
}

// Delete deletes a seller for good, which frees the e-mail address.
func Delete(tx *db.Tx, storeKey int64, id string) error {
	return set(tx, storeKey, id, "deleted", true)
}

func (s *Seller) take(in New) {
	s.Email, s.FirstName, s.LastName, s.Phone = fold(in.Email), in.FirstName, in.LastName, in.Phone
	s.PasswordHash, s.POSID, s.Active, s.AllowPointTransfer = in.PasswordHash, in.POSID, in.Active, in.AllowPointTransfer
	for _, right := range []struct{ to, sent *bool }{
		{&s.AllowCouponUse, in.AllowCouponUse}, {&s.AllowCouponLookup, in.AllowCouponLookup},
		{&s.AllowTransactions, in.AllowTransactions}, {&s.AllowCouponCancel, in.AllowCouponCancel},
	} {
		if right.sent != nil {
			*right.to = *right.sent
		}
	}
}

// claim locks the store and checks that no other seller has the e-mail address and that the point of sale exists.
func (s *Seller) claim(tx *db.Tx) error {
	if _, err := store.Lock(tx, s.StoreKey); err != nil {
		return err
	}
	other, taken, err := FindByLogin(tx, s.StoreKey, s.Email)
	if err != nil {
		return err
	}
	refused := Refused{EmailTaken: taken && other.ID != s.ID}
	if s.POSID != "" {
		_, known, err := pos.Find(tx, s.StoreKey, s.POSID)
		if err != nil {
			return err
		}
		refused.POSUnknown = !known
	}
	if refused != (Refused{}) {
		return &refused
	}
	return nil
}

// fold normalizes an e-mail address, of which neither case nor surrounding spaces count.
func fold(email string) string { return keytext.Fold(email) }
