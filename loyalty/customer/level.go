package customer

import (
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// CheckLevel moves the customer to the level that their points or purchases earn. Call it after every change
// of these, in the same transaction, with the account locked.
func CheckLevel(tx *db.Tx, s *store.Store, account points.Account) error {
	c, err := lock(tx, s.Key, account.CustomerID)
	if err != nil {
		return err
	}
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return err
	}
	_, err = review(tx, s, levels, c, account, canDrop(&s.Settings))
	return err
}

// PointsChanged checks the level after a change of points, if the levels of the store depend on points.
func PointsChanged(tx *db.Tx, s *store.Store, account points.Account) error {
	if s.Settings.TierAssignType != store.TierPoints {
		return nil
	}
	return CheckLevel(tx, s, account)
}

// review moves a locked customer to the level they have earned, and reports whether it changed. canDrop
// allows a lower level.
func review(tx *db.Tx, s *store.Store, levels []level.Level, c *Customer, account points.Account, canDrop bool) (
	moved bool, err error) {
	measure, err := measureLevel(tx, s, c, account)
	if err != nil {
		return false, err
	}
	to := earnedLevel(levels, c, measure.value(s, c.Purchases), canDrop)
	if to == nil || to.ID == c.LevelID {
		return false, nil
	}
	return true, move{to: to.ID}.apply(tx, s, c)
}

// move is a change of a customer's level.
type move struct {
	to      string
	byHand  bool // the customer never drops below the level
	release bool // removes the level set by hand
}

// apply moves a locked customer and records an event. A move to the present level changes only whether the
// level is set by hand.
func (m move) apply(tx *db.Tx, s *store.Store, c *Customer) error {
	from := c.LevelID
	c.ManualLevelID = ""
	if m.byHand {
		c.ManualLevelID = m.to
	}
	if from != m.to {
		c.LevelID, c.LevelAchievedAt = m.to, tx.Now()
		if countsSinceChange(&s.Settings) {
			c.LevelRecalculatedAt = tx.Now()
		}
	}
	if err := update(tx, c); err != nil {
		return err
	}
	if from != m.to {
		if err := RecordArrivals(tx, s.Key, c.ID); err != nil {
			return err
		}
	}
	if err := level.Moved(tx, s.Key, from, m.to); err != nil {
		return err
	}
	return event.Append(tx, s.Key, movedToLevel(s, c.ID, from, m, tx.Now()))
}

// SetLevel moves the customer to an active level by hand. They may rise above it later but never drop below
// it. It returns ErrUnknownLevel if the store has no such level.
func SetLevel(tx *db.Tx, s *store.Store, c *Customer, levelID string) error {
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return err
	}
	if to := level.Find(levels, levelID); to == nil || !to.Active {
		return ErrUnknownLevel
	}
	return move{to: levelID, byHand: true}.apply(tx, s, c)
}

// ErrUnknownLevel is returned if the store has no active level with the id.
var ErrUnknownLevel = fault.New(fault.Invalid, "unknown_level", "unknown level")

// ReleaseLevel removes the level that was set by hand and moves the customer to the level they have earned,
// even a lower one. It returns fault.ErrNotFound if no level was set by hand.
func ReleaseLevel(tx *db.Tx, s *store.Store, c *Customer, account points.Account) error {
	if c.ManualLevelID == "" {
		return fault.ErrNotFound
	}
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return err
	}
	measure, err := measureLevel(tx, s, c, account)
	if err != nil {
		return err
	}
	released := *c
	released.ManualLevelID = ""
	to := c.LevelID
	if deserves := earnedLevel(levels, &released, measure.value(s, c.Purchases), true); deserves != nil {
		to = deserves.ID
	}
	return move{to: to, release: true}.apply(tx, s, c)
}
