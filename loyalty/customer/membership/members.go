package membership

import (
	"slices"

	"punchcard/core/config"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// Members are customers of a store, locked together with their accounts. An operation changes them in memory, and Save
// writes the changes with a number of statements that does not depend on the number of customers.
type Members struct {
	tx      *db.Tx
	store   *store.Store
	wallets *points.Wallets
	order   []*Member // by id
	byID    map[string]*Member
	levels  []level.Level
	canDrop bool // to lower levels
	events  []event.Entry
}

// Member is a locked customer with the account.
type Member struct {
	*customer.Customer
	Wallet *points.Wallet

	counted  bool // the sums of purchases changed
	levelDue bool // what the level depends on may have changed
}

// Lock locks the accounts of customers and then the customers, each in the order of their ids, which prevents
// deadlocks, and reads the levels of the store. Unknown ids are missing from the result; deleted customers are not.
func Lock(tx *db.Tx, s *store.Store, ids ...string) (m *Members, err error) {
	m = &Members{tx: tx, store: s, canDrop: level.CanDrop(&s.Settings), byID: make(map[string]*Member, len(ids))}
	if len(ids) == 0 {
		return m, nil
	}
	owners := make([]points.Owner, len(ids))
	for i, id := range ids {
		owners[i] = points.Owner{Store: s, CustomerID: id}
	}
	wallets, queries := points.Locking(tx, owners...)
	lockCustomers := customer.LockingRows(tx, s.Key, db.Distinct(ids), func(c *customer.Customer) {
		if wallet := wallets.Of(points.Owner{Store: s, CustomerID: c.ID}); wallet != nil {
			m.byID[c.ID] = &Member{Customer: c, Wallet: wallet}
			m.order = append(m.order, m.byID[c.ID])
		}
	})
	m.wallets = wallets
	if err := tx.Run(slices.Concat(queries, []db.Query{lockCustomers}, config.Versions(tx, s.Key))...); err != nil {
		return m, err
	}
	m.levels, err = level.All(tx, s.Key)
	return m, err
}

// LockOne locks one customer, or returns fault.ErrNotFound, or for a merged one customer.ErrMerged.
func LockOne(tx *db.Tx, s *store.Store, id string) (*Members, *Member, error) {
	members, err := Lock(tx, s, id)
	switch {
	case err != nil:
	case members.Of(id) == nil:
		err = fault.ErrNotFound
	case members.Of(id).MergedInto != "":
		err = members.Of(id).Gone()
	}
	if err != nil {
		return nil, nil, err
	}
	return members, members.Of(id), nil
}

// Change locks one customer, lets decide change the account, and saves it with the event that decide returns. It
// returns fault.ErrNotFound for an unknown one.
func Change(tx *db.Tx, s *store.Store, id string, decide func(w *points.Wallet) (event.Entry, error)) error {
	members, of, err := LockOne(tx, s, id)
	if err != nil {
		return err
	}
	if err := members.Change(of, decide); err != nil {
		return err
	}
	return members.Save()
}

// Of returns the member with the id, or nil.
func (m *Members) Of(id string) *Member { return m.byID[id] }

// Pay adds a lot to the account of a member.
func (m *Members) Pay(to *Member, grant points.Grant) {
	_, added := to.Wallet.Add(grant)
	m.Record(added)
	m.PointsChanged(to)
}

// TakeBack takes points of a returned sale away. Levels that count earned points do not count them any more.
func (m *Members) TakeBack(from *Member, sale points.Sale, value points.Amount, returnID, comment string) {
	used := from.Wallet.Used
	m.Record(from.Wallet.TakeBack(sale, value, returnID, comment)...)
	if taken := from.Wallet.Used - used; taken > 0 {
		from.Purchases.PointsTakenBack += taken
		from.counted = true
		m.PointsChanged(from)
	}
}

// Give moves points from one member to another, and returns the spend, or points.ErrNotEnough.
func (m *Members) Give(from, to *Member, gift points.Gift) (*points.Transfer, error) {
	spend, entries, err := from.Wallet.GiveTo(to.Wallet, gift)
	if err != nil {
		return nil, err
	}
	m.Record(entries...)
	m.PointsChanged(from)
	m.PointsChanged(to)
	return spend, nil
}

// Change lets decide change the account of a member, and records the event that it returns.
func (m *Members) Change(of *Member, decide func(w *points.Wallet) (event.Entry, error)) error {
	entry, err := decide(of.Wallet)
	if err != nil {
		return err
	}
	m.Record(entry)
	m.PointsChanged(of)
	return nil
}

// Count adds to the sums of a member's purchases; negative values subtract a return.
func (m *Members) Count(of *Member, change customer.Purchases) {
	of.Purchases = of.Purchases.Plus(change)
	of.counted = true
	of.levelDue = of.levelDue || m.store.Settings.TierAssignType == store.TierTransactions
}

// PointsChanged makes Save check the level of a member whose account the caller changed, if the levels of the store
// depend on points.
func (m *Members) PointsChanged(of *Member) {
	of.levelDue = of.levelDue || m.store.Settings.TierAssignType == store.TierPoints
}

// Record adds events that Save appends, after those of lots that became due.
func (m *Members) Record(entries ...event.Entry) { m.events = append(m.events, entries...) }

// Save writes the accounts, the events and the sums, and moves members to the levels that they earned. It can be called
// once.
func (m *Members) Save() error {
	if len(m.order) == 0 {
		return nil
	}
	for _, one := range m.order {
		if one.MergedInto != "" && one.Wallet.Points+one.Wallet.Locked > 0 { // merged since the operation chose them
			return db.ErrStale
		}
	}
	if err := m.wallets.Save(); err != nil {
		return err
	}
	if err := event.Append(m.tx, m.store.Key, m.events...); err != nil {
		return err
	}
	moved, err := m.moves()
	if err != nil {
		return err
	}
	counted := slices.DeleteFunc(slices.Clone(m.order), func(one *Member) bool { return !one.counted })
	if err := customer.SavePurchases(m.tx, customersOf(counted)...); err != nil {
		return err
	}
	return customer.SaveMoves(m.tx, m.store, moved...)
}

// moves changes the levels of the members that are due, and returns what changed.
func (m *Members) moves() ([]customer.Moved, error) {
	var moved []customer.Moved
	for _, one := range m.order {
		if !one.levelDue || one.Status == customer.Deleted {
			continue
		}
		to, err := deserved(m.tx, m.store, m.levels, one.Customer, one.Wallet.Account, m.canDrop)
		if err != nil {
			return nil, err
		}
		if to != nil && to.ID != one.LevelID {
			moved = append(moved, customer.Move{To: to.ID}.Make(m.tx, m.store, one.Customer))
		}
	}
	return moved, nil
}

func customersOf(members []*Member) []*customer.Customer {
	customers := make([]*customer.Customer, len(members))
	for i, one := range members {
		customers[i] = one.Customer
	}
	return customers
}
