package membership

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
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
	members, err := lockAll(tx, s, ids)
	if err != nil {
		return err
	}
	if err := level.Delete(tx, s, levelID); err != nil {
		return err
	}
	return members.review(func(c *customer.Customer) bool { return c.LevelID == levelID })
}

// locked holds customers of a store, locked together with their accounts.
type locked struct {
	tx        *db.Tx
	store     *store.Store
	wallets   *points.Wallets
	customers []*customer.Customer
}

// lockAll locks all accounts and then all customers, each in the order of their ids, which prevents
// deadlocks.
func lockAll(tx *db.Tx, s *store.Store, ids []string) (*locked, error) {
	all := &locked{tx: tx, store: s}
	if len(ids) == 0 {
		return all, nil
	}
	owners := make([]points.Owner, len(ids))
	for i, id := range ids {
		owners[i] = points.Owner{Store: s, CustomerID: id}
	}
	var err error
	if all.wallets, err = points.Lock(tx, owners...); err != nil {
		return nil, err
	}
	all.customers, err = customer.LockRows(tx, s.Key, ids)
	return all, err
}

func (l *locked) wallet(c *customer.Customer) *points.Wallet {
	return l.wallets.Of(points.Owner{Store: l.store, CustomerID: c.ID})
}

// review moves the customers that still match wanted to the levels they have earned, even lower ones.
func (l *locked) review(wanted func(c *customer.Customer) bool) error {
	levels, err := level.All(l.tx, l.store.Key)
	if err != nil {
		return err
	}
	for _, c := range l.customers {
		wallet := l.wallet(c)
		if wallet == nil || !wanted(c) {
			continue
		}
		if _, err := review(l.tx, l.store, levels, c, wallet.Account, true); err != nil {
			return err
		}
	}
	return nil
}

// recalculate moves each customer who is due to the level they have earned, even a lower one, and begins a
// new period. Depending on the settings it also resets their active points.
func (l *locked) recalculate() error {
	levels, err := level.All(l.tx, l.store.Key)
	if err != nil {
		return err
	}
	due, before := map[string]points.Account{}, dueSince(l.store, l.tx.Now())
	resets := map[string]event.Entry{}
	for _, c := range l.customers {
		wallet := l.wallet(c)
		if wallet == nil || !c.IsActive() || measuredSince(c).After(before) {
			continue
		}
		due[c.ID] = wallet.Account
		if l.store.Settings.LevelResetPoints && l.store.Settings.LevelDowngradeBase == store.BaseActivePoints {
			resets[c.ID] = wallet.Reset()
		}
	}
	if err := l.wallets.Save(); err != nil {
		return err
	}
	for _, c := range l.customers {
		account, isDue := due[c.ID]
		if !isDue {
			continue
		}
		if err := l.recalculateOne(levels, c, account); err != nil {
			return err
		}
		if reset, lost := resets[c.ID]; lost {
			if err := event.Append(l.tx, l.store.Key, reset); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *locked) recalculateOne(levels []level.Level, c *customer.Customer, account points.Account) error {
	basis, err := ReadLevelBasis(l.tx, l.store, c, account)
	if err != nil {
		return err
	}
	to := earnedLevel(levels, c, basis.Value(l.store, c.Purchases), true)
	c.LevelRecalculatedAt = l.tx.Now()
	err = event.Append(l.tx, l.store.Key, customer.LevelRecalculated(l.store, c.ID, l.tx.Now()))
	if err != nil {
		return err
	}
	if to == nil || to.ID == c.LevelID {
		return customer.Save(l.tx, c)
	}
	return customer.Move{To: to.ID}.Apply(l.tx, l.store, c)
}
