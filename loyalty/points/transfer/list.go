package transfer

import (
	"slices"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// view is the JSON of a transfer. See docs/behaviour/points.md#transfers.
type view struct {
	ID                        string          `json:"pointsTransferId"`
	AccountID                 string          `json:"accountId"`
	CustomerID                string          `json:"customerId"`
	CustomerFirstName         string          `json:"customerFirstName"`
	CustomerLastName          string          `json:"customerLastName"`
	CustomerEmail             string          `json:"customerEmail,omitempty"`
	CustomerPhone             string          `json:"customerPhone,omitempty"`
	CustomerLoyaltyCardNumber string          `json:"customerLoyaltyCardNumber,omitempty"`
	CreatedAt                 string          `json:"createdAt"`
	ExpiresAt                 *string         `json:"expiresAt,omitempty"`
	ExpireAt                  *string         `json:"expireAt,omitempty"` // the same date for older clients
	LockedUntil               *string         `json:"lockedUntil,omitempty"`
	Value                     points.Amount   `json:"value"`
	State                     string          `json:"state" enum:"active,pending,expired,canceled"`
	Type                      string          `json:"type"`
	Comment                   string          `json:"comment"`
	Issuer                    string          `json:"issuer"`
	TransactionID             *transactionRef `json:"transactionId,omitempty"`
	RevisedTransactionID      *transactionRef `json:"revisedTransactionId,omitempty"`
	DocumentNumber            string          `json:"transactionDocumentNumber,omitempty"`
	Transaction               any             `json:"transaction,omitempty"`
	SenderID                  string          `json:"senderId,omitempty"`
	ReceiverID                string          `json:"receiverId,omitempty"`
	POSIdentifier             string          `json:"posIdentifier,omitempty"`
	POSName                   string          `json:"posName,omitempty"`
}

type viewList struct {
	Transfers []view `json:"transfers"`
	Total     int64  `json:"total"`
}

type transactionRef struct {
	TransactionID string `json:"transactionId"`
}

func refTo(transactionID string) *transactionRef {
	if transactionID == "" {
		return nil
	}
	return &transactionRef{transactionID}
}

func newView(s *store.Store, t *points.Transfer, now time.Time) view {
	v := view{
		ID: t.ID, CustomerID: t.CustomerID, CreatedAt: api.Timestamp(t.CreatedAt, s.Zone),
		ExpiresAt: api.OptionalTimestamp(t.ExpiresAt, s.Zone), ExpireAt: api.OptionalTimestamp(t.ExpiresAt, s.Zone),
		Value: t.Value, State: t.StateAt(now), Type: t.Type, Comment: t.Comment, Issuer: t.Issuer,
		TransactionID: refTo(t.TransactionID), RevisedTransactionID: refTo(t.RevisedTransactionID),
	}
	if v.State == points.Pending {
		v.LockedUntil = api.OptionalTimestamp(t.LockedUntil, s.Zone)
	}
	switch t.Type {
	case points.P2PAdding, points.MergeAdding:
		v.SenderID = t.OtherCustomerID
	case points.P2PSpending, points.MergeSpending:
		v.ReceiverID = t.OtherCustomerID
	}
	return v
}

// listQuery asks for a page of transfers.
type listQuery struct {
	points.Filter
	api.Page
}

// readList reads the query of a list. Customers see their own transfers.
func readList(c *api.Call) (in listQuery, err error) {
	if in.Page, err = c.Page(); err != nil {
		return in, err
	}
	in.Filter, _, err = readFilter(c)
	return in, err
}

func listTransfers(r *api.Reading, in listQuery) (viewList, error) {
	list := viewList{Transfers: []view{}}
	found, total, err := points.List(r.Tx, r.Store.Key, in.Filter, in.Page)
	if list.Total = total; err != nil || len(found) == 0 {
		return list, err
	}
	list.Transfers, err = viewsOf(r.Tx, r.Store, found)
	return list, err
}

// viewsOf returns the views of transfers, with their customers and transactions.
func viewsOf(tx *db.Tx, s *store.Store, found []points.Transfer) ([]view, error) {
	ids := different(found, func(t *points.Transfer) string { return t.CustomerID })
	customers, err := customer.FindAll(tx, s.Key, ids...)
	if err != nil {
		return nil, err
	}
	accounts, err := points.AccountIDs(tx, s.Key, ids...)
	if err != nil {
		return nil, err
	}
	views := make([]view, len(found))
	for i := range found {
		v := newView(s, &found[i], tx.Now())
		v.AccountID = accounts[v.CustomerID]
		if who := customers[v.CustomerID]; who != nil {
			v.CustomerFirstName, v.CustomerLastName, v.CustomerEmail = who.FirstName, who.LastName, who.Email
			v.CustomerPhone, v.CustomerLoyaltyCardNumber = who.Phone, who.LoyaltyCard
		}
		views[i] = v
	}
	return views, addPurchases(tx, s, found, views)
}

// addPurchases adds the transactions and points of sale to the views.
func addPurchases(tx *db.Tx, s *store.Store, found []points.Transfer, views []view) error {
	ids := different(found, func(t *points.Transfer) string { return t.TransactionID })
	if len(ids) == 0 {
		return nil
	}
	asked := ReceiptsOf{IDs: ids}
	if err := feature.React(tx, s, &asked); err != nil {
		return err
	}
	var tills []string
	for _, transaction := range asked.Receipts {
		if transaction.POSID != "" && !slices.Contains(tills, transaction.POSID) {
			tills = append(tills, transaction.POSID)
		}
	}
	var places map[string]*pos.POS
	if len(tills) > 0 {
		var err error
		if places, err = pos.FindAll(tx, s.Key, tills...); err != nil {
			return err
		}
	}
	for i := range found {
		transaction, known := asked.Receipts[found[i].TransactionID]
		if !known {
			continue
		}
		views[i].DocumentNumber, views[i].Transaction = transaction.DocumentNumber, transaction.View
		if place := places[transaction.POSID]; place != nil {
			views[i].POSIdentifier, views[i].POSName = place.Identifier, place.Name
		}
	}
	return nil
}

// different returns the distinct non-empty ids of transfers.
func different(found []points.Transfer, id func(t *points.Transfer) string) []string {
	var ids []string
	for i := range found {
		if id := id(&found[i]); id != "" {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// readFilter reads the filters of the list. unread are the names of those whose values are none: the list ignores them.
func readFilter(c *api.Call) (f points.Filter, unread []string, err error) {
	query, err := c.Filters()
	if err != nil {
		return f, nil, err
	}
	if c.Caller.Role == access.Customer {
		f := filterOfOwn(query)
		f.CustomerID = c.Caller.ID
		return f, nil, nil
	}
	f, unread = filterOfAll(query, c.Store)
	return f, unread, nil
}

// filterOfOwn reads the filters of customers' lists of their own transfers.
func filterOfOwn(query *form.Node) points.Filter {
	return points.Filter{States: texts(query.Child("state")), Types: texts(query.Child("type"))}
}

func filterOfAll(query *form.Node, s *store.Store) (f points.Filter, unread []string) {
	f = filterOfOwn(query)
	f.CustomerID = query.Child("customerId").Text()
	of, isSet := customer.OfTransfers(query, s)
	unread = of.Unread
	if isSet {
		f.Customers = of.IDs(s.Key)
	}
	day := func(name string) (calendar.Day, bool) {
		text := query.Child(name).Text()
		date, ok := form.ParseDate(text)
		if !ok && strings.TrimSpace(text) != "" {
			unread = append(unread, name)
		}
		return calendar.DayOf(date, time.UTC), ok
	}
	if day, ok := day("willExpireTill"); ok {
		f.ExpiresBy = (day + 1).Start(s.Zone).Add(-time.Microsecond)
	}
	if day, ok := day("createdAtFrom"); ok {
		f.CreatedFrom = day.Start(s.Zone)
	}
	if day, ok := day("createdAtTo"); ok {
		f.CreatedBefore = (day + 1).Start(s.Zone)
	}
	return f, unread
}

// filtersOfOwn and filtersOfAll describe the filters. States and types can be lists.
func filtersOfOwn(q *form.Group) {
	q.Texts("state")
	q.Texts("type")
}

func filtersOfAll(q *form.Group) {
	filtersOfOwn(q)
	q.DescribeTexts(func(query *form.Node) { filterOfAll(query, store.Example) })
}

// texts reads a filter that can be one value or a list.
func texts(n *form.Node) []string {
	if !n.IsGroup() {
		if text := n.Text(); text != "" {
			return []string{text}
		}
		return nil
	}
	var all []string
	for _, entry := range n.Children() {
		all = append(all, entry.Text())
	}
	return all
}
