package customer

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer/arrival"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
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

// Moved is a move that was made in memory, for SaveMoves.
type Moved struct {
	customer *Customer
	from     string // the level before
	Move
}

// Make moves a locked customer in memory. A move to the present level changes only whether the level is set by hand.
func (m Move) Make(tx *db.Tx, s *store.Store, c *Customer) Moved {
	moved := Moved{c, c.LevelID, m}
	c.ManualLevelID = ""
	if m.byHand {
		c.ManualLevelID = m.To
	}
	if moved.from != m.To {
		c.LevelID, c.LevelAchievedAt = m.To, tx.Now()
		if level.CountsSinceChange(&s.Settings) {
			c.LevelRecalculatedAt = tx.Now()
		}
	}
	return moved
}

// Apply makes a move of a locked customer and saves all of the customer with it.
func (m Move) Apply(tx *db.Tx, s *store.Store, c *Customer) error {
	moved := m.Make(tx, s, c)
	if err := Save(tx, c); err != nil {
		return err
	}
	return saveMoves(tx, s, moved)
}

// SaveMoves writes the levels of moved customers, the numbers of customers of the levels, and the events.
func SaveMoves(tx *db.Tx, s *store.Store, moves ...Moved) error {
	moved := make([]*Customer, len(moves))
	for i, m := range moves {
		c := m.customer
		points.MoveInLists(tx, c.StoreKey, c.ID)
		c.UpdatedAt, c.Version = tx.Now(), c.Version+1
		moved[i] = c
	}
	err := table.Update(tx, "level_id, manual_level_id, level_achieved_at, level_recalculated_at, updated_at, version",
		moved...)
	if err != nil {
		return err
	}
	return saveMoves(tx, s, moves...)
}

// saveMoves writes everything of moves but the rows of the customers.
func saveMoves(tx *db.Tx, s *store.Store, moves ...Moved) error {
	var arrivals []arrival.Arrival
	var events []event.Entry
	for _, m := range moves {
		if m.from != m.To {
			entered := arrival.Arrival{CustomerID: m.customer.ID, FromLevel: m.from}
			if m.byHand {
				entered.FromLevel = ""
			}
			arrivals = append(arrivals, entered)
			level.Count(tx, s.Key, m.from, -1)
			level.Count(tx, s.Key, m.To, 1)
		}
		events = append(events, movedToLevel(s, m.customer.ID, m.from, m.Move, tx.Now()))
	}
	if err := arrival.Record(tx, s.Key, arrivals...); err != nil {
		return err
	}
	return event.Append(tx, s.Key, events...)
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
