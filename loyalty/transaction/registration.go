package transaction

import (
	"cmp"
	"slices"
	"strings"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/rollup"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// registration registers documents of one store, in order of arrival: it reads what the decisions need, decides, and
// writes with a number of statements that does not depend on the number of documents.
type registration struct {
	tx    *db.Tx
	store *store.Store
	hooks Hooks
	whole bool // see registerWhole

	fields   []string                // that identify customers, in the store's order
	earnings Earnings                // nil if sales earn nothing
	numbers  map[string][]string     // numbers of stored documents by filterKey
	sales    map[string]*Transaction // documents that returns name, by number
	contacts map[contact]*customer.Customer
	led      map[contact]*customer.Customer // to whom contacts of merged customers lead
	buyers   map[string]*customer.Customer  // by id, as the documents before have left them
	places   map[string]*pos.POS            // by id
}

// contact is a value by which a field identifies a customer, as it is compared.
type contact struct{ field, value string }

// receipt is a document that is registered or assigned.
type receipt struct {
	*Transaction
	asked      *asked             // nil without a call
	identified bool               // who is known without the data of the document
	named      string             // see Draft.Customer
	by         []contact          // that find who it is, by priority
	who        *customer.Customer // whom its data identifies; nil for nobody
	sale       *Transaction       // of a return
	owner      *customer.Customer // nil for nobody
	earns      bool
	change     customer.Purchases // of the sums of the owner and the point of sale
	err        error              // why it is not registered
}

// read reads and locks what decides about documents. Documents are locked before everything else.
func (r *registration) read(documents []*receipt) error {
	r.fields = identifyingFields(r.store)
	var returned, numbers, places []string
	contacts := map[string][]string{}
	for _, d := range documents {
		numbers = append(numbers, filterKey(d.DocumentNumber))
		if d.Type == Return {
			returned = append(returned, d.RevisedDocument)
		}
		if d.POSID != "" {
			places = append(places, d.POSID)
		}
		d.by = r.contactsOf(d)
		for _, by := range d.by {
			contacts[by.field] = append(contacts[by.field], by.value)
		}
	}
	r.numbers, r.sales = map[string][]string{}, map[string]*Transaction{}
	r.contacts, r.led = map[contact]*customer.Customer{}, map[contact]*customer.Customer{}
	r.buyers = map[string]*customer.Customer{}
	var queries []db.Query
	if len(returned) > 0 {
		queries = append(queries, lockingByDocument(r.tx, r.store.Key, db.Distinct(returned), func(t *Transaction) {
			r.sales[t.DocumentNumber] = t
		}))
	}
	queries = append(queries, selectNumbers(r.tx, r.store.Key, db.Distinct(numbers), func(key, number string) {
		r.numbers[key] = append(r.numbers[key], number)
	}))
	for _, field := range contactFields {
		if len(contacts[field]) > 0 {
			queries = append(queries, customer.SelectByContact(r.tx, r.store, field, db.Distinct(contacts[field]),
				func(value string, c *customer.Customer, led bool) { r.found(contact{field, value}, c, led) })...)
		}
	}
	if len(places) > 0 {
		var selectPlaces db.Query
		r.places, selectPlaces = pos.SelectAll(r.tx, r.store.Key, db.Distinct(places)...)
		queries = append(queries, selectPlaces)
	}
	if err := r.tx.Run(append(queries, r.prepareEarnings()...)...); err != nil {
		return err
	}
	if err := r.readNamed(contacts[idField]); err != nil {
		return err
	}
	if err := customer.Follow(r.tx, r.store.Key, r.contacts); err != nil {
		return err
	}
	for _, d := range documents {
		if !d.identified {
			d.who = r.identify(d.by)
		}
		if d.named != "" && d.who != nil {
			d.CustomerData.complete(d.who)
		}
		if d.who != nil {
			r.buyers[d.who.ID] = d.who
		}
	}
	return r.readOwners()
}

// prepareEarnings returns the queries for what sales earn.
func (r *registration) prepareEarnings() (queries []db.Query) {
	if r.hooks.Earn != nil {
		r.earnings, queries = r.hooks.Earn(r.tx, r.store)
	}
	return queries
}

// readOwners reads the customers of sales whom the data of their returns does not identify.
func (r *registration) readOwners() error {
	var ids []string
	for _, sale := range r.sales {
		if sale.CustomerID != "" && r.buyers[sale.CustomerID] == nil {
			ids = append(ids, sale.CustomerID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := customer.FindAll(r.tx, r.store.Key, db.Distinct(ids)...)
	for id, c := range found {
		if c.Status != customer.Deleted {
			r.buyers[id] = c
		}
	}
	return err
}

// found notes whom a contact finds. It leads to a customer only if it identifies nobody by themselves.
func (r *registration) found(by contact, c *customer.Customer, led bool) {
	if led {
		r.led[by] = c
	} else {
		r.contacts[by] = c
	}
}

// identifyingFields returns the fields that identify the customers of a store, by priority.
func identifyingFields(s *store.Store) []string {
	sorted := slices.SortedStableFunc(slices.Values(s.Settings.Identification),
		func(a, b store.Identification) int { return cmp.Compare(a.Priority, b.Priority) })
	fields := make([]string, len(sorted))
	for i := range sorted {
		fields[i] = sorted[i].Field
	}
	return fields
}

// idField is the field of contacts that are ids of customers.
const idField = "id"

// contactFields are the fields of other contacts.
var contactFields = []string{store.ByEmail, store.ByLoyaltyCard, store.ByPhone}

// contactsOf returns the contacts by which the customer of a document is found, by priority: those of its data that the
// store compares, or whatever the name may be that the document gives.
func (r *registration) contactsOf(d *receipt) (all []contact) {
	add := func(field, value string) {
		if key := customer.Compared(r.store, field, value); key != "" {
			all = append(all, contact{field, key})
		}
	}
	switch {
	case d.identified:
	case form.IsUUID(d.named):
		all = append(all, contact{idField, strings.ToLower(d.named)})
	case strings.Contains(d.named, "@"):
		add(store.ByEmail, d.named)
	case d.named != "":
		add(store.ByLoyaltyCard, d.named)
		add(store.ByPhone, d.named)
	default:
		for _, field := range r.fields {
			add(field, d.CustomerData.value(field))
		}
	}
	return all
}

// readNamed reads the customers with these ids.
func (r *registration) readNamed(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	found, err := customer.FindAll(r.tx, r.store.Key, db.Distinct(ids)...)
	for id, c := range found {
		r.contacts[contact{idField, id}] = c
	}
	return err
}

// identify returns the first active customer that a contact finds, or nil. Later ones are not compared. See
// docs/behaviour/transactions.md#matching.
func (r *registration) identify(by []contact) *customer.Customer {
	for _, contact := range by {
		c := r.contacts[contact]
		if c != nil && c.IsActive() && (contact.field == idField || c.Trusts(r.store, contact.field)) {
			return c
		}
		if c := r.led[contact]; c != nil && c.IsActive() {
			return c
		}
	}
	return nil
}

// dependsOn returns what documents that can be decided together do not have in common: customer, number, sale and
// Idempotency-Key.
func (r *registration) dependsOn(d *receipt) []string {
	keys := d.asked.Keys(filterKey(d.DocumentNumber))
	if d.who != nil {
		keys = append(keys, d.who.ID)
	}
	if d.Type == Return {
		keys = append(keys, filterKey(d.RevisedDocument))
		if sale := r.sales[d.RevisedDocument]; sale != nil && sale.CustomerID != "" {
			keys = append(keys, sale.CustomerID)
		}
	}
	return keys
}

// examine finds the sale of a return and the owner of a document, or returns a *Refused error with all invalid fields.
func (r *registration) examine(d *receipt) error {
	var refused Refused
	refused.Ahead = r.hooks.Ahead > 0 && d.PurchasedAt.After(r.tx.Now().Add(r.hooks.Ahead))
	refused.CustomerUnknown = d.named != "" && d.who == nil
	refused.POSUnknown = d.POSID != "" && r.places[d.POSID] == nil
	if d.who != nil {
		d.owner = r.buyers[d.who.ID]
	}
	if d.Type == Return {
		d.sale = r.sales[d.RevisedDocument]
		switch {
		case d.sale == nil:
			refused.Revised = errNoSale
		case d.sale.Type != Sell:
			refused.Revised = errNotASale
		case !d.sale.takes(r.store, d.Transaction, d.who):
			refused.Revised = errWrongOwner
		default:
			d.owner = r.buyers[d.sale.CustomerID]
		}
	}
	if slices.Contains(r.numbers[filterKey(d.DocumentNumber)], d.DocumentNumber) {
		refused.Document = errNotUnique
	}
	if refused != (Refused{}) {
		return &refused
	}
	if d.sale != nil && d.sale.CustomerID != "" && d.owner == nil {
		return fault.ErrNotFound
	}
	return nil
}

// enter registers documents that do not depend on each other.
func (r *registration) enter(documents []*receipt) error {
	var entered []*receipt
	for _, d := range documents {
		if d.PurchasedAt.IsZero() {
			d.PurchasedAt = r.tx.Now()
		}
		if !d.asked.IsNew() {
			d.err = d.asked.Err
			continue
		}
		if d.err = r.examine(d); d.err != nil {
			continue
		}
		d.StoreKey, d.ID, d.RegisteredAt, d.Excluded = r.store.Key, r.tx.NewID(), r.tx.Now(), excludedNow(r.store)
		d.change, d.earns = d.enter(d.sale), true
		if d.owner != nil {
			d.own(r.tx, d.owner)
		}
		entered = append(entered, d)
	}
	if len(entered) == 0 {
		return nil
	}
	if err := r.insert(entered); err != nil {
		return err
	}
	if err := appendRegistered(r.tx, r.store, entered); err != nil {
		return err
	}
	if err := r.settle(entered); err != nil {
		return err
	}
	for _, d := range entered {
		if d.asked == nil {
			continue
		}
		d.asked.Out = d.Transaction
		if err := d.asked.Done(d.describeIn); err != nil {
			return err
		}
	}
	return r.count(entered)
}

// insert stores documents, and notes them for those that depend on them. If a concurrent request has registered one of
// them meanwhile, the batch runs again.
func (r *registration) insert(documents []*receipt) error {
	var returned []*Transaction
	rows := make([]*Transaction, len(documents))
	for i, d := range documents {
		key := filterKey(d.DocumentNumber)
		if numbers := r.numbers[key]; len(numbers) > 0 {
			d.recasedOf = slices.Min(numbers)
		}
		d.phoneKey = phoneFilterKey(r.store, d.CustomerData.Phone)
		rows[i] = d.Transaction
		r.numbers[key] = append(r.numbers[key], d.DocumentNumber)
		r.sales[d.DocumentNumber] = d.Transaction
		if d.sale != nil {
			returned = append(returned, d.sale)
		}
	}
	if err := r.insertRows(rows); err != nil {
		return err
	}
	return saveReturned(r.tx, returned...)
}

// insertRows stores documents. A number that is taken fails a batch of requests, which run one by one then. Where they
// cannot, the transaction runs again, and refuses the number.
func (r *registration) insertRows(rows []*Transaction) error {
	if len(rows) == 1 {
		inserted, err := table.InsertNew(r.tx, rows[0])
		if err == nil && !inserted {
			err = db.ErrStale
		}
		return err
	}
	if !r.whole {
		return table.Insert(r.tx, rows...)
	}
	if err := table.InsertOr(r.tx, "ON CONFLICT DO NOTHING", rows...); err != nil {
		return err
	}
	ids := make([]string, len(rows))
	for i, t := range rows {
		ids[i] = t.ID
	}
	stored, err := countStored(r.tx, r.store.Key, ids)
	if err == nil && stored < int64(len(ids)) {
		err = db.ErrStale
	}
	return err
}

// count adds new documents to the sums of the store and the points of sale, and to the indexes of lists. The most
// contended rows come last.
func (r *registration) count(documents []*receipt) error {
	var owners []string
	places := map[string]pos.Sums{}
	for _, d := range documents {
		of := d.Transaction
		if d.sale != nil {
			of = d.sale
		}
		if of.CustomerID != "" {
			owners = append(owners, of.CustomerID)
		}
		of.countIn(rollup.Adding(r.tx, r.store), rollup.AddingSales(r.tx, r.store), d.change)
		if of.POSID != "" {
			sums := places[of.POSID]
			places[of.POSID] = pos.Sums{Amount: sums.Amount + d.change.Amount, Count: sums.Count + d.change.Count}
		}
	}
	if len(owners) > 0 {
		if err := feature.React(r.tx, r.store, Counted{owners}); err != nil {
			return err
		}
	}
	if err := index(r.tx, r.store.Key, documents); err != nil {
		return err
	}
	return pos.Count(r.tx, r.store.Key, places)
}
