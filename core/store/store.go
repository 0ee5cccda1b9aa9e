// Package store holds the stores with their settings and clocks, and the languages that all stores share:
// docs/behaviour/stores.md.
package store

import (
	"cmp"
	"time"
	_ "time/tzdata" // for machines that have no time zones

	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// DefaultCode is the code of the first store of an installation, which cannot be deactivated.
const DefaultCode = "DEFAULT"

// Store is a shop or brand. All data except administrators, roles and languages belongs to one store.
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

// New is the data of a new store.
type New struct {
	Code, Name, Currency string
	Inactive, Sandbox    bool
	Settings             Settings
}

// ErrTaken refuses the code of another store or language.
var ErrTaken = fault.New(fault.Refused, "code_taken", "This value is already used.")

// Create adds a store. The error is ErrTaken if another store has the code. The caller validates the code.
func Create(tx *db.Tx, in New) (*Store, error) {
	s := &Store{
		ID: tx.NewID(), Code: in.Code, Name: in.Name, Currency: in.Currency, Active: !in.Inactive,
		Settings: in.Settings, CreatedAt: tx.Now(), Sandbox: in.Sandbox,
	}
	var err error
	if s.Key, err = takeNumbers(tx, "store", 1); err != nil {
		return nil, err
	}
	// The lock of the counter's row serializes the creation of stores.
	if _, taken, err := ByCode(tx, in.Code); err != nil || taken {
		return nil, cmp.Or(err, error(ErrTaken))
	}
	if err := insertStore(tx, s); err != nil {
		return nil, err
	}
	return s, s.locate()
}

// MoneyDigits returns the digits after the point of amounts in the store's currency.
func (s *Store) MoneyDigits() int { return decimal.CurrencyDigits(s.Currency) }

// ReadMoney reads an amount and rounds it to the digits of the currency.
func (s *Store) ReadMoney(g *form.Group, name string, rules ...form.Rule) decimal.Money {
	return decimal.Money(g.Decimal(name, decimal.MoneyDigits, append(rules, form.RoundTo(s.MoneyDigits()))...))
}

// ParseMoney is ReadMoney of a text in a query. ok is false for a text that is no number.
func (s *Store) ParseMoney(text string) (amount decimal.Money, ok bool) {
	units, ok := form.ParseDecimal(text, decimal.MoneyDigits)
	return decimal.Money(units), ok
}

func (s *Store) locate() (err error) {
	s.Zone, err = time.LoadLocation(s.Settings.Timezone)
	return err
}

// TranslationIDs reserves n ids of translations and returns the first. Ids are never reused.
func TranslationIDs(tx *db.Tx, n int) (first int64, err error) {
	return takeNumbers(tx, "translation", n)
}
