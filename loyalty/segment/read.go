package segment

import (
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

// present is the condition under which a membership m counts in the present generation of its segment s.
const present = `m.since <= s.generation AND (m.until IS NULL OR m.until > s.generation)`

// OfCustomers lists the active segments of customers, with their names. The ids must be distinct.
func OfCustomers(tx *db.Tx, storeKey int64, customerIDs ...string) (map[string][]customer.Segment, error) {
	if len(customerIDs) == 0 {
		return map[string][]customer.Segment{}, nil
	}
	byCustomer, query := SelectOfCustomers(tx, storeKey, customerIDs...)
	return byCustomer, tx.Run(query)
}

// SelectOfCustomers returns the query of OfCustomers, and the map that it fills.
func SelectOfCustomers(tx *db.Tx, storeKey int64, customerIDs ...string) (map[string][]customer.Segment, db.Query) {
	type membership struct {
		customerID string
		of         customer.Segment
	}
	byCustomer := map[string][]customer.Segment{}
	return byCustomer, db.Select(func(m *membership) []any { return []any{&m.customerID, &m.of.ID, &m.of.Name} },
		func(m membership) { byCustomer[m.customerID] = append(byCustomer[m.customerID], m.of) },
		`SELECT m.customer_id, m.segment_id, s.name FROM ? AS v (store, id) CROSS JOIN segment_members m
			JOIN segments s ON s.store_id = m.store_id AND s.segment_id = m.segment_id
			WHERE m.store_id = v.store AND m.customer_id = v.id AND s.open AND `+present+`
			ORDER BY m.customer_id, m.segment_id`, tx.Among(storeKey, customerIDs...))
}

// Names returns the names of segments, active or not. The ids must be distinct; unknown ones are missing from
// the result.
func Names(tx *db.Tx, storeKey int64, ids ...string) (map[string]string, error) {
	if len(ids) == 0 {
		return map[string]string{}, nil
	}
	names, query := SelectNames(tx, storeKey, ids...)
	return names, tx.Run(query)
}

// SelectNames returns the query of Names, and the map that it fills.
func SelectNames(tx *db.Tx, storeKey int64, ids ...string) (map[string]string, db.Query) {
	type named struct{ id, name string }
	names := make(map[string]string, len(ids))
	return names, db.Select(func(n *named) []any { return []any{&n.id, &n.name} },
		func(n named) { names[n.id] = n.name },
		`SELECT s.segment_id, s.name FROM ? AS v (store, id) CROSS JOIN segments s
			WHERE s.store_id = v.store AND s.segment_id = v.id AND NOT s.deleted`,
		tx.Among(storeKey, ids...))
}

// Members lists ids of customers in a segment that follow an id, in the order of ids. An inactive segment has
// none.
func Members(tx *db.Tx, storeKey int64, id, after string, limit int) ([]string, error) {
	return membersAfter(tx, storeKey, id, after, limit, ` AND s.open`)
}

func membersAfter(tx *db.Tx, storeKey int64, id, after string, limit int, and string) ([]string, error) {
	q := MemberIDs(storeKey, id).Add(and+` AND m.customer_id > ? ORDER BY m.customer_id LIMIT ?`, after, limit)
	return db.All(tx, oneText, q.Text(), q.Args()...)
}

// MemberIDs returns a query for the ids of customers in a segment, active or not.
func MemberIDs(storeKey int64, id string) *db.SQL {
	return db.NewSQL(`SELECT m.customer_id FROM segments s
		JOIN segment_members m ON m.store_id = s.store_id AND m.segment_id = s.segment_id
		WHERE s.store_id = ? AND s.segment_id = ? AND `+present, storeKey, id)
}

// memberPage lists a page of the ids of customers in a segment, in the order of ids.
func memberPage(tx *db.Tx, storeKey int64, id string, page api.Page) ([]string, error) {
	q := page.AddTo(MemberIDs(storeKey, id), api.Order{Tie: "m.customer_id"})
	return db.All(tx, oneText, q.Text(), q.Args()...)
}

// SelectCounts returns a query for the number of customers in segments, and the map that it fills. The ids must be
// distinct; inactive segments are missing from the result.
func SelectCounts(tx *db.Tx, storeKey int64, ids ...string) (map[string]int64, db.Query) {
	type count struct {
		id string
		n  int64
	}
	counts := make(map[string]int64, len(ids))
	return counts, db.Select(func(c *count) []any { return []any{&c.id, &c.n} },
		func(c count) { counts[c.id] += c.n },
		`SELECT s.segment_id, f.members FROM ? AS v (store, id) CROSS JOIN segments s
			JOIN segment_figures f ON f.store_id = s.store_id AND f.segment_id = s.segment_id
			WHERE s.store_id = v.store AND s.segment_id = v.id AND s.open`, tx.Among(storeKey, ids...))
}

// Generations returns the present generation of each segment with visible members. It grows with every
// rebuild, but not when single customers enter: those are recorded by arrival.RecordCustomers.
func Generations(tx *db.Tx, storeKey int64) (map[string]int64, error) {
	type generation struct {
		id string
		n  int64
	}
	byID := map[string]int64{}
	return byID, db.Each(tx, func(g *generation) []any { return []any{&g.id, &g.n} },
		func(g generation) { byID[g.id] = g.n },
		`SELECT segment_id, generation FROM segments WHERE store_id = ? AND open ORDER BY segment_id`, storeKey)
}

func oneText(text *string) []any { return []any{text} }
