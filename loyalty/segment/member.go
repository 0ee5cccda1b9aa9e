package segment

import (
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"punchcard/loyalty/customer/arrival"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// membership is a row of segment_members.
type membership struct {
	storeKey              int64
	segmentID, customerID string
	since                 int64
	until                 *int64 // nil while no end is known
	transactions          int64
	amount                decimal.Money
}

var memberTable = db.NewTable("segment_members", "store_id, customer_id, segment_id", func(m *membership) db.Row {
	return db.Row{
		"store_id", &m.storeKey, "segment_id", &m.segmentID, "customer_id", &m.customerID, "since", &m.since,
		"until", &m.until, "transactions", &m.transactions, "amount", &m.amount,
	}
})

// memberState is whether a customer is in a segment, in the present generation and in the next one, and what
// they add to its totals.
type memberState struct {
	now, next    bool
	transactions int64
	amount       decimal.Money
}

// stateIn returns the state of a membership when the given generation is the present one.
func (m *membership) stateIn(generation int64) memberState {
	s := memberState{
		now:  m.since <= generation && (m.until == nil || *m.until > generation),
		next: m.since <= generation+1 && (m.until == nil || *m.until > generation+1),
	}
	if s.now || s.next {
		s.transactions, s.amount = m.transactions, m.amount
	}
	return s
}

// change is a membership whose state has to change.
type change struct {
	segment    *Segment
	customerID string
	old        *membership // nil when there is none
	from, to   memberState
}

// membership returns the row after the change. A row that counts in no generation is deleted later by sweep.
func (c *change) membership() *membership {
	m := membership{
		storeKey: c.segment.StoreKey, segmentID: c.segment.ID, customerID: c.customerID, since: c.segment.Generation,
		transactions: c.to.transactions, amount: c.to.amount,
	}
	if c.old != nil && c.from.now {
		m.since = c.old.since
	}
	next := c.segment.Generation + 1
	switch {
	case c.to.now && !c.to.next:
		m.until = &next
	case !c.to.now && c.to.next:
		m.since = next
	case !c.to.now && !c.to.next:
		m.until = &m.since
	}
	return &m
}

// totalsChange is the change of the totals of a segment, in the present generation and in the next one.
type totalsChange struct{ now, next Totals }

// totalsRow is a row of segment_figures.
type totalsRow struct {
	storeKey  int64
	segmentID string
	shard     int64
	totalsChange
}

var totalsTable = db.NewTable("segment_figures", "store_id, segment_id, shard", func(f *totalsRow) db.Row {
	return db.Row{
		"store_id", &f.storeKey, "segment_id", &f.segmentID, "shard", &f.shard, "members", &f.now.Members,
		"transactions", &f.now.Transactions, "amount", &f.now.Amount, "next_members", &f.next.Members,
		"next_transactions", &f.next.Transactions, "next_amount", &f.next.Amount,
	}
})

func (f *totalsChange) add(s memberState, sign int64) {
	for _, of := range []struct {
		is  bool
		sum *Totals
	}{{s.now, &f.now}, {s.next, &f.next}} {
		if of.is {
			of.sum.Members += sign
			of.sum.Transactions += sign * s.transactions
			of.sum.Amount += decimal.Money(sign) * s.amount
		}
	}
}

// shards is the number of rows over which the totals of a segment are spread, so that concurrent changes
// rarely wait for the same row.
const shards = 16

func shardOf(customerID string) int64 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(customerID)) // never fails
	return int64(hash.Sum32() % shards)
}

