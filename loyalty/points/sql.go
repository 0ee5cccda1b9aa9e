package points

import (
	"maps"
	"slices"

	"punchcard/platform/counter"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

type accountKey struct {
	store    int64
	customer string
}

var accountTable = db.NewTable("accounts", "store_id, customer_id", func(a *Account) db.Row {
	return db.Row{
		"store_id", &a.StoreKey, "customer_id", &a.CustomerID, "account_id", &a.ID, "points", &a.Points, "p2p", &a.P2P,
		"earned", &a.Earned, "used", &a.Used, "expired", &a.Expired, "locked", &a.Locked, "blocked", &a.Blocked,
		"next_due_at", db.Time(&a.NextDueAt), "transfers", &a.Transfers, "last_transfer_id", &a.LastTransferID,
		"active_day", (*int64)(&a.ActiveDay), "holds", db.JSON(&a.holds), "lots", db.JSON(&a.stored),
	}
}).Apart("lots")

// carriedTable is the part of accounts that adds what left their transfers.
var carriedTable = db.NewView(accountTable, func(w *Wallet) db.Row {
	return db.Row{
		"store_id", &w.StoreKey, "customer_id", &w.CustomerID, "carried_earned", &w.carried.Earned,
		"carried_used", &w.carried.Used, "carried_expired", &w.carried.Expired,
	}
})

var transferTable = db.NewTable("transfers", "store_id, transfer_id", func(t *Transfer) db.Row {
	return db.Row{
		"store_id", &t.StoreKey, "transfer_id", &t.ID, "previous_id", &t.PreviousID, "customer_id", &t.CustomerID,
		"type", &t.Type, "state", &t.State, "value", &t.Value, "is_open", &t.Open, "lapsed", &t.Lapsed,
		"created_at", db.Time(&t.CreatedAt), "expires_at", db.Time(&t.ExpiresAt), "locked_until", db.Time(&t.LockedUntil),
		"issuer", &t.Issuer, "comment", &t.Comment, "transaction_id", &t.TransactionID,
		"revised_transaction_id", &t.RevisedTransactionID, "other_customer_id", &t.OtherCustomerID,
		"lots", db.JSON(&t.Lots),
	}
})

func sortedKeys[K int64 | string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// fromAccounts ends a query of the accounts of customers. Its ? is the table of their ids.
const fromAccounts = ` FROM ? AS v (store, id)
	CROSS JOIN accounts a WHERE a.store_id = v.store AND a.customer_id = v.id`

func lockAccounts(tx *db.Tx, storeKey int64, customers []string, visit func(Account)) db.Query {
	return accountTable.Select(visit, `SELECT a.*, a.lots`+fromAccounts+
		` ORDER BY a.customer_id FOR UPDATE OF a`, tx.Among(storeKey, customers...))
}

// findAccounts reads open lots only of accounts where one may be due. The sums of the others need no settling.
func findAccounts(tx *db.Tx, storeKey int64, customers []string, visit func(Account)) db.Query {
	return accountTable.Select(visit,
		`SELECT a.*, CASE WHEN next_due_at <= ? THEN lots ELSE '[]' END AS lots`+fromAccounts,
		tx.Now().UnixMicro(), tx.Among(storeKey, customers...))
}

func findAccount(tx *db.Tx, storeKey int64, customerID string) (Account, bool, error) {
	return accountTable.One(tx, `SELECT *, lots FROM accounts
		WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
}

// findTransfer reads a transfer of the customer. The rest of an open lot is not in its row, but in the account.
func findTransfer(tx *db.Tx, storeKey int64, customerID, id string) (*Transfer, error) {
	t, found, err := transferTable.One(tx, `SELECT * FROM transfers
		WHERE store_id = ? AND transfer_id = ?`, storeKey, id)
	if err == nil && (!found || t.CustomerID != customerID) {
		err = fault.ErrNotFound
	}
	return t.remember(), err
}

// remember copies the mutable columns, so that Save knows which of them changed.
func (t *Transfer) remember() *Transfer {
	t.stored = stored{t.State, t.Open, t.Lapsed, t.ExpiresAt}
	return t
}

func save(tx *db.Tx, wallets []*Wallet) error {
	var sums, dues, holds []*Account
	var states, added []*Transfer
	var carried []*Wallet
	for _, w := range wallets {
		if err := w.valueMoved(); err != nil {
			return err
		}
		w.rollUp()
		if w.dirty {
			MoveInLists(tx, w.StoreKey, w.CustomerID)
			w.record()
			w.stored = w.openLots()
			sums = append(sums, &w.Account)
		}
		if w.carried != (History{}) {
			carried = append(carried, w)
		}
		if w.newDueAt {
			dues = append(dues, &w.Account)
		}
		if w.newHolds {
			holds = append(holds, &w.Account)
		}
		fresh := make(map[*Transfer]bool, len(w.added))
		for _, t := range w.added {
			fresh[t] = true
			added = append(added, t)
		}
		for t := range w.changed {
			if now := (stored{t.State, t.Open, t.Lapsed, t.ExpiresAt}); !fresh[t] && now != t.stored {
				states = append(states, t)
			}
		}
	}
	// The due time has an index, so it is written only if it changes. Few accounts have holds.
	for _, write := range []func() error{
		func() error { return transferTable.Update(tx, "state, is_open, lapsed, expires_at", states...) },
		func() error {
			return accountTable.Update(tx, "points, p2p, earned, used, expired, locked, blocked, lots, transfers, "+
				"last_transfer_id, active_day", sums...)
		},
		func() error { return accountTable.Update(tx, "next_due_at", dues...) },
		func() error { return accountTable.Update(tx, "holds", holds...) },
		func() error { return carriedTable.Add(tx, "carried_earned, carried_used, carried_expired", carried...) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	if err := saveCounts(tx, wallets); err != nil {
		return err
	}
	countWallets(tx, wallets)
	return transferTable.Insert(tx, added...)
}

// counterPrefix is the prefix of the counters of a store's transfers. The type follows.
const counterPrefix = "transfers."

// counterNames returns the counter names of the types, or of all types if there are none.
func counterNames(types ...string) []string {
	if len(types) == 0 {
		types = typeNames()
	}
	names := make([]string, len(types))
	for i := range types {
		names[i] = counterPrefix + types[i]
	}
	return names
}

// countWallets adds the new transfers to the counters of their stores.
func countWallets(tx *db.Tx, wallets []*Wallet) {
	type kind struct {
		storeKey int64
		name     string
	}
	more := map[kind]int64{}
	for _, w := range wallets {
		for _, t := range w.added {
			more[kind{t.StoreKey, counterPrefix + t.Type}]++
		}
	}
	for k, n := range more {
		counter.Add(tx, k.storeKey, k.name, n)
	}
}

// AccountIDs returns the account ids of customers of a store, by customer.
func AccountIDs(tx *db.Tx, storeKey int64, customers ...string) (map[string]string, error) {
	byCustomer := make(map[string]string, len(customers))
	type row struct{ customer, account string }
	err := db.Each(tx, func(r *row) []any { return []any{&r.customer, &r.account} },
		func(r row) { byCustomer[r.customer] = r.account },
		`SELECT customer_id, account_id FROM ? AS v (store, id)
			CROSS JOIN accounts a WHERE a.store_id = v.store AND a.customer_id = v.id`,
		tx.Among(storeKey, customers...))
	return byCustomer, err
}

// Every returns all transfers of a customer, oldest first. It is meant for checks and exports of one customer.
func Every(tx *db.Tx, storeKey int64, customerID string) ([]Transfer, error) {
	account, found, err := findAccount(tx, storeKey, customerID)
	if err != nil || !found {
		return nil, err
	}
	q := ofCustomers(storeKey, `= ?`, customerID).Add(`SELECT * FROM own ORDER BY transfer_id`)
	all, err := transferTable.All(tx, q.Text(), q.Args()...)
	for i := range all {
		for _, lot := range account.stored {
			if lot.ID == all[i].ID {
				all[i].Available = Amount(lot.Left)
			}
		}
	}
	return all, err
}
