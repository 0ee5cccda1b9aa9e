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

const (
	accountColumns = accountWithout + "lots"
	accountWithout = "store_id, customer_id, account_id, points, p2p, earned, used, expired, locked, blocked, " +
		"next_due_at, transfers, last_transfer_id, active_day, holds, "
)

func (a *Account) row() []any {
	return []any{
		&a.StoreKey, &a.CustomerID, &a.ID, &a.Points, &a.P2P, &a.Earned, &a.Used, &a.Expired, &a.Locked,
		&a.Blocked, db.Time(&a.NextDueAt), &a.Transfers, &a.LastTransferID,
		(*int64)(&a.ActiveDay), db.JSON(&a.holds), db.JSON(&a.stored),
	}
}

const transferColumns = "store_id, transfer_id, previous_id, customer_id, type, state, value, is_open, lapsed, " +
	"created_at, expires_at, locked_until, issuer, comment, transaction_id, revised_transaction_id, " +
	"other_customer_id, lots"

func (t *Transfer) row() []any {
	return []any{
		&t.StoreKey, &t.ID, &t.PreviousID, &t.CustomerID, &t.Type, &t.State, &t.Value, &t.Open, &t.Lapsed,
		db.Time(&t.CreatedAt), db.Time(&t.ExpiresAt), db.Time(&t.LockedUntil), &t.Issuer, &t.Comment,
		&t.TransactionID, &t.RevisedTransactionID, &t.OtherCustomerID, db.JSON(&t.Lots),
	}
}

func sortedKeys[K int64 | string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// fromAccounts ends a query of the accounts of customers. Its ? is the table of their ids.
const fromAccounts = ` FROM ? AS v (store, id)
	CROSS JOIN accounts a WHERE a.store_id = v.store AND a.customer_id = v.id`

func lockAccounts(tx *db.Tx, storeKey int64, customers []string, visit func(Account)) db.Query {
	return db.Select((*Account).row, visit, `SELECT `+accountColumns+fromAccounts+
		` ORDER BY a.customer_id FOR UPDATE OF a`, tx.Among(storeKey, customers...))
}

// findAccounts reads open lots only of accounts where one may be due. The sums of the others need no settling.
func findAccounts(tx *db.Tx, storeKey int64, customers []string, visit func(Account)) db.Query {
	return db.Select((*Account).row, visit, `SELECT `+accountWithout+
		`CASE WHEN next_due_at <= ? THEN lots ELSE '[]' END`+fromAccounts,
		tx.Now().UnixMicro(), tx.Among(storeKey, customers...))
}

func findAccount(tx *db.Tx, storeKey int64, customerID string) (Account, bool, error) {
	return db.One(tx, (*Account).row, `SELECT `+accountColumns+` FROM accounts
		WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
}

// findTransfer reads a transfer of the customer. The rest of an open lot is not in its row, but in the account.
func findTransfer(tx *db.Tx, storeKey int64, customerID, id string) (*Transfer, error) {
	t, found, err := db.One(tx, (*Transfer).row, `SELECT `+transferColumns+` FROM transfers
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

var (
	accountKeys = []db.Column{{Name: "store_id", Type: "BIGINT"}, {Name: "customer_id", Type: "TEXT"}}
	accountSums = []db.Column{
		{Name: "points", Type: "BIGINT"}, {Name: "p2p", Type: "BIGINT"}, {Name: "earned", Type: "BIGINT"},
		{Name: "used", Type: "BIGINT"}, {Name: "expired", Type: "BIGINT"}, {Name: "locked", Type: "BIGINT"},
		{Name: "blocked", Type: "BIGINT"},
		{Name: "lots", Type: "TEXT"}, {Name: "transfers", Type: "BIGINT"}, {Name: "last_transfer_id", Type: "TEXT"},
		{Name: "active_day", Type: "BIGINT"},
	}
	// The due time has an index, so it is written only if it changes.
	accountDue = []db.Column{{Name: "next_due_at", Type: "BIGINT"}}

	// Few accounts have holds.
	accountHolds = []db.Column{{Name: "holds", Type: "TEXT"}}

	accountCarried = []db.Column{
		{Name: "carried_earned", Type: "BIGINT", Adds: true}, {Name: "carried_used", Type: "BIGINT", Adds: true},
		{Name: "carried_expired", Type: "BIGINT", Adds: true},
	}

	transferKeys  = []db.Column{{Name: "store_id", Type: "BIGINT"}, {Name: "transfer_id", Type: "TEXT"}}
	transferState = []db.Column{
		{Name: "state", Type: "TEXT"}, {Name: "is_open", Type: "BOOLEAN"}, {Name: "lapsed", Type: "BIGINT"},
		{Name: "expires_at", Type: "BIGINT"},
	}
)

func save(tx *db.Tx, wallets []*Wallet) error {
	var sums, dues, holds, states, added, carried [][]any
	for _, w := range wallets {
		if err := w.valueMoved(); err != nil {
			return err
		}
		w.rollUp()
		if w.dirty {
			MoveInLists(tx, w.StoreKey, w.CustomerID)
			w.record()
			sums = append(sums, []any{
				w.StoreKey, w.CustomerID, w.Points, w.P2P, w.Earned, w.Used, w.Expired, w.Locked, w.Account.Blocked,
				db.JSON(w.openLots()), w.Transfers, w.LastTransferID,
				int64(w.ActiveDay),
			})
		}
		if c := w.carried; c != (History{}) {
			carried = append(carried, []any{w.StoreKey, w.CustomerID, c.Earned, c.Used, c.Expired})
		}
		if w.newDueAt {
			dues = append(dues, []any{w.StoreKey, w.CustomerID, db.Time(&w.NextDueAt)})
		}
		if w.newHolds {
			holds = append(holds, []any{w.StoreKey, w.CustomerID, db.JSON(&w.holds)})
		}
		fresh := make(map[*Transfer]bool, len(w.added))
		for _, t := range w.added {
			fresh[t] = true
			added = append(added, t.row())
		}
		for t := range w.changed {
			if now := (stored{t.State, t.Open, t.Lapsed, t.ExpiresAt}); !fresh[t] && now != t.stored {
				states = append(states, []any{t.StoreKey, t.ID, t.State, t.Open, t.Lapsed, db.Time(&t.ExpiresAt)})
			}
		}
	}
	for _, step := range []struct {
		table      string
		keys, sets []db.Column
		rows       [][]any
	}{
		{"transfers", transferKeys, transferState, states},
		{"accounts", accountKeys, accountSums, sums},
		{"accounts", accountKeys, accountDue, dues},
		{"accounts", accountKeys, accountHolds, holds},
		{"accounts", accountKeys, accountCarried, carried},
	} {
		if err := tx.Update(step.table, step.keys, step.sets, step.rows...); err != nil {
			return err
		}
	}
	if err := saveCounts(tx, wallets); err != nil {
		return err
	}
	countWallets(tx, wallets)
	return tx.Insert("transfers", transferColumns, "", added...)
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
	q := ofCustomers(storeKey, `= ?`, customerID).Add(`SELECT ` + transferColumns + ` FROM own ORDER BY transfer_id`)
	all, err := db.All(tx, (*Transfer).row, q.Text(), q.Args()...)
	for i := range all {
		for _, lot := range account.stored {
			if lot.ID == all[i].ID {
				all[i].Available = Amount(lot.Left)
			}
		}
	}
	return all, err
}
