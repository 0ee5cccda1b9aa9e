package segment

import (
	"iter"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
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
	Has:        func(_ *CustomerList, c Candidate) any { return c.Counted > 0 },
	Hint:       "The customer is not listed.",
	FormFields: []string{"customers"},
	Read: func(g *form.Group, _ *store.Store) *CustomerList {
		return &CustomerList{names: texts(g, "customers", CustomerLimit), group: g} // looked up when saved
	},
	Rows:    listsOf,
	Matches: func(l *CustomerList, c Candidate) bool { return c.Counted > 0 || l.found[c.ID] },
}

// listed is a customer whom a criterion lists.
type listed struct {
	storeKey                           int64
	customerID, criterionID, segmentID string
	position                           int64
}

var listTable = db.NewTable("segment_lists", "store_id, customer_id, criterion_id", func(l *listed) db.Row {
	return db.Row{
		"store_id", &l.storeKey, "customer_id", &l.customerID, "criterion_id", &l.criterionID,
		"segment_id", &l.segmentID, "position", &l.position,
	}
})

// listsOf visits the criteria that list each customer.
func listsOf(tx *db.Tx, storeKey int64, customerIDs []string, visit func(customerID, criterionID string)) error {
	return listTable.Each(tx,
		func(l listed) { visit(l.customerID, l.criterionID) },
		`SELECT l.customer_id, l.criterion_id FROM ? AS v (store, id) CROSS JOIN segment_lists l
			WHERE l.store_id = v.store AND l.customer_id = v.id`, tx.Among(storeKey, customerIDs...))
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
	var rows []*listed
	for c, l := range lists(s.Parts) {
		for position, customerID := range l.Customers {
			rows = append(rows, &listed{s.StoreKey, customerID, c.ID, s.ID, int64(position)})
		}
		l.Customers = nil
	}
	return listTable.Insert(tx, rows...)
}

func deleteLists(tx *db.Tx, s *Segment) error {
	_, err := tx.Exec(`DELETE FROM segment_lists WHERE store_id = ? AND segment_id = ?`, s.StoreKey, s.ID)
	return err
}

// readLists fills in the customers that the criteria of segments list.
func readLists(tx *db.Tx, storeKey int64, segments []Segment) error {
	byID, ids := map[string]*CustomerList{}, []string(nil)
	for i := range segments {
		for c, l := range lists(segments[i].Parts) {
			byID[c.ID], ids = l, append(ids, segments[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return listTable.Each(tx, func(l listed) {
		if list := byID[l.criterionID]; list != nil {
			list.Customers = append(list.Customers, l.customerID)
		}
	}, `SELECT l.criterion_id, l.customer_id FROM ? AS v (store, id) CROSS JOIN segment_lists l
		WHERE l.store_id = v.store AND l.segment_id = v.id ORDER BY l.segment_id, l.position`,
		tx.Among(storeKey, db.Distinct(ids)...))
}

// The errors of changes of the list of a segment.
var (
	ErrNoList   = fault.New(fault.Refused, "segment_without_list", "This segment has no criterion that lists customers.")
	ErrListFull = fault.New(fault.Refused, "segment_list_full", "The list of this segment is full.")
)

// lockList returns the first criterion of a segment that lists customers. It locks the customers and then the store, so
// that no change of the segment replaces the list meanwhile.
func (svc *Service) lockList(tx *db.Tx, shop *store.Store, segmentID string, customerIDs []string) (string, error) {
	if _, err := customer.LockTraits(tx, shop.Key, customerIDs...); err != nil {
		return "", err
	}
	if _, err := store.Lock(tx, shop.Key); err != nil {
		return "", err
	}
	return svc.List(tx, shop, segmentID)
}

// List returns the first criterion of a segment that lists customers, fault.ErrNotFound or ErrNoList.
func (svc *Service) List(tx *db.Tx, shop *store.Store, segmentID string) (criterionID string, err error) {
	s, err := svc.find(tx, shop.Key, segmentID)
	if err != nil {
		return "", err
	}
	for c := range lists(s.Parts) {
		return c.ID, nil
	}
	return "", ErrNoList
}

// AddToList adds distinct customers to the first list of a segment, and returns those who were not in it. It returns
// fault.ErrNotFound, ErrNoList, or ErrListFull if they do not all fit.
func (svc *Service) AddToList(tx *db.Tx, shop *store.Store, segmentID string, ids ...string) (
	added []string, err error) {
	criterionID, err := svc.lockList(tx, shop, segmentID, ids)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	err = listsOf(tx, shop.Key, ids, func(customerID, of string) {
		known[customerID] = known[customerID] || of == criterionID
	})
	if err != nil {
		return nil, err
	}
	length, last := int64(0), int64(0)
	if _, _, err = db.One(tx, func(*struct{}) []any { return []any{&length, &last} }, `SELECT COUNT(*),
		COALESCE(MAX(position), 0) FROM segment_lists WHERE store_id = ? AND segment_id = ? AND criterion_id = ?`,
		shop.Key, segmentID, criterionID); err != nil {
		return nil, err
	}
	var rows []*listed
	for _, id := range ids {
		if !known[id] {
			last++
			added, rows = append(added, id), append(rows, &listed{shop.Key, id, criterionID, segmentID, last})
		}
	}
	if length+int64(len(rows)) > CustomerLimit {
		return nil, ErrListFull
	}
	if err := listTable.Insert(tx, rows...); err != nil {
		return nil, err
	}
	return added, svc.Recheck(tx, shop, added...)
}

// RemoveFromList removes a customer from the first list of a segment, and reports whether they were in it.
func (svc *Service) RemoveFromList(tx *db.Tx, shop *store.Store, segmentID, id string) (removed bool, err error) {
	criterionID, err := svc.lockList(tx, shop, segmentID, []string{id})
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(`DELETE FROM segment_lists WHERE store_id = ? AND customer_id = ? AND criterion_id = ?`,
		shop.Key, id, criterionID)
	if err != nil || n == 0 {
		return false, err
	}
	return true, svc.Recheck(tx, shop, id)
}
