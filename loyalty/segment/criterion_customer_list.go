package segment

import (
	"iter"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// CustomerList selects listed customers. Their ids are stored in segment_lists, not with the criterion, so that
// the lists that a customer is in are found by an index.
type CustomerList struct {
	Customers []string `json:"customers,omitempty"` // ids

	names []string    // what the form lists: ids, e-mail addresses, phones or loyalty cards
	group *form.Group // of the field

	found map[string]bool // ids of Customers after lookUp, for a preview
}

var customerList = CriterionType[CustomerList]{
	Name:       "customer_list",
	FormFields: []string{"customers"},
	Read: func(g *form.Group, _ *store.Store) *CustomerList {
		return &CustomerList{names: texts(g, "customers", CustomerLimit), group: g} // looked up when saved
	},
	Rows:    listsOf,
	Matches: func(l *CustomerList, c Candidate) bool { return c.Counted > 0 || l.found[c.ID] },
}

// listsOf visits the criteria that list each customer.
func listsOf(tx *db.Tx, storeKey int64, customerIDs []string, visit func(customerID, criterionID string)) error {
	type listed struct{ customerID, criterionID string }
	return db.Each(tx, func(l *listed) []any { return []any{&l.customerID, &l.criterionID} },
		func(l listed) { visit(l.customerID, l.criterionID) },
		`SELECT l.customer_id, l.criterion_id FROM ? CROSS JOIN segment_lists l
			WHERE l.store_id = v.store AND l.customer_id = v.column1`, tx.Among(storeKey, customerIDs...))
}

// lists returns the criteria of the type in the parts.
func lists(parts []Part) iter.Seq2[*Criterion, *CustomerList] {
	return func(yield func(*Criterion, *CustomerList) bool) {
		for i := range parts {
			for j := range parts[i].Criteria {
				c := &parts[i].Criteria[j]
				if list, is := c.Fields.(*CustomerList); is && !yield(c, list) {
					return
				}
			}
		}
	}
}

// refusedList holds the names of a list that match no customer, and those that match several.
type refusedList struct {
	group     *form.Group
	not, many []string
}

var (
	errUnknownCustomer = fault.New(fault.Fields, "unknown_customer", "Customer not found: %s")
	errAmbiguous       = fault.New(fault.Fields, "ambiguous_customer", "Too many customers found: %s")
)

// lookUp replaces the names in a list by the ids of customers.
func (l *CustomerList) lookUp(tx *db.Tx, storeKey int64) (refusedList, error) {
	refused := refusedList{group: l.group}
	if l.group == nil {
		return refused, nil // not read from a form
	}
	found, err := customer.Named(tx, storeKey, l.names)
	if err != nil {
		return refused, err
	}
	l.Customers, l.found = nil, map[string]bool{}
	for _, name := range l.names {
		switch ids := found[name]; {
		case len(ids) == 0:
			refused.not = append(refused.not, name)
		case len(ids) > 1:
			refused.many = append(refused.many, name)
		case !l.found[ids[0]]:
			l.found[ids[0]] = true
			l.Customers = append(l.Customers, ids[0])
		}
	}
	return refused, nil
}

// insertLists stores the customers that the criteria of a segment list.
func insertLists(tx *db.Tx, s *Segment) error {
	var rows [][]any
	for c, l := range lists(s.Parts) {
		for position, customerID := range l.Customers {
			rows = append(rows, []any{s.StoreKey, customerID, c.ID, s.ID, position})
		}
		l.Customers = nil
	}
	return tx.Insert("segment_lists", "store_id, customer_id, criterion_id, segment_id, position", "", rows...)
}

func deleteLists(tx *db.Tx, s *Segment) error {
	_, err := tx.Exec(`DELETE FROM segment_lists WHERE store_id = $1 AND segment_id = $2`, s.StoreKey, s.ID)
	return err
}

// readLists fills in the customers that the criteria of segments list.
func readLists(tx *db.Tx, storeKey int64, segments []Segment) error {
	type listed struct{ criterionID, customerID string }
	byID, ids := map[string]*CustomerList{}, []string(nil)
	for i := range segments {
		for c, l := range lists(segments[i].Parts) {
			byID[c.ID], ids = l, append(ids, segments[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return db.Each(tx, func(l *listed) []any { return []any{&l.criterionID, &l.customerID} }, func(l listed) {
		if list := byID[l.criterionID]; list != nil {
			list.Customers = append(list.Customers, l.customerID)
		}
	}, `SELECT l.criterion_id, l.customer_id FROM ? CROSS JOIN segment_lists l
		WHERE l.store_id = v.store AND l.segment_id = v.column1 ORDER BY l.segment_id, l.position`,
		tx.Among(storeKey, db.Distinct(ids)...))
}
