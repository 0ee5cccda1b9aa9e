package points

import (
	"time"

	"punchcard/core/api"
	"punchcard/platform/counter"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Filter selects transfers of a list. Empty fields select all.
type Filter struct {
	CustomerID    string
	States, Types []string
	// ExpiresBy selects active adding transfers with points left that expire at or before this time.
	ExpiresBy time.Time
	// CreatedFrom and CreatedBefore bound the time of creation. The second is exclusive.
	CreatedFrom, CreatedBefore time.Time
	// Customers is a query for the ids of the customers whose transfers are selected.
	Customers *db.SQL
}

// presentState is StateAt in SQL, at the time of a placeholder.
func presentState(now string) string {
	return `CASE
		WHEN is_open = TRUE AND (state = 'active' OR locked_until <= ` + now + `) AND expires_at < ` + now + ` THEN 'expired'
		WHEN state = 'pending' AND locked_until <= ` + now + ` THEN 'active'
		ELSE state END`
}

// StateAt returns the state at a time, whether or not the job has stored it. A lot that was spent completely stays
// active.
func (t *Transfer) StateAt(now time.Time) string {
	state := t.State
	if state == Pending && !t.LockedUntil.After(now) {
		state = Active
	}
	if t.Open && state == Active && t.expired(now) {
		state = Expired
	}
	return state
}

// ofCustomers defines the table own of the transfers of a store whose customers meet the condition. It follows the
// linked list from the account backwards, which needs no index and reads only these transfers.
func ofCustomers(storeKey int64, condition string, value any) *db.SQL {
	return db.NewSQL(`WITH RECURSIVE own AS (
		SELECT t.* FROM accounts a CROSS JOIN transfers t
			WHERE a.store_id = ? AND a.customer_id `+condition+`
				AND t.store_id = ? AND t.transfer_id = a.last_transfer_id
		UNION ALL
		SELECT t.* FROM own o CROSS JOIN transfers t WHERE t.store_id = o.store_id AND t.transfer_id = o.previous_id) `,
		storeKey, value, storeKey)
}

// selecting returns a query for columns of the selected transfers.
func (f *Filter) selecting(columns string, storeKey int64, now time.Time) *db.SQL {
	var q *db.SQL
	switch {
	case f.CustomerID != "":
		q = ofCustomers(storeKey, `= ?`, f.CustomerID).Add(`SELECT `+columns+` FROM own WHERE store_id = ?`, storeKey)
	case f.Customers != nil:
		q = ofCustomers(storeKey, `IN (?)`, f.Customers).Add(`SELECT `+columns+` FROM own WHERE store_id = ?`, storeKey)
	default:
		q = db.NewSQL(`SELECT `+columns+` FROM transfers WHERE store_id = ?`, storeKey)
	}
	return f.restrict(q, now)
}

// restrict adds the conditions on the transfers themselves.
func (f *Filter) restrict(q *db.SQL, now time.Time) *db.SQL {
	if len(f.States) > 0 {
		q.And(presentState(q.Arg(now.UnixMicro()))+` IN ?`, db.List(f.States))
	}
	if len(f.Types) > 0 {
		q.And(`type IN ?`, db.List(f.Types))
	}
	if !f.ExpiresBy.IsZero() {
		q.And(`is_open = TRUE AND type = 'adding' AND ` + presentState(q.Arg(now.UnixMicro())) + ` = 'active'`)
		q.And(`expires_at <= ?`, f.ExpiresBy.UnixMicro())
	}
	if !f.CreatedFrom.IsZero() {
		q.And(`created_at >= ?`, f.CreatedFrom.UnixMicro())
	}
	if !f.CreatedBefore.IsZero() {
		q.And(`created_at < ?`, f.CreatedBefore.UnixMicro())
	}
	return q
}

// Sortable is the order of lists of transfers.
var Sortable = api.Order{Tie: "transfer_id", NewestFirst: true, Columns: map[string]api.Column{
	"createdAt": "created_at", "expiresAt": "expires_at", "expireAt": "expires_at", "value": "value",
	"state": "state", "type": "type", "pointsTransferId": "transfer_id", "lockedUntil": "locked_until",
	"comment": "comment", "issuer": "issuer", "customerId": "customer_id",
}}

// total returns the number of transfers that the filter selects. It uses the store's counters if they suffice, and
// otherwise counts the rows.
func (f *Filter) total(tx *db.Tx, storeKey int64) (int64, error) {
	if f.CustomerID == "" && !f.looks() {
		return counter.Total(tx, storeKey, counterNames(f.Types...)...)
	}
	q := f.selecting(`COUNT(*)`, storeKey, tx.Now())
	return db.Value[int64](tx, q.Text(), q.Args()...)
}

// looks reports whether the filter depends on data of transfers or customers that counters do not have.
func (f *Filter) looks() bool {
	return f.Customers != nil || len(f.States) > 0 || !f.ExpiresBy.IsZero() || !f.CreatedFrom.IsZero() ||
		!f.CreatedBefore.IsZero()
}

// List returns a page of a store's transfers, by default newest first, and their total.
func List(tx *db.Tx, storeKey int64, f Filter, page api.Page) (found []Transfer, total int64, err error) {
	if f.CustomerID != "" && len(f.Types) == 0 && !f.looks() && page.Sort == "" {
		account, _, err := findAccount(tx, storeKey, f.CustomerID)
		if err == nil {
			found, err = follow(tx, storeKey, f.CustomerID, account.LastTransferID, page.Offset, page.Limit)
		}
		return found, account.Transfers, err
	}
	if total, err = f.total(tx, storeKey); err != nil || total == 0 {
		return nil, total, err
	}
	q := page.AddTo(f.selecting("*", storeKey, tx.Now()), Sortable)
	found, err = transferTable.All(tx, q.Text(), q.Args()...)
	return found, total, err
}

// After returns at most limit selected transfers that were created after one, or from the first on, in order of
// creation. The transfers of customers chosen by a query are found among all of the store, so that each page reads
// only what follows the one before.
func After(tx *db.Tx, storeKey int64, f Filter, after string, limit int) ([]Transfer, error) {
	q := f.selecting("*", storeKey, tx.Now())
	if f.CustomerID == "" && f.Customers != nil {
		q = db.NewSQL(`SELECT * FROM transfers WHERE store_id = ? AND customer_id IN (?)`,
			storeKey, f.Customers)
		f.restrict(q, tx.Now())
	}
	q.And(`transfer_id > ?`, after).Add(` ORDER BY transfer_id LIMIT ?`, limit)
	return transferTable.All(tx, q.Text(), q.Args()...)
}

// Before returns at most limit transfers of a customer, newest first. It begins with the transfer next, or with the
// newest one if next is empty, and returns where to continue, or an empty string if there are no more.
func Before(tx *db.Tx, storeKey int64, customerID, next string, limit int) (found []Transfer, more string, err error) {
	if next == "" {
		account, known, err := findAccount(tx, storeKey, customerID)
		if err != nil || !known {
			return nil, "", err
		}
		next = account.LastTransferID
	}
	found, err = follow(tx, storeKey, customerID, next, 0, limit)
	if len(found) == limit {
		more = found[limit-1].PreviousID
	}
	return found, more, err
}

// follow reads at most limit transfers of a customer, from one backwards, after skipping some. The cost does not
// depend on the number of older transfers.
func follow(tx *db.Tx, storeKey int64, customerID, from string, skip, limit int) ([]Transfer, error) {
	return transferTable.All(tx, `WITH RECURSIVE own AS (
		SELECT t.*, 1 AS place FROM transfers t WHERE t.store_id = ? AND t.transfer_id = ? AND t.customer_id = ?
			AND ? > 0
		UNION ALL
		SELECT t.*, o.place + 1 FROM own o CROSS JOIN transfers t
			WHERE t.store_id = o.store_id AND t.transfer_id = o.previous_id AND o.place < ?)
		SELECT * FROM own WHERE place > ? ORDER BY place`,
		storeKey, from, customerID, skip+limit, skip+limit, skip)
}

// OwnerOf returns the customer of a transfer.
func OwnerOf(tx *db.Tx, storeKey int64, transferID string) (customerID string, err error) {
	customerID, err = db.Value[string](tx,
		`SELECT customer_id FROM transfers WHERE store_id = ? AND transfer_id = ?`, storeKey, transferID)
	if err == nil && customerID == "" {
		err = fault.ErrNotFound
	}
	return customerID, err
}

// EarnedSince returns the points that customers earned after a time, or ever if it is zero, less what returns of these
// sales took. Points from other customers, pending points and cancelled ones do not count.
func EarnedSince(tx *db.Tx, storeKey int64, customerIDs []string, since time.Time) (Amount, error) {
	q := ofCustomers(storeKey, `IN ?`, db.List(customerIDs))
	earned := `type = 'adding' AND created_at > ` + q.Arg(since.UnixMicro()) + ` AND ` +
		presentState(q.Arg(tx.Now().UnixMicro())) + ` IN ('active', 'expired')`
	q.Add(`SELECT CAST(COALESCE(SUM(CASE WHEN type = 'adding' THEN value ELSE -value END), 0) AS BIGINT) FROM own
		WHERE ` + earned + ` OR type = 'spending' AND revised_transaction_id <> '' AND revised_transaction_id IN
			(SELECT transaction_id FROM own WHERE ` + earned + `)`)
	return db.Value[Amount](tx, q.Text(), q.Args()...)
}
