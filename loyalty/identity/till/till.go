// Package till enrols the devices of points of sale, on which sellers switch by a PIN: docs/behaviour/cashier-pin.md.
package till

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const (
	// DeviceLife is how long a till stays enrolled without a log-in by PIN. Browsers keep no cookie for longer.
	DeviceLife = 400 * 24 * time.Hour

	maxName     = 100 // characters of the name of a till
	secretBytes = 32
)

var (
	errNotEnrolled = fault.New(fault.Forbidden, "till_not_enrolled", "This device is no enrolled till of the store.")
	errWrongPIN    = fault.New(fault.Unauthenticated, "wrong_pin", "The PIN is wrong.")
)

// Till is an enrolled device.
type Till struct {
	StoreKey   int64
	ID         string
	Name       string
	POSID      string // may be empty
	EnrolledBy string // id of the seller
	EnrolledAt time.Time
	hash       string // of the secret
}

// newSecret returns a secret for the cookie of a device.
func newSecret() string {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // never returns an error
	return hex.EncodeToString(random)
}

// hashOf needs neither a salt nor a slow hash, because secrets are random.
func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// enrol enrols the device of a seller in place of the till that it was before, if it was one.
func enrol(tx *db.Tx, a *auth.Auth, storeKey int64, sellerID, name, secret, formerSecret string) (*Till, error) {
	who, found, err := seller.FindByID(tx, storeKey, sellerID)
	if err == nil && !found {
		err = fault.ErrForbidden
	}
	if err != nil {
		return nil, err
	}
	former, found, err := lockBySecret(tx, storeKey, formerSecret)
	if err == nil && found {
		err = revoke(tx, a, storeKey, former.ID)
	}
	if err != nil {
		return nil, err
	}
	t := &Till{
		StoreKey: storeKey, ID: tx.NewID(), Name: name, POSID: who.POSID, EnrolledBy: sellerID,
		EnrolledAt: tx.ServerNow(), hash: hashOf(secret),
	}
	return t, insertTill(tx, t)
}

// revoke deletes a till, and ends the sessions that began there with a PIN.
func revoke(tx *db.Tx, a *auth.Auth, storeKey int64, id string) error {
	deleted, err := deleteTill(tx, storeKey, id)
	if err == nil && !deleted {
		err = fault.ErrNotFound
	}
	if err != nil {
		return err
	}
	return a.EndAtTill(tx, id)
}
