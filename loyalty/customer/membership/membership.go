// Package membership decides which level each customer is in, and moves customers between levels.
package membership

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// deserved returns the level that a locked customer has earned, or nil if that is none. canDrop allows a lower one.
func deserved(tx *db.Tx, s *store.Store, levels []level.Level, c *customer.Customer, account points.Account,
	canDrop bool) (*level.Level, error) {
	basis, err := ReadLevelBasis(tx, s, c, account)
	if err != nil {
		return nil, err
	}
	return earnedLevel(levels, c, basis.Value(s, c.Purchases), canDrop), nil
}

// ReleaseLevel removes the level that was set by hand and moves the customer to the level they have earned,
// even a lower one. It returns fault.ErrNotFound if no level was set by hand.
func ReleaseLevel(tx *db.Tx, s *store.Store, c *customer.Customer, account points.Account) error {
	if c.ManualLevelID == "" {
		return fault.ErrNotFound
	}
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return err
	}
	basis, err := ReadLevelBasis(tx, s, c, account)
	if err != nil {
		return err
	}
	released := *c
	released.ManualLevelID = ""
	to := c.LevelID
	if deserves := earnedLevel(levels, &released, basis.Value(s, c.Purchases), true); deserves != nil {
		to = deserves.ID
	}
	return customer.Move{To: to, Release: true}.Apply(tx, s, c)
}
