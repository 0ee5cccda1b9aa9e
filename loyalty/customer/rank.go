package customer

import (
	"context"
	"slices"

	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// The orders of the list of customers that no column of the customer has, with the columns of customer_ranks.
var ranked = map[string]api.Column{"points": "points", "spent": "spent", "lastPurchaseAt": "last_purchase_at"}

const byLevel = "level"

// ListOrder returns the order of the list of all customers, for its description.
func ListOrder() map[string]api.Column {
	order := sortable.With(byLevel, "level_id")
	for name, column := range ranked {
		order.Columns[name] = column
	}
	return order.Columns
}

// rank is a row of customer_ranks.
type rank struct {
	storeKey int64
	id       string
	points   points.Amount
	spent    decimal.Money
	lastAt   int64 // microseconds, 0 for no purchase
	status   string
}

var (
	rankTable = db.NewTable("customer_ranks", "store_id, customer_id", func(r *rank) db.Row {
		return db.Row{
			"store_id", &r.storeKey, "customer_id", &r.id, "points", &r.points, "spent", &r.spent,
			"last_purchase_at", &r.lastAt,
		}
	})
	// presentRanks reads the ranks that customers should have.
	presentRanks = db.NewView(rankTable, func(r *rank) db.Row { return append(rankTable.Row(r), "status", &r.status) })
)

const (
	movedAtOnce = 100 // operations
	// rankedAtOnce is about how many customers one transaction moves: few, so that other writes do not wait long.
	rankedAtOnce = 300
)

// Rank is the job that moves customers to their new places in sorted lists, and returns how many it has visited.
func Rank(ctx context.Context, d *db.DB, s *store.Store) (visited int64, err error) {
	ctx = db.InBackground(ctx)
	for more := true; more && ctx.Err() == nil; {
		var n int64
		err := store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
			n, more, err = rankSome(tx, s)
			return err
		})
		if err != nil {
			return visited, err
		}
		visited += n
	}
	return visited, nil
}

func rankSome(tx *db.Tx, s *store.Store) (n int64, more bool, err error) {
	moved, err := points.ReadMoved(tx, s.Key, movedAtOnce)
	if err != nil || len(moved) == 0 {
		return 0, false, err
	}
	var ids []string
	taken := 0
	for ; taken < len(moved) && len(ids) < rankedAtOnce; taken++ {
		ids = append(ids, moved[taken].Customers...)
	}
	ids = db.Distinct(ids)
	if err := writeRanks(tx, s.Key, ids); err != nil {
		return 0, false, err
	}
	if err := feature.React(tx, s, Ranked{ids}); err != nil {
		return 0, false, err
	}
	more = taken < len(moved) || len(moved) == movedAtOnce
	return int64(len(ids)), more, points.DeleteMoved(tx, moved[:taken])
}

func writeRanks(tx *db.Tx, storeKey int64, ids []string) error {
	available, err := points.Available(tx, storeKey, ids...)
	if err != nil {
		return err
	}
	var rows, gone []*rank
	err = presentRanks.Each(tx, func(r rank) {
		if r.points = available[r.id]; r.status == Deleted {
			gone = append(gone, &r)
		} else {
			rows = append(rows, &r)
		}
	}, `SELECT c.store_id, c.customer_id, c.status, c.transactions_amount AS spent,
			COALESCE(c.last_transaction_at, 0) AS last_purchase_at
		FROM ? AS v (store, id)
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id`, tx.Among(storeKey, ids...))
	if err != nil {
		return err
	}
	err = rankTable.InsertOr(tx, `ON CONFLICT (store_id, customer_id)
		DO UPDATE SET points = excluded.points, spent = excluded.spent, last_purchase_at = excluded.last_purchase_at
		WHERE (customer_ranks.points, customer_ranks.spent, customer_ranks.last_purchase_at)
			<> (excluded.points, excluded.spent, excluded.last_purchase_at)`, rows...)
	if err != nil {
		return err
	}
	return rankTable.Delete(tx, gone...)
}

// fewSelected is up to how many selected customers are sorted by their ranks. Of more, the customers of a page are
// looked for along the index of the rank.
const fewSelected = 5_000

// pageByRank lists one page in the order of a column of customer_ranks, of so many selected customers.
func (f *Filter) pageByRank(tx *db.Tx, storeKey, total int64, column api.Column, page api.Page) ([]Customer, error) {
	q := db.NewSQL(`SELECT r.customer_id FROM customer_ranks r WHERE r.store_id = ?`, storeKey)
	switch {
	case f.SelectsAll():
	case total <= fewSelected:
		q = db.NewSQL(`SELECT r.customer_id FROM (?) selected CROSS JOIN customer_ranks r
			WHERE r.store_id = ? AND r.customer_id = selected.id`,
			f.fromClause(storeKey).Select("customer_id AS id"), storeKey)
	default:
		q.And(`EXISTS (?)`, f.fromClause(storeKey).And(`customer_id = r.customer_id`).Select("1"))
	}
	return listed(tx, storeKey, inDirection(q, "r."+string(column)+" ?, r.customer_id ?", page))
}

