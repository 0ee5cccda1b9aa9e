package delivery

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

// Table is where deliveries of one kind are stored. Its key is store_id, the receiver if a store has several, and the
// id of the delivery, which grows with time. Its columns include those of Progress.
type Table[D any] struct {
	*db.Table[D]
	Progress func(*D) *Progress

	States []string // all states, in the order in which a delivery goes through them
	// Pending deliveries have an attempt before them, and only those. The others are finished.
	Pending, Accepted, Failed string
}

func (t *Table[D]) id() string { return t.Key[len(t.Key)-1] }

// receiverCondition returns the condition on the rows of a receiver.
func (t *Table[D]) receiverCondition(r Receiver) *db.SQL {
	q := db.NewSQL(t.Key[0]+" = ?", r.StoreKey)
	if len(t.Key) > 2 {
		q.And(t.Key[1]+" = ?", r.ID)
	}
	return q
}

// Claim starts an attempt for each of some deliveries that are due, those due longest first. For
// ClaimTerm, no other node attempts them.
func (t *Table[D]) Claim(tx *db.Tx, r Receiver, limit int) ([]D, error) {
	now := tx.ServerNow()
	due := t.receiverCondition(r).And("due_at <= ?", now.UnixMicro())
	q := db.NewSQL("UPDATE "+t.Name+" SET attempts = attempts + 1, due_at = ?", now.Add(ClaimTerm).UnixMicro())
	// The condition is repeated, because another node may have claimed the row that the update waits for.
	q.Add(" WHERE ? AND "+t.id()+" IN (SELECT "+t.id()+" FROM "+t.Name, due).
		Add(" WHERE ? ORDER BY due_at LIMIT ?)", due, limit)
	return t.All(tx, "?", q.Add(" RETURNING *"))
}

// Settle stores the outcome of a claimed delivery, and returns its state afterwards. stored is false
// if the claim is lost: it expired and another node made an attempt, or the delivery was changed or
// deleted meanwhile.
func (t *Table[D]) Settle(tx *db.Tx, d *D, o outbound.Outcome) (after Progress, stored bool, err error) {
	after = *t.Progress(d)
	after.end(o, tx.ServerNow(), t.Accepted, t.Failed)
	stored, err = t.update(tx, d, &after)
	return after, stored, err
}

// giveBack makes a claimed delivery due at once. counted tells whether the attempt counts.
func (t *Table[D]) giveBack(tx *db.Tx, d *D, counted bool) error {
	after := *t.Progress(d)
	if after.DueAt = tx.ServerNow(); !counted {
		after.Attempts--
	}
	_, err := t.update(tx, d, &after)
	return err
}

// postpone makes a claimed delivery due at another time. The attempt does not count.
func (t *Table[D]) postpone(tx *db.Tx, d *D, p *Postponed) error {
	after := *t.Progress(d)
	after.DueAt, after.Error = p.Until, p.Reason
	after.Attempts--
	_, err := t.update(tx, d, &after)
	return err
}

// update stores the new state of a claimed delivery, unless the claim is lost. The end of the claim
// in due_at identifies it.
func (t *Table[D]) update(tx *db.Tx, d *D, after *Progress) (stored bool, err error) {
	q := db.NewSQL("UPDATE "+t.Name+` SET state = ?, attempts = ?, due_at = ?, attempted_at = ?, status = ?, error = ?,
		finished_at = ? WHERE due_at = ?`, after.State, after.Attempts, db.Time(&after.DueAt), db.Time(&after.AttemptedAt),
		after.Status, after.Error, db.Time(&after.FinishedAt), db.Time(&t.Progress(d).DueAt))
	for i, value := range t.KeyOf(d) {
		q.And(t.Key[i]+" = ?", value)
	}
	updated, err := tx.Exec(q.Text(), q.Args()...)
	return updated == 1, err
}

// StoresDue returns the stores that have deliveries due, in the order of their keys. It reads one
// or two index entries for each store with pending deliveries, however many of them there are.
func (t *Table[D]) StoresDue(tx *db.Tx) ([]int64, error) {
	stores, err := db.AllValues[int64](tx, fmt.Sprintf(`WITH RECURSIVE
		pending (store_id) AS (SELECT MIN(store_id) FROM %[1]s WHERE due_at IS NOT NULL
			UNION ALL SELECT (SELECT MIN(d.store_id) FROM %[1]s d WHERE d.due_at IS NOT NULL AND d.store_id > p.store_id)
				FROM pending p WHERE p.store_id IS NOT NULL)
		SELECT p.store_id FROM pending p WHERE p.store_id IS NOT NULL AND (SELECT d.due_at FROM %[1]s d
			WHERE d.store_id = p.store_id AND d.due_at IS NOT NULL ORDER BY d.due_at LIMIT 1) <= ?`, t.Name),
		tx.ServerNow().UnixMicro())
	slices.Sort(stores)
	return stores, err
}

// CountPending counts the pending deliveries of all stores, up to CountLimit.
func (t *Table[D]) CountPending(tx *db.Tx) (int64, error) {
	return db.Value[int64](tx, fmt.Sprintf(
		`SELECT COUNT(*) FROM (SELECT 1 FROM %s WHERE due_at IS NOT NULL LIMIT ?) AS listed`, t.Name), CountLimit)
}

// List returns a page of the deliveries to a receiver, the newest first. An empty state means all.
// total stops counting at CountLimit.
func (t *Table[D]) List(tx *db.Tx, r Receiver, state string, limit, offset int) (found []D, total int, err error) {
	from := db.NewSQL("FROM "+t.Name+" WHERE ?", t.receiverCondition(r))
	if state != "" {
		from.And("state = ?", state)
	}
	page := from.Select("*").Add(" ORDER BY "+t.id()+" DESC LIMIT ? OFFSET ?", limit, offset)
	if found, err = t.All(tx, "?", page); err != nil {
		return nil, 0, err
	}
	counted := db.NewSQL("SELECT COUNT(*) FROM (? LIMIT ?) AS listed", from.Select("1"), CountLimit)
	total, err = db.Value[int](tx, counted.Text(), counted.Args()...)
	return found, total, err
}

// SelectFailed returns a query that sets n to the number of deliveries to a receiver that failed for good since a time,
// among the newest limit of those that failed.
func (t *Table[D]) SelectFailed(r Receiver, since time.Time, limit int, n *int) db.Query {
	newest := db.NewSQL("SELECT finished_at FROM "+t.Name+" WHERE ?", t.receiverCondition(r)).And("state = ?", t.Failed)
	newest.Add(" ORDER BY "+t.id()+" DESC LIMIT ?", limit)
	q := db.NewSQL("SELECT COUNT(*) FROM (?) AS newest WHERE finished_at >= ?", newest, since.UnixMicro())
	return db.Select(func(n *int) []any { return []any{n} }, func(found int) { *n = found }, q.Text(), q.Args()...)
}

// RemoveFinished deletes at most limit deliveries that finished before a time, the oldest first, of
// one store or, if storeKey is 0, of all.
func (t *Table[D]) RemoveFinished(tx *db.Tx, storeKey int64, before time.Time, limit int) (int64, error) {
	finished := db.NewSQL("finished_at < ?", before.UnixMicro())
	if storeKey != 0 {
		finished.And("store_id = ?", storeKey)
	}
	return tx.DeleteSome(t.Name, strings.Join(t.Key, ", "), finished.Add(" ORDER BY finished_at"), limit)
}
