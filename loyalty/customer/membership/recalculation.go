package membership

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// batchSize is how many customers one transaction of a job handles. It keeps such a transaction within some
// tens of milliseconds, because SQLite has a single writer.
const batchSize = 50

// DeleteLevel deletes a level and moves the first batch of its customers to the levels they have earned.
// RecheckLevels moves the rest.
func DeleteLevel(tx *db.Tx, s *store.Store, levelID string) error {
	ids, err := customer.MembersOf(tx, s.Key, levelID, "", batchSize)
	if err != nil {
		return err
	}
	members, err := Lock(tx, s, ids...)
	if err != nil {
		return err
	}
	if err := level.Delete(tx, s, levelID); err != nil {
		return err
	}
	return members.review(func(c *customer.Customer) bool { return c.LevelID == levelID })
}

// review moves the members that still match wanted to the levels they have earned, even lower ones. It reads the levels
// again, because one was deleted since.
func (m *Members) review(wanted func(c *customer.Customer) bool) (err error) {
	if m.levels, err = level.All(m.tx, m.store.Key); err != nil {
		return err
	}
	for _, one := range m.order {
		one.levelDue = wanted(one.Customer)
	}
	m.canDrop = true
	return m.Save()
}

// recalculate moves each customer who is due to the level they have earned, even a lower one, and begins a
// new period. Depending on the settings it also resets their active points.
func (m *Members) recalculate() error {
	due, resets := map[string]points.Account{}, map[string]event.Entry{}
	for _, c := range m.order {
		if !isDue(m.store, c.Customer, m.tx.Now()) {
			continue
		}
		due[c.ID] = c.Wallet.Account
		if m.store.Settings.LevelResetPoints && m.store.Settings.LevelDowngradeBase == store.BaseActivePoints {
			resets[c.ID] = c.Wallet.Reset()
		}
	}
	if err := m.Save(); err != nil {
		return err
	}
	for _, c := range m.order {
		account, isDue := due[c.ID]
		if !isDue {
			continue
		}
		if err := m.recalculateOne(c.Customer, account); err != nil {
			return err
		}
		if reset, lost := resets[c.ID]; lost {
			if err := event.Append(m.tx, m.store.Key, reset); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *Members) recalculateOne(c *customer.Customer, account points.Account) error {
	to, err := deserved(m.tx, m.store, m.levels, c, account, true)
	if err != nil {
		return err
	}
	c.LevelRecalculatedAt = m.tx.Now()
	err = event.Append(m.tx, m.store.Key, customer.LevelRecalculated(m.store, c.ID, m.tx.Now()))
	if err != nil {
		return err
	}
	if to == nil || to.ID == c.LevelID {
		return customer.Save(m.tx, c)
	}
	return customer.Move{To: to.ID}.Apply(m.tx, m.store, c)
}
