package points

import (
	"fmt"
	"maps"
	"slices"

	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

type accountKey struct {
	store    int64
	customer string
}

const accountColumns = "store_id, customer_id, account_id, points, p2p, earned, used, expired, locked, blocked, " +
	"next_due_at, bought"

func (a *Account) row() []any {
	return []any{
		&a.StoreKey, &a.CustomerID, &a.ID, &a.Points, &a.P2P, &a.Earned, &a.Used, &a.Expired, &a.Locked,
		&a.Blocked, db.Time(&a.NextDueAt), db.JSON(&a.Bought),
	}
}

const transferColumns = "store_id, customer_id, transfer_id, type, state, value, available, is_open, created_at, " +
	"expires_at, locked_until, issuer, comment, transaction_id, revised_transaction_id, other_customer_id, lots"

func (t *Transfer) row() []any {
	return []any{
		&t.StoreKey, &t.CustomerID, &t.ID, &t.Type, &t.State, &t.Value, &t.Available, &t.Open,
		db.Time(&t.CreatedAt), db.Time(&t.ExpiresAt), db.Time(&t.LockedUntil), &t.Issuer, &t.Comment,
		&t.TransactionID, &t.RevisedTransactionID, &t.OtherCustomerID, db.JSON(&t.Lots),
	}
}

func sortedKeys[K int64 | string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

func lockAccounts(tx *db.Tx, storeKey int64, customers []string) ([]Account, error) {
	wanted, args := db.Among([]any{storeKey}, customers...)
	return db.All(tx, (*Account).row, `SELECT `+accountColumns+` FROM `+wanted+`
		CROSS JOIN accounts a WHERE a.store_id = $1 AND a.customer_id = v.column1
		ORDER BY a.customer_id FOR UPDATE OF a`, args...)
}

func findAccount(tx *db.Tx, storeKey int64, customerID string) (Account, bool, error) {
	return db.One(tx, (*Account).row, `SELECT `+accountColumns+` FROM accounts
		WHERE store_id = $1 AND customer_id = $2`, storeKey, customerID)
}

// openLots hands over the open lots in the order in which they are spent.
func openLots(tx *db.Tx, storeKey int64, customers []string, visit func(*Transfer)) error {
	wanted, args := db.Among([]any{storeKey}, customers...)
	lots, err := db.All(tx, (*Transfer).row, `SELECT `+transferColumns+` FROM `+wanted+`
		CROSS JOIN transfers t WHERE t.store_id = $1 AND t.customer_id = v.column1 AND t.is_open = TRUE`, args...)
	if err != nil {
		return err
	}
	all := make([]*Transfer, len(lots))
	for i := range lots {
		all[i] = lots[i].remember()
	}
	slices.SortFunc(all, spendOrder)
	for _, lot := range all {
		visit(lot)
	}
	return nil
}

func find(tx *db.Tx, storeKey int64, customerID, id string) (*Transfer, error) {
	t, found, err := db.One(tx, (*Transfer).row, `SELECT `+transferColumns+` FROM transfers
		WHERE store_id = $1 AND customer_id = $2 AND transfer_id = $3`, storeKey, customerID, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return t.remember(), err
}

// remember keeps what the database holds, so that Save knows which columns changed.
func (t *Transfer) remember() *Transfer {
	t.stored = stored{t.State, t.Open, t.ExpiresAt}
	return t
}

var (
	accountKeys = []db.Column{{Name: "store_id", Type: "BIGINT"}, {Name: "customer_id", Type: "TEXT"}}
	accountSums = []db.Column{
		{Name: "points", Type: "BIGINT"}, {Name: "p2p", Type: "BIGINT"}, {Name: "earned", Type: "BIGINT"},
		{Name: "used", Type: "BIGINT"}, {Name: "expired", Type: "BIGINT"}, {Name: "locked", Type: "BIGINT"},
		{Name: "blocked", Type: "BIGINT"}, {Name: "bought", Type: "TEXT"},
	}
	// The due moment has an index, so it is written only when it changes.
	accountDue = []db.Column{{Name: "next_due_at", Type: "BIGINT"}}

	transferKeys = append(slices.Clone(accountKeys), db.Column{Name: "transfer_id", Type: "TEXT"})
	transferLeft = []db.Column{{Name: "available", Type: "BIGINT"}}
	// Columns that indexes know are written only when a lot opens, closes or changes its state.
	transferState = []db.Column{
		{Name: "state", Type: "TEXT"}, {Name: "available", Type: "BIGINT"}, {Name: "is_open", Type: "BOOLEAN"},
		{Name: "expires_at", Type: "BIGINT"},
	}
)

func save(tx *db.Tx, wallets []*Wallet) error {
	var sums, dues, left, states, added [][]any
	for _, w := range wallets {
		if w.dirty {
			sums = append(sums, []any{
				w.StoreKey, w.CustomerID, w.Points, w.P2P, w.Earned, w.Used, w.Expired, w.Locked, w.Account.Blocked,
				db.JSON(&w.Account.Bought),
			})
		}
		if w.newDueAt {
			dues = append(dues, []any{w.StoreKey, w.CustomerID, db.Time(&w.NextDueAt)})
		}
		fresh := make(map[*Transfer]bool, len(w.added))
		for _, t := range w.added {
			fresh[t] = true
			added = append(added, t.row())
		}
		for t := range w.changed {
			switch {
			case fresh[t]: // written as it is now
			case t.Open == t.stored.open && t.State == t.stored.state && t.ExpiresAt.Equal(t.stored.expiresAt):
				left = append(left, []any{t.StoreKey, t.CustomerID, t.ID, t.Available})
			default:
				states = append(states, []any{
					t.StoreKey, t.CustomerID, t.ID, t.State, t.Available, t.Open, db.Time(&t.ExpiresAt),
				})
			}
		}
	}
	for _, step := range []struct {
		table      string
		keys, sets []db.Column
		rows       [][]any
	}{
		{"transfers", transferKeys, transferLeft, left},
		{"transfers", transferKeys, transferState, states},
		{"accounts", accountKeys, accountSums, sums},
		{"accounts", accountKeys, accountDue, dues},
	} {
		if err := tx.Update(step.table, step.keys, step.sets, step.rows...); err != nil {
			return err
		}
	}
	return tx.Insert("transfers", transferColumns, "", added...)
}

// Filter chooses transfers of a list; empty fields choose all.
type Filter struct {
	CustomerID    string
	States, Types []string
}

var sortable = map[string]string{
	"createdAt": "created_at", "expiresAt": "expires_at", "expireAt": "expires_at", "value": "value",
	"state": "state", "type": "type", "pointsTransferId": "transfer_id",
}

// List is a page of a store's transfers, newest first unless another order is asked for.
func List(tx *db.Tx, storeKey int64, f Filter, asked api.Page) (found []Transfer, total int64, err error) {
	where, args := ` FROM transfers WHERE store_id = $1`, []any{storeKey}
	if f.CustomerID != "" {
		args = append(args, f.CustomerID)
		where += ` AND customer_id = $2`
	}
	for _, choice := range []struct {
		column string
		values []string
	}{{"state", f.States}, {"type", f.Types}} {
		if len(choice.values) > 0 {
			var list string
			list, args = db.In(args, choice.values...)
			where += ` AND ` + choice.column + ` IN ` + list
		}
	}
	if total, err = db.Value[int64](tx, `SELECT COUNT(*)`+where, args...); err != nil || total == 0 {
		return nil, total, err
	}
	order := "transfer_id DESC"
	if asked.Sort != "" {
		order = asked.OrderBy(sortable, "transfer_id")
	}
	n := len(args)
	found, err = db.All(tx, (*Transfer).row, `SELECT `+transferColumns+where+` ORDER BY `+order+
		fmt.Sprintf(` LIMIT $%d OFFSET $%d`, n+1, n+2), append(args, asked.Limit, asked.Offset)...)
	return found, total, err
}

// AccountIDs maps customers of a store to their accounts.
func AccountIDs(tx *db.Tx, storeKey int64, customers ...string) (map[string]string, error) {
	wanted, args := db.Among([]any{storeKey}, customers...)
	byCustomer := make(map[string]string, len(customers))
	type row struct{ customer, account string }
	err := db.Each(tx, func(r *row) []any { return []any{&r.customer, &r.account} },
		func(r row) { byCustomer[r.customer] = r.account },
		`SELECT customer_id, account_id FROM `+wanted+`
			CROSS JOIN accounts a WHERE a.store_id = $1 AND a.customer_id = v.column1`, args...)
	return byCustomer, err
}

// Every lists all transfers of a customer, oldest first: for checks and exports of one customer.
func Every(tx *db.Tx, storeKey int64, customerID string) ([]Transfer, error) {
	return db.All(tx, (*Transfer).row, `SELECT `+transferColumns+` FROM transfers
		WHERE store_id = $1 AND customer_id = $2 ORDER BY transfer_id`, storeKey, customerID)
}
