package customer

import (
	"strings"
	"testing"
	"time"

	"punchcard/loyalty/level"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

var now = time.Date(2031, 7, 3, 10, 15, 0, 0, time.UTC)

func clock() time.Time { return now }

// shop is a store with the levels Bronze (from 0), Gold (from 500) and Secret (inactive).
type shop struct {
	*shoptest.Shop
	bronze, gold, secret string
}

func newShop(t *testing.T, d *db.DB, code string) *shop {
	t.Helper()
	s := shoptest.Open(t, d, code, shoptest.InWarsaw, level.Level{Active: true},
		level.Level{Active: true, ConditionValue: decimal.Whole(500).Money()},
		level.Level{ConditionValue: decimal.Whole(100).Money()})
	return &shop{s, s.Levels[0], s.Levels[1], s.Levels[2]}
}

func (s *shop) try(in Registration) (c *Customer, err error) {
	err = s.DB.Write(s.Context(), func(tx *db.Tx) (err error) {
		c, err = Register(tx, s.Store, in)
		return err
	})
	return c, err
}

func (s *shop) register(in Registration) *Customer {
	s.Helper()
	c, err := s.try(in)
	if err != nil {
		s.Fatal(err)
	}
	return c
}

// members lists how many customers the levels have: bronze, gold, secret.
func (s *shop) members() [3]int64 {
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

// events lists the types of the events from a number on, without their common prefix.
func (s *shop) events(from int64) []string {
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

func ida() Registration {
	return Registration{
		Email: "Ida@Example.com", Phone: "+48 123", LoyaltyCard: "Card-7", FirstName: "Ida", LastName: "Berg",
		Agreements: [3]bool{true, false, true}, Active: true,
	}
}

// lockedDo locks a customer and applies run.
func (s *shop) lockedDo(id string, run func(tx *db.Tx, c *Customer, account points.Account) error) error {
	return s.DB.Write(s.Context(), func(tx *db.Tx) error {
		c, account, err := Lock(tx, s.Store, id)
		if err != nil {
			return err
		}
		return run(tx, c, account)
	})
}

func (s *shop) find(id string) *Customer {
	s.Helper()
	var c *Customer
	s.Write(func(tx *db.Tx) error {
		found, err := FindAll(tx, s.Store.Key, id)
		c = found[id]
		return err
	})
	return c
}
