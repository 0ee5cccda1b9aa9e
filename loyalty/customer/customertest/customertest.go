// Package customertest opens shops with customers for tests.
package customertest

import (
	"strings"
	"testing"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

// Now is the moment that Clock returns.
var Now = time.Date(2031, 7, 3, 10, 15, 0, 0, time.UTC)

// Clock is a clock for a database that does not move.
func Clock() time.Time { return Now }

// Shop is a store with the levels Bronze (from 0), Gold (from 500) and Secret (inactive).
type Shop struct {
	*shoptest.Shop
	Bronze, Gold, Secret string
}

// NewShop creates a store in Warsaw with its levels.
func NewShop(t testing.TB, d *db.DB, code string) *Shop {
	t.Helper()
	s := shoptest.Open(t, d, code, shoptest.InWarsaw, level.Level{Active: true},
		level.Level{Active: true, ConditionValue: decimal.Whole(500).Money()},
		level.Level{ConditionValue: decimal.Whole(100).Money()})
	return &Shop{s, s.Levels[0], s.Levels[1], s.Levels[2]}
}

// Ida is a registration with every kind of contact.
func Ida() customer.Registration {
	return customer.Registration{
		Email: "Ida@Example.com", Phone: "+48 123", LoyaltyCard: "Card-7", FirstName: "Ida", LastName: "Berg",
		Agreements: [3]bool{true, false, true}, Active: true,
	}
}

// Register adds a customer.
func (s *Shop) Register(in customer.Registration) (c *customer.Customer) {
	s.Helper()
	s.Write(func(tx *db.Tx) (err error) {
		c, err = customer.Register(tx, s.Store, in)
		return err
	})
	return c
}

// Find reads a customer, deleted ones included.
func (s *Shop) Find(id string) *customer.Customer {
	s.Helper()
	var c *customer.Customer
	s.Write(func(tx *db.Tx) error {
		found, err := customer.FindAll(tx, s.Store.Key, id)
		c = found[id]
		return err
	})
	return c
}

// Locked locks a customer and applies run.
func (s *Shop) Locked(id string, run func(tx *db.Tx, c *customer.Customer, account points.Account) error) error {
	return s.DB.Write(s.Context(), func(tx *db.Tx) error {
		c, account, err := customer.Lock(tx, s.Store, id)
		if err != nil {
			return err
		}
		return run(tx, c, account)
	})
}

// Members lists how many customers the levels have: Bronze, Gold, Secret.
func (s *Shop) Members() [3]int64 {
	s.Helper()
	var n [3]int64
	s.Write(func(tx *db.Tx) error {
		levels, err := level.Counted(tx, s.Store.Key)
		for i := range levels {
			n[i] = levels[i].Customers
		}
		return err
	})
	return n
}

// Events lists the types of the events from a number on, without their common prefix.
func (s *Shop) Events(from int64) []string {
	s.Helper()
	all, _, err := event.List(s.Context(), s.DB, from, 100, false)
	if err != nil {
		s.Fatal(err)
	}
	var types []string
	for _, e := range all {
		types = append(types, strings.TrimPrefix(e.Type, "Platform.Domain."))
	}
	return types
}
