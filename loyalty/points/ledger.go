package points

import (
	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// Owner identifies an account by store and customer.
type Owner struct {
	Store      *store.Store
	CustomerID string
}

func (o Owner) key() accountKey { return accountKey{o.Store.Key, o.CustomerID} }

// Open creates the accounts of customers and returns their ids.
func Open(tx *db.Tx, s *store.Store, customerIDs ...string) (accountIDs []string, err error) {
	rows := make([]*Account, len(customerIDs))
	for i, id := range customerIDs {
		rows[i] = &Account{StoreKey: s.Key, CustomerID: id, ID: tx.NewID()}
		accountIDs = append(accountIDs, rows[i].ID)
	}
	MoveInLists(tx, s.Key, customerIDs...)
	return accountIDs, accountTable.Insert(tx, rows...)
}

// Wallets are the locked accounts of one operation.
type Wallets struct {
	tx    *db.Tx
	byKey map[accountKey]*Wallet
	order []*Wallet
}

// Lock locks the owners' accounts in a fixed order, which prevents deadlocks, and settles the lots that are due.
// Owners without an account are missing from the result.
func Lock(tx *db.Tx, owners ...Owner) (*Wallets, error) {
	w, queries := Locking(tx, owners...)
	return w, tx.Run(queries...)
}

// Locking returns the queries of Lock, one for each store, and the wallets that they fill.
func Locking(tx *db.Tx, owners ...Owner) (*Wallets, []db.Query) {
	w := &Wallets{tx: tx, byKey: make(map[accountKey]*Wallet, len(owners))}
	stores := map[int64]*store.Store{}
	customers := map[int64][]string{}
	seen := make(map[accountKey]bool, len(owners))
	for _, owner := range owners {
		if !seen[owner.key()] {
			seen[owner.key()] = true
			stores[owner.Store.Key] = owner.Store
			customers[owner.Store.Key] = append(customers[owner.Store.Key], owner.CustomerID)
		}
	}
	var queries []db.Query
	for _, key := range sortedKeys(stores) {
		queries = append(queries, lockAccounts(tx, key, customers[key], func(account Account) {
			wallet := newWallet(tx, stores[key], account)
			wallet.settle()
			wallet.record()
			w.byKey[accountKey{account.StoreKey, account.CustomerID}] = wallet
			w.order = append(w.order, wallet)
		}))
	}
	return w, queries
}

// Of returns the owner's wallet, or nil if there is no account.
func (w *Wallets) Of(owner Owner) *Wallet { return w.byKey[owner.key()] }

// Settled removes and returns the events of lots that became due. They must be appended before all other events.
func (w *Wallets) Settled() map[int64][]event.Entry {
	entries := map[int64][]event.Entry{}
	for _, wallet := range w.order {
		if len(wallet.settled) > 0 {
			entries[wallet.StoreKey] = append(entries[wallet.StoreKey], wallet.settled...)
			wallet.settled = nil
		}
	}
	return entries
}

// Save writes what the wallets' methods changed. The number of statements does not depend on the number of wallets.
func (w *Wallets) Save() error {
	for storeKey, entries := range w.Settled() {
		if err := event.Append(w.tx, storeKey, entries...); err != nil {
			return err
		}
	}
	return save(w.tx, w.order)
}

// Change locks one account, lets decide change it, and saves it with the events that decide returns.
func Change(tx *db.Tx, owner Owner, decide func(w *Wallet) ([]event.Entry, error)) (*Wallet, error) {
	return ChangeWith(tx, owner, owner, func(w, _ *Wallet) ([]event.Entry, error) { return decide(w) })
}

// ChangeWith is Change with another account of the store, which may be the same.
func ChangeWith(tx *db.Tx, owner, other Owner, decide func(w, other *Wallet) ([]event.Entry, error)) (*Wallet, error) {
	wallets, err := Lock(tx, owner, other)
	if err != nil {
		return nil, err
	}
	wallet := wallets.Of(owner)
	if wallet == nil || wallets.Of(other) == nil {
		return nil, fault.ErrNotFound
	}
	entries, err := decide(wallet, wallets.Of(other))
	if err != nil {
		return nil, err
	}
	if err := wallets.Save(); err != nil {
		return nil, err
	}
	return wallet, event.Append(tx, owner.Store.Key, entries...)
}

// Balance returns a customer's account as of now. Lots that are due count as unlocked or expired already.
func Balance(tx *db.Tx, s *store.Store, customerID string) (Account, error) {
	accounts, err := Balances(tx, s, customerID)
	account, found := accounts[customerID]
	if err != nil || !found {
		return account, orNotFound(err)
	}
	return account, nil
}

// Balances returns the accounts of distinct customers as of now. Unknown customers are missing from the result.
func Balances(tx *db.Tx, s *store.Store, customerIDs ...string) (map[string]Account, error) {
	accounts, query := SelectBalances(tx, s, customerIDs...)
	return accounts, tx.Run(query)
}

// SelectBalances returns the query of Balances, and the map that it fills.
func SelectBalances(tx *db.Tx, s *store.Store, customerIDs ...string) (map[string]Account, db.Query) {
	accounts := make(map[string]Account, len(customerIDs))
	return accounts, findAccounts(tx, s.Key, customerIDs, func(account Account) {
		if !account.NextDueAt.IsZero() && !account.NextDueAt.After(tx.Now()) {
			w := newWallet(tx, s, account)
			w.settle()
			account = w.Account
		}
		accounts[account.CustomerID] = account
	})
}

func orNotFound(err error) error {
	if err == nil {
		return fault.ErrNotFound
	}
	return err
}

// Expiring is the sum of the points of active lots by date of expiry, as of now.
type Expiring struct {
	NextMonth Amount            // the next calendar month in the store's time zone
	ByDay     map[string]Amount // by date, YYYY-MM-DD
}

// WillExpire sums up a customer's active lots by date of expiry.
func WillExpire(tx *db.Tx, s *store.Store, customerID string) (Expiring, error) {
	e := Expiring{ByDay: map[string]Amount{}}
	nextMonth := calendar.DayOf(tx.Now(), s.Zone).Month(1)
	account, _, err := findAccount(tx, s.Key, customerID)
	w := newWallet(tx, s, account)
	w.settle()
	for _, lot := range w.lots {
		if lot.State != Active || lot.ExpiresAt.IsZero() || lot.Available == 0 {
			continue
		}
		day := calendar.DayOf(lot.ExpiresAt, s.Zone)
		e.ByDay[day.String()] += lot.Available
		if day.Month(0) == nextMonth {
			e.NextMonth += lot.Available
		}
	}
	return e, err
}