// apply writes changes and updates the totals of their segments. It locks the rows of totals in a fixed
// order. The caller holds a shared lock on the store and locks on the customers.
func apply(tx *db.Tx, storeKey int64, changes []change) error {
	type key struct {
		segmentID string
		shard     int64
	}
	var rows []*membership
	var arrived []string
	moved := map[key]*totalsChange{}
	for i := range changes {
		c := &changes[i]
		m := c.membership()
		if c.to.now && !c.from.now {
			arrived = append(arrived, c.customerID)
		}
		rows = append(rows, m)
		k := key{m.segmentID, shardOf(m.customerID)}
		if moved[k] == nil {
			moved[k] = &totalsChange{}
		}
		moved[k].add(c.from, -1)
		moved[k].add(c.to, 1)
	}
	if err := memberTable.Put(tx, rows...); err != nil {
		return err
	}
	if err := arrival.RecordCustomers(tx, storeKey, db.Distinct(arrived)...); err != nil {
		return err
	}
	keys := slices.SortedFunc(maps.Keys(moved), func(a, b key) int {
		if a.segmentID != b.segmentID {
			return strings.Compare(a.segmentID, b.segmentID)
		}
		return int(a.shard - b.shard)
	})
	var sums []*totalsRow
	for _, k := range keys {
		if f := moved[k]; *f != (totalsChange{}) {
			sums = append(sums, &totalsRow{storeKey, k.segmentID, k.shard, *f})
		}
	}
	return totalsTable.InsertAdding(tx, sums...)
}

// memberships reads all memberships of customers, in whatever generation they count. The ids must be
// distinct.
func memberships(tx *db.Tx, storeKey int64, customerIDs []string) ([]membership, error) {
	return memberTable.All(tx, `SELECT m.*
		FROM ? AS v (store, id) CROSS JOIN segment_members m
		WHERE m.store_id = v.store AND m.customer_id = v.id`, tx.Among(storeKey, customerIDs...))
}

// publish makes the next generation of a segment the one that readers see. The store is locked.
func publish(tx *db.Tx, s *Segment) error {
	s.Generation, s.Basis, s.Open = s.Generation+1, s.NextBasis, s.Active
	if err := updateSegment(tx, s); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE segment_figures SET members = next_members, transactions = next_transactions,
		amount = next_amount WHERE store_id = ? AND segment_id = ?`, s.StoreKey, s.ID)
	return err
}

// sweep deletes up to limit memberships that count in no generation any more, and returns their number. Of a
// deleted segment it deletes any, and after the last one the segment itself.
func sweep(tx *db.Tx, s *Segment, limit int) (int64, error) {
	ended := db.NewSQL("store_id = ? AND segment_id = ?", s.StoreKey, s.ID)
	if s.Deleted {
		ended.Add(" ORDER BY customer_id")
	} else {
		ended.And("until <= ? ORDER BY until", s.Generation)
	}
	n, err := tx.DeleteSome("segment_members", "store_id, customer_id, segment_id", ended, limit)
	if err != nil || n > 0 || !s.Deleted {
		return n, err
	}
	_, err = table.Exec(tx, s.StoreKey, `DELETE FROM segments WHERE store_id = ? AND segment_id = ? AND deleted`,
		s.StoreKey, s.ID)
	return 0, err
}

func deleteTotals(tx *db.Tx, s *Segment) error {
	_, err := tx.Exec(`DELETE FROM segment_figures WHERE store_id = ? AND segment_id = ?`, s.StoreKey, s.ID)
	return err
}

// totalsOf returns the totals of segments in the present generation.
func totalsOf(tx *db.Tx, storeKey int64, ids ...string) (map[string]Totals, error) {
	byID := map[string]Totals{}
	if len(ids) == 0 {
		return byID, nil
	}
	return byID, totalsTable.Each(tx, func(f totalsRow) { byID[f.segmentID] = f.now },
		`SELECT f.segment_id, CAST(SUM(f.members) AS BIGINT) AS members,
			CAST(SUM(f.transactions) AS BIGINT) AS transactions, CAST(SUM(f.amount) AS BIGINT) AS amount
			FROM ? AS v (store, id) CROSS JOIN segment_figures f
			WHERE f.store_id = v.store AND f.segment_id = v.id GROUP BY f.segment_id`,
		tx.Among(storeKey, ids...))
}
