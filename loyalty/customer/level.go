package customer

import (
	"punchcard/loyalty/level"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// Move is a change of a customer's level.
type Move struct {
	To      string
	byHand  bool // the customer never drops below the level
	Release bool // removes the level set by hand
}

// Apply moves a locked customer and records an event. A move to the present level changes only whether the
// level is set by hand.
func (m Move) Apply(tx *db.Tx, s *store.Store, c *Customer) error {
	from := c.LevelID
	c.ManualLevelID = ""
	if m.byHand {
		c.ManualLevelID = m.To
	}
	if from != m.To {
		c.LevelID, c.LevelAchievedAt = m.To, tx.Now()
		if level.CountsSinceChange(&s.Settings) {
			c.LevelRecalculatedAt = tx.Now()
		}
	}
	if err := Save(tx, c); err != nil {
		return err
	}
	if from != m.To {
		arrival := Arrival{CustomerID: c.ID, FromLevel: from}
		if m.byHand {
			arrival.FromLevel = ""
		}
		if err := record(tx, s.Key, arrival); err != nil {
			return err
		}
	}
	if err := level.Moved(tx, s.Key, from, m.To); err != nil {
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
	return Move{To: levelID, byHand: true}.Apply(tx, s, c)
}

// ErrUnknownLevel is returned if the store has no active level with the id.
var ErrUnknownLevel = fault.New(fault.Invalid, "unknown_level", "unknown level")
