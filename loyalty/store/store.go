// Package store holds the shops of the platform with their settings, and the languages all share.
package store

import (
	"cmp"
	"time"
	_ "time/tzdata" // for machines that have no time zones

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// DefaultCode is the code of the store that an installation begins with. It cannot be switched off.
const DefaultCode = "DEFAULT"

// Store is one shop: everything but administrators, roles and languages belongs to exactly one.
type Store struct {
	Key       int64  // short inner key that leads every table; never shown
	ID        string // uuid, storeId on the wire
	Code      string // path segment; letters, digits, underscore
	Name      string
	Currency  string // ISO code, fixed at creation
	Active    bool
	Settings  Settings
	CreatedAt time.Time
	Sandbox   bool          // a store for trying things out, whose clock can be moved; fixed at creation
	Ahead     time.Duration // of a sandbox: how far its clock is in front of the product's

	Zone *time.Location // of Settings.Timezone
}

// New is what a store is made of.
type New struct {
	Code, Name, Currency string
	Inactive, Sandbox    bool
	Settings             Settings
}

// ErrTaken says that another store has the code, or that a language has it.
var ErrTaken = fault.New(fault.Refused, "code_taken", "This value is already used.")

// Create adds a store; a code that another one has is ErrTaken. The caller has checked that it is allowed.
func Create(tx *db.Tx, in New) (*Store, error) {
	s := &Store{
		ID: tx.NewID(), Code: in.Code, Name: in.Name, Currency: in.Currency, Active: !in.Inactive,
		Settings: in.Settings, CreatedAt: tx.Now(), Sandbox: in.Sandbox,
	}
	var err error
	if s.Key, err = takeNumbers(tx, "store", 1); err != nil {
		return nil, err
	}
	// The counter's row is locked until the end, so that nobody else adds a store meanwhile.
	if _, taken, err := ByCode(tx, in.Code); err != nil || taken {
		return nil, cmp.Or(err, error(ErrTaken))
	}
	if err := insert(tx, s); err != nil {
		return nil, err
	}
	return s, s.locate()
}

func (s *Store) locate() (err error) {
	s.Zone, err = time.LoadLocation(s.Settings.Timezone)
	return err
}

// TranslationIDs takes n ids for translation rows and returns the first; they are never given again.
func TranslationIDs(tx *db.Tx, n int) (first int64, err error) {
	return takeNumbers(tx, "translation", n)
}