// inDirection adds the order, in which both terms have the direction of the page so that one index serves both ways,
// and the bounds of the page.
func inDirection(q *db.SQL, terms string, page api.Page) *db.SQL {
	way := db.Order("ASC")
	if page.Descending {
		way = "DESC"
	}
	return q.Add(" ORDER BY "+terms, way, way).Add(" LIMIT ? OFFSET ?", page.Limit, page.Offset)
}

// listed reads the customers whose ids a query selects, in its order. It leaves out those who were just deleted.
func listed(tx *db.Tx, storeKey int64, q *db.SQL) ([]Customer, error) {
	ids, err := db.AllValues[string](tx, q.Text(), q.Args()...)
	if err != nil {
		return nil, err
	}
	found, err := inOrder(tx, storeKey, ids)
	return slices.DeleteFunc(found, func(c Customer) bool { return c.Status == Deleted }), err
}

// pageByLevel lists one page in the order of the levels, and within a level in the order of registration. It reads the
// ids of the skipped customers, too, rather than count those of every level.
func (f *Filter) pageByLevel(tx *db.Tx, storeKey int64, levels []level.Level, page api.Page) ([]Customer, error) {
	var ids []string
	for _, l := range level.InOrder(levels, page.Descending) {
		more := page
		more.Limit, more.Offset = page.Offset+page.Limit-len(ids), 0
		if more.Limit == 0 {
			break
		}
		q := f.fromClause(storeKey).And(`level_id = ?`, l.ID).Select("customer_id")
		q = inDirection(q, "level_id ?, customer_id ?", more)
		found, err := db.AllValues[string](tx, q.Text(), q.Args()...)
		if err != nil {
			return nil, err
		}
		ids = append(ids, found...)
	}
	return inOrder(tx, storeKey, ids[min(page.Offset, len(ids)):])
}

// checkRanks finds customers whose place in sorted lists is wrong, and whom the job will not visit.
func checkRanks(tx *db.Tx, found func(store int64, id, is, want string)) error {
	type wrong struct {
		store    int64
		id       string
		is, want string
	}
	type place struct {
		store int64
		id    string
	}
	waiting := map[place]bool{}
	if err := points.EachMoved(tx, func(store int64, id string) { waiting[place{store, id}] = true }); err != nil {
		return err
	}
	return db.Each(tx, func(w *wrong) []any { return []any{&w.store, &w.id, db.Text(&w.is), &w.want} }, func(w wrong) {
		if !waiting[place{w.store, w.id}] {
			found(w.store, w.id, "sorted by "+w.is, w.want)
		}
	}, `SELECT c.store_id, c.customer_id, r.points || ', ' || r.spent || ', ' || r.last_purchase_at,
			a.points || ', ' || c.transactions_amount || ', ' || COALESCE(c.last_transaction_at, 0)
		FROM customers c JOIN (`+points.AvailableQuery+`) a ON a.store_id = c.store_id AND a.customer_id = c.customer_id
		LEFT JOIN customer_ranks r ON r.store_id = c.store_id AND r.customer_id = c.customer_id
		WHERE c.status <> 'deleted' AND (r.points IS NULL OR r.points <> a.points OR r.spent <> c.transactions_amount
			OR r.last_purchase_at <> COALESCE(c.last_transaction_at, 0))
		UNION ALL SELECT r.store_id, r.customer_id, 'a deleted customer', 'nothing' FROM customer_ranks r
		JOIN customers c ON c.store_id = r.store_id AND c.customer_id = r.customer_id WHERE c.status = 'deleted'`)
}

// ranks are the rows by which lists are sorted.
var ranks = check.Table{Name: "customer_ranks", ID: "customer_id"}

// RankAll writes the places of all customers of a store, after a change by hand.
func RankAll(ctx context.Context, d *db.DB, s *store.Store) error {
	for last, more := "", true; more; more = last != "" {
		err := store.Write(ctx, d, s, func(tx *db.Tx) error {
			ids, err := db.AllValues[string](tx, `SELECT customer_id FROM customers
				WHERE store_id = ? AND customer_id > ? ORDER BY customer_id LIMIT ?`, s.Key, last, rankedAtOnce)
			if last = ""; err != nil || len(ids) == 0 {
				return err
			}
			last = ids[len(ids)-1]
			return writeRanks(tx, s.Key, ids)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
