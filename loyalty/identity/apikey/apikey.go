// Package apikey manages the keys by which programs call the API, with some of the rights of the administrator who made
// them: docs/behaviour/keys.md. Package auth authenticates their requests.
package apikey

import (
	"net/netip"
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/limit"
)

// Limits of keys.
const (
	nameLimit   = 100       // characters
	madeLimit   = 100       // keys of one administrator
	storesLimit = 100       // stores of one key
	networks    = 50        // networks of one key
	fastest     = 1_000_000 // requests per minute

	// maxOverlap is the longest time that the former secret stays valid after a rotation.
	maxOverlap = 168 * time.Hour
)

// Errors of keys.
var (
	errPerson = fault.New(fault.Forbidden, "key_needs_person",
		"Only an administrator who logs in can manage keys.")
	errTooMany = fault.New(fault.Refused, "too_many_keys", "You have too many keys. Revoke those that are not needed.")
	errNotHeld = fault.New(fault.Fields, "permission_not_held", "You can only give permissions that you have.")
)

// Key is an API key. Its secret is not stored.
type Key struct {
	ID      string
	MakerID string
	Settings
	Beginning   string // of the secret
	secretHash  string
	formerHash  string    // of the secret before the last rotation
	FormerUntil time.Time // when that secret expires; zero for none
	rotations   int64

	CreatedAt    time.Time
	LastUsedAt   time.Time // to the minute; zero if never
	LastUsedFrom string    // address
}

// Settings hold the choices of the maker of a key.
type Settings struct {
	Name        string
	Permissions map[string][]string // resource to accesses
	Stores      []int64             // keys of the stores that it opens; empty for all
	Addresses   []netip.Prefix      // from which it may be used; empty for all
	PerMinute   int64               // requests; 0 for no limit
	ExpiresAt   time.Time           // zero for never
}

// Grantable returns the accesses to a resource that a key can have: none that changes who may do what.
func Grantable(resource string) []string {
	switch resource {
	case access.APIKeys, access.Security:
		return nil
	case access.ACL, access.Admin:
		return []string{access.View}
	}
	return []string{access.View, access.Modify}
}

// InForce returns the permissions of the key that its maker has now.
func (k *Key) InForce(maker *access.Caller) map[string][]string {
	inForce := map[string][]string{}
	for resource, granted := range k.Permissions {
		for _, a := range granted {
			switch {
			case maker.Allowed(resource, a):
				inForce[resource] = append(inForce[resource], a)
			case maker.Allowed(resource, access.View): // of MODIFY, VIEW is left
				inForce[resource] = append(inForce[resource], access.View)
			}
		}
	}
	return inForce
}

// within reports whether the caller has all permissions of the key, apart from those that it had before.
func (s *Settings) within(by *access.Caller, before map[string][]string) bool {
	for resource, granted := range s.Permissions {
		for _, a := range granted {
			if !by.Allowed(resource, a) && !slices.Contains(before[resource], a) {
				return false
			}
		}
	}
	return true
}

// Caller returns the caller of a request with the key, whose maker has the rights of another caller and is called so.
func (k *Key) Caller(maker *access.Caller, makerName string) *access.Caller {
	c := &access.Caller{
		Role: access.Administrator, ID: k.ID, Username: k.Name + " (" + makerName + ")", Permanent: true,
		Permissions: k.InForce(maker),
		Key: &access.Key{
			MakerID: k.MakerID, Stores: k.Stores, Networks: k.Addresses,
			Rate: limit.Rate{Quota: int(k.PerMinute), Window: time.Minute},
		},
	}
	if maker.Stores != nil {
		c.Stores = map[int64]map[string][]string{}
		for storeKey := range maker.Stores {
			c.Stores[storeKey] = k.InForce(maker.In(storeKey))
		}
	}
	return c
}

// Rotations returns how many rotations were before the present secret.
func (k *Key) Rotations() int64 { return k.rotations }

