package transaction

import (
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/counter"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/phone"
)

// filter selects transactions of a list. The zero filter selects all of a store.
type filter struct {
	strict     bool // texts must equal the value; otherwise they can be a part of it
	texts      []condition
	conditions []condition
	labels     []Label // an empty key or value matches any
}

// condition compares a column with a value.
type condition struct {
	column, comparison string
	value              any
}

// filterLabels is the maximal number of labels in a filter.
const filterLabels = 10

// readFilter reads the filters of a list of transactions. Invalid values filter nothing.
func readFilter(q *form.Group, s *store.Store) filter {
	var f filter
	f.strict, _ = form.ParseBool(q.Text("strict"))
	for _, text := range [...]struct{ name, column string }{
		{"customerData_loyaltyCardNumber", "loyalty_card_key"}, {"customerData_name", "name_key"},
		{"customerData_email", "email_key"}, {"customerData_phone", "phone_key"}, {"documentNumber", "document_key"},
	} {
		value := q.Text(text.name)
		switch {
		case value == "":
			continue
		case text.column != "phone_key":
			value = filterKey(value)
		case f.strict:
			value = phoneFilterKey(s, value)
		default:
			value = " " + phone.Part(value, s.Settings.Country)
		}
		f.texts = append(f.texts, condition{column: text.column, value: value})
	}
	for _, exact := range [...]struct{ name, column string }{
		{"customerId", "customer_id"}, {"documentType", "document_type"}, {"posId", "pos_id"},
	} {
		if value := strings.ToLower(q.Text(exact.name)); value != "" {
			f.and(exact.column, "=", value)
		}
	}
	if from, _, ok := span(q.Text("purchaseDateFrom"), s.Zone); ok {
		f.and("purchased_at", ">=", from.UnixMicro())
	}
	if _, after, ok := span(q.Text("purchaseDateTo"), s.Zone); ok {
		f.and("purchased_at", "<", after.UnixMicro())
	}
	for _, end := range [...]struct{ name, comparison string }{{"grossValueFrom", ">="}, {"grossValueTo", "<="}} {
		if value, ok := s.ParseMoney(q.Text(end.name)); ok {
			f.and("gross_value", end.comparison, value)
		}
	}
	for i, label := range q.Groups("labels") {
		if l := (Label{label.Key("key"), label.Key("value")}); l != (Label{}) && i < filterLabels {
			f.labels = append(f.labels, l)
		}
	}
	return f
}

// span parses a date or time. It returns the start of that day or second, and the start of the next one.
func span(text string, zone *time.Location) (from, after time.Time, ok bool) {
	if day, ok := calendar.ParseDay(text); ok {
		return day.Start(zone), (day + 1).Start(zone), true
	}
	from, ok = form.ParseDateTime(text, zone)
	last, _ := form.ParseEnd(text, zone)
	return from, last.Add(time.Second), ok
}

func (f *filter) and(column, comparison string, value any) {
	f.conditions = append(f.conditions, condition{column, comparison, value})
}

// all reports whether the filter selects every transaction.
func (f *filter) all() bool { return len(f.texts) == 0 && len(f.conditions) == 0 && len(f.labels) == 0 }

// partial holds conditions for columns with a partial index, which contains only rows that have a value.
var partial = map[string]string{"customer_id": ` AND customer_id <> ''`, "pos_id": ` AND pos_id <> ''`}

// from returns the part of a query from FROM on.
func (f *filter) from(storeKey int64) *db.SQL {
	from := db.NewSQL(`FROM transactions WHERE store_id = ?`, storeKey)
	for _, c := range f.texts {
		if f.strict {
			from.And(c.column+` = ?`, c.value)
		} else {
			from.And(c.column+` LIKE ? ESCAPE '\'`, db.Containing(c.value.(string)[1:]))
		}
	}
	for _, c := range f.conditions {
		from.And(c.column+` `+c.comparison+` ?`+partial[c.column], c.value)
	}
	for _, label := range f.labels {
		from.And(`transaction_id IN (SELECT transaction_id FROM transaction_labels WHERE store_id = ?`, storeKey)
		if label.Key != "" {
			from.And(`label_key = ?`, filterKey(label.Key))
		}
		if label.Value != "" {
			from.And(`label_value = ?`, filterKey(label.Value))
		}
		from.Add(`)`)
	}
	return from
}

var sortable = api.Order{Tie: "transaction_id", Columns: map[string]api.Column{
	"transactionId": "transaction_id", "documentNumber": "document_key", "documentType": "document_type",
	"purchaseDate": "purchased_at", "purchasePlace": "purchase_place", "grossValue": "gross_value",
	"customerId": "customer_id", "assignedToCustomerDate": "assigned_at", "posId": "pos_id",
	"revisedDocument": "revised_document",
}}

// readPage returns a page of the transactions that the filter selects, by default in order of registration, and their
// total.
func readPage(tx *db.Tx, storeKey int64, f filter, request api.Page) (found []Transaction, total int64, err error) {
	from := f.from(storeKey)
	if f.all() {
		total, err = counter.Total(tx, storeKey, counterName)
	} else {
		counted := from.Select("COUNT(*)")
		total, err = db.Value[int64](tx, counted.Text(), counted.Args()...)
	}
	if err != nil || total == 0 {
		return nil, total, err
	}
	if request.Deep() {
		found, err = deepPage(tx, storeKey, from, request)
		return found, total, err
	}
	q := request.AddTo(from.Select("*"), sortable)
	found, err = table.All(tx, "?", q)
	return found, total, err
}

// deepPage reads the ids of a page, and then their rows.
func deepPage(tx *db.Tx, storeKey int64, from *db.SQL, page api.Page) ([]Transaction, error) {
	q := page.AddTo(from.Select("transaction_id"), sortable)
	ids, err := db.AllValues[string](tx, q.Text(), q.Args()...)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	found, err := table.All(tx, `SELECT t.* FROM ? AS v (store, id)
		CROSS JOIN transactions t WHERE t.store_id = v.store AND t.transaction_id = v.id`,
		tx.Among(storeKey, ids...))
	return api.InOrder(found, func(t *Transaction) string { return t.ID }, ids), err
}