// ValidUntil returns when a secret of the key stops being valid, by the number of rotations that came before it; zero
// for never. valid is false if it has stopped already.
func (k *Key) ValidUntil(rotations int64, now time.Time) (until time.Time, valid bool) {
	until = k.ExpiresAt
	switch rotations {
	case k.rotations:
	case k.rotations - 1:
		if k.FormerUntil.IsZero() {
			return until, false
		}
		if until.IsZero() || k.FormerUntil.Before(until) {
			until = k.FormerUntil
		}
	default:
		return until, false
	}
	return until, until.IsZero() || now.Before(until)
}

// Create makes a key of the caller and returns its secret. The error is errNotHeld for permissions that the caller
// lacks.
func Create(tx *db.Tx, by *access.Caller, in Settings) (k Key, secret string, err error) {
	switch {
	case !isPerson(by):
		return k, "", errPerson
	case !in.within(by, nil):
		return k, "", errNotHeld
	}
	if err := tx.Lock("api keys " + by.ID); err != nil {
		return k, "", err
	}
	made, err := countOf(tx, by.ID)
	if err == nil && made >= madeLimit {
		err = errTooMany
	}
	if err != nil {
		return k, "", err
	}
	if secret, err = newSecret(tx, in.Stores); err != nil {
		return k, "", err
	}
	k = Key{
		ID: tx.NewID(), MakerID: by.ID, Settings: in, CreatedAt: tx.ServerNow(),
		Beginning: secret[:shownChars], secretHash: hash(secret),
	}
	return k, secret, insertKey(tx, &k)
}

// change runs a change of a key that the caller may manage: their own, or with ADMIN MODIFY one that can do nothing
// that the caller cannot.
func change(tx *db.Tx, by *access.Caller, id string, run func(k *Key) error) error {
	k, found, err := lockKey(tx, id)
	switch {
	case err != nil:
		return err
	case !found || !mayView(by, &k):
		return fault.ErrNotFound
	case !isPerson(by):
		return errPerson
	case k.MakerID != by.ID && !(by.Allowed(access.Admin, access.Modify) && k.within(by, nil)):
		return fault.ErrForbidden
	}
	if err := run(&k); err != nil {
		return err
	}
	return updateKey(tx, &k)
}

// isPerson reports whether the caller has logged in: programs cannot make keys or read their secrets.
func isPerson(by *access.Caller) bool { return by.Session != "" }

// mayView reports whether the caller may see a key: their own, or any with ADMIN VIEW.
func mayView(by *access.Caller, k *Key) bool {
	return k.MakerID == by.ID || by.Allowed(access.Admin, access.View)
}

// Change replaces the settings of a key. The error is fault.ErrNotFound for a key that the caller does not see,
// fault.ErrForbidden for one that they may not change, and errNotHeld for new permissions that the caller lacks.
func Change(tx *db.Tx, by *access.Caller, id string, in Settings) error {
	return change(tx, by, id, func(k *Key) error {
		if !in.within(by, k.Permissions) {
			return errNotHeld
		}
		k.Settings = in
		return nil
	})
}

// Rotate gives a key a new secret, with the errors of Change. The present one stays valid for the overlap, and an
// earlier one ends.
func Rotate(tx *db.Tx, by *access.Caller, id string, overlap time.Duration) (secret string, err error) {
	err = change(tx, by, id, func(k *Key) (err error) {
		if secret, err = newSecret(tx, k.Stores); err != nil {
			return err
		}
		k.formerHash, k.FormerUntil = "", time.Time{}
		if overlap > 0 {
			k.formerHash, k.FormerUntil = k.secretHash, tx.ServerNow().Add(overlap)
		}
		k.secretHash, k.Beginning, k.rotations = hash(secret), secret[:shownChars], k.rotations+1
		return nil
	})
	return secret, err
}

// Revoke deletes a key of the caller or, with ADMIN MODIFY, of anybody. The errors are those of Change.
func Revoke(tx *db.Tx, by *access.Caller, id string) error {
	k, found, err := lockKey(tx, id)
	switch {
	case err != nil:
		return err
	case !found || !mayView(by, &k):
		return fault.ErrNotFound
	case k.MakerID != by.ID && !by.Allowed(access.Admin, access.Modify):
		return fault.ErrForbidden
	}
	return deleteKey(tx, id)
}
