package customer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
	"punchcard/platform/phone"
)

// averageAmount computes the average purchase in SQL.
const averageAmount = `(CASE WHEN transactions_count = 0 THEN 0
	ELSE (2 * transactions_amount + transactions_count) / (2 * transactions_count) END)`

// roundedAverage computes Purchases.Average in SQL, in the currency of the store.
func roundedAverage(s *store.Store) string {
	unit := int64(decimal.Unit(s.MoneyDigits()))
	return fmt.Sprintf(`(CASE WHEN transactions_count = 0 THEN 0
		ELSE (2 * transactions_amount + %[1]d * transactions_count) / (2 * %[1]d * transactions_count) * %[1]d END)`, unit)
}

// sortable maps the sort names of lists of customers to columns.
var sortable = api.Order{Tie: "customer_id", Columns: map[string]api.Column{
	"customerId": "customer_id", "email": "email", "phone": "phone_key", "loyaltyCardNumber": "loyalty_card_key",
	"firstName": "first_name_order", "lastName": "last_name_order", "createdAt": "created_at", "updatedAt": "updated_at",
	"transactionsAmount": "transactions_amount", "transactionsCount": "transactions_count",
	"averageTransactionAmount": averageAmount, "lastTransactionDate": "last_transaction_at",
	"daysFromLastTransaction": "(0 - last_transaction_at)", "hoursFromLastUpdate": "(0 - updated_at)",
	"manuallyAssignedLevel": "manual_level_id", "levelAchievementDate": "level_achieved_at",
	"gender": "gender", "birthDate": "birth_date",
}}

// Filter selects customers of a list. The zero Filter selects all who are not deleted.
type Filter struct {
	texts   []textFilter
	contact string // e-mail address or phone
	phone   string // of contact, as phones are compared
	strict  bool   // texts must equal the values; otherwise they may be a part
	bounds  []bound
	byHand  bool // only customers whose level was set by hand
	levelID string
	status  string
	among   *db.SQL // query for ids; nil for no restriction

	// Unread are the names of parameters with a value that is none. Lists ignore them. Exports and writes, which must not
	// take everybody in place of some, refuse them.
	Unread []string
}

// read notes that a parameter could not be read, unless it is blank.
func (f *Filter) read(query *form.Node, name string, ok bool) bool {
	if !ok && strings.TrimSpace(query.Child(name).Text()) != "" {
		f.Unread = append(f.Unread, name)
	}
	return ok
}

type textFilter struct{ column, text string }

// bound is one end of a range, inclusive.
type bound struct {
	column, comparison string
	value              int64
}

// textColumns are the text filters of lists of customers, with their columns.
var textColumns = []struct{ name, column string }{
	{"firstName", "first_name_key"}, {"lastName", "last_name_key"}, {"phone", "phone_key"}, {"email", "email"},
	{"loyaltyCardNumber", "loyalty_card_key"},
}

// AddText filters by a text, ignoring case. Blank text does not filter.
func (f *Filter) AddText(column, text string) {
	if text = matchKey(text); text != "" {
		f.texts = append(f.texts, textFilter{column, text})
	}
}

// addKey filters by a text as the column compares it. If the filter is strict, strict is set before.
func (f *Filter) addKey(s *store.Store, column, text string) {
	if column == "phone_key" {
		text = f.phonePart(s, text)
	}
	f.AddText(column, text)
}

// phonePart returns the form in which a phone is looked for, or a part of one.
func (f *Filter) phonePart(s *store.Store, text string) string {
	if f.strict {
		return phone.Key(text, s.Settings.Country)
	}
	return phone.Part(text, s.Settings.Country)
}

// OfTransfers reads the filters of a list of transfers that apply to the customers. It returns false if none
// is set.
func OfTransfers(query *form.Node, s *store.Store) (f Filter, ok bool) {
	for _, column := range textColumns[:4] {
		f.readText(query, "customer"+strings.ToUpper(column.name[:1])+column.name[1:], column.column, s)
	}
	return f, len(f.texts) > 0
}

// readText filters by a text of the query.
func (f *Filter) readText(query *form.Node, name, column string, s *store.Store) {
	before := len(f.texts)
	f.addKey(s, column, query.Child(name).Text())
	f.read(query, name, len(f.texts) > before)
}

// ReadFilter reads the filters of the list of customers. Values that are not numbers are ignored where a
// number is expected, and so are dates, ids and states that are none; see Unread. Days begin and end in the zone of the
// store.
func ReadFilter(query *form.Node, now time.Time, s *store.Store) Filter {
	var f Filter
	f.strict = f.readSwitch(query, "strict")
	for _, column := range textColumns {
		f.readText(query, column.name, column.column, s)
	}
	f.contact = matchKey(query.Child("emailOrPhone").Text())
	f.read(query, "emailOrPhone", f.contact != "")
	f.phone = f.phonePart(s, f.contact)
	f.byHand = f.readSwitch(query, "manuallyAssignedLevel")
	f.readNumbers(query, s)
	f.filterAge(query, "daysFromLastTransaction", "last_transaction_at", now, 24*time.Hour)
	f.filterAge(query, "hoursFromLastUpdate", "updated_at", now, time.Hour)
	if id := query.Child("levelId").Text(); f.read(query, "levelId", form.IsUUID(id)) {
		f.levelID = id
	}
	status := query.Child("status").Text()
	if f.read(query, "status", slices.Contains([]string{New, Active, Blocked}, status)) {
		f.status = status
	}
	if first, ok := f.day(query, "createdAtFrom"); ok {
		f.bounds = append(f.bounds, bound{"created_at", ">=", first.Start(s.Zone).UnixMicro()})
	}
	if last, ok := f.day(query, "createdAtTo"); ok {
		f.bounds = append(f.bounds, bound{"created_at", "<=", (last + 1).Start(s.Zone).UnixMicro() - 1})
	}
	return f
}

func (f *Filter) readSwitch(query *form.Node, name string) bool {
	on, ok := form.ParseBool(query.Child(name).Text())
	f.read(query, name, ok)
	return on
}

func (f *Filter) readNumbers(query *form.Node, s *store.Store) {
	for _, number := range []struct {
		name, column string
		digits       int
	}{
		{"transactionsAmount", "transactions_amount", decimal.MoneyDigits},
		{"averageTransactionAmount", roundedAverage(s), decimal.MoneyDigits},
		{"transactionsCount", "transactions_count", 0},
	} {
		for _, end := range []struct{ ending, comparison string }{{"", "="}, {"From", ">="}, {"To", "<="}} {
			name := number.name + end.ending
			value, ok := form.ParseDecimal(query.Child(name).Text(), number.digits)
			if f.read(query, name, ok) {
				f.bounds = append(f.bounds, bound{number.column, end.comparison, value})
			}
		}
	}
}

func (f *Filter) day(query *form.Node, name string) (calendar.Day, bool) {
	day, ok := calendar.ParseDay(strings.TrimSpace(query.Child(name).Text()))
	return day, f.read(query, name, ok)
}

// Among restricts the filter to the customers whose ids a query selects.
func (f *Filter) Among(ids *db.SQL) { f.among = ids }

// DescribeFilter describes the filters of the list of customers.
func DescribeFilter(q *form.Group) {
	q.Text("q")
	q.Text("segmentId")
	q.Checkbox("strict")
	q.Checkbox("manuallyAssignedLevel")
	q.DescribeTexts(func(query *form.Node) { ReadFilter(query, time.Time{}, store.Example) })
}

// filterAge filters by how long ago a moment may be at most, in units. Older clients omit the suffix To.
func (f *Filter) filterAge(query *form.Node, name, column string, now time.Time, unit time.Duration) {
	for _, ending := range []string{"To", ""} {
		n, err := strconv.ParseInt(strings.TrimSpace(query.Child(name+ending).Text()), 10, 64)
		if !f.read(query, name+ending, err == nil && n >= 0 && n <= math.MaxInt64/int64(unit)) {
			continue
		}
		f.bounds = append(f.bounds, bound{column, ">=", now.Add(-time.Duration(n) * unit).UnixMicro()})
		return
	}
}

// SelectsAll reports whether the filter selects every customer.
func (f *Filter) SelectsAll() bool {
	return len(f.texts) == 0 && f.contact == "" && len(f.bounds) == 0 && !f.byHand && f.levelID == "" && f.status == "" &&
		f.among == nil
}

// fromClause returns the part of a query from FROM on.
func (f *Filter) fromClause(storeKey int64) *db.SQL {
	from := db.NewSQL(`FROM customers WHERE status <> 'deleted' AND store_id = ?`, storeKey)
	for _, filter := range f.texts {
		if merged := leadsFrom[filter.column]; merged != "" {
			f.orLed(from, storeKey, filter, merged)
			continue
		}
		if f.strict {
			from.And(filter.column+` = ?`, filter.text).Add(present(filter.column))
			if order, sorted := strings.CutSuffix(filter.column, "_name_key"); sorted { // has the index
				from.And(order+`_name_order = ?`, orderOf(filter.text))
			}
		} else {
			from.And(filter.column+` LIKE ? ESCAPE '\'`, db.Containing(filter.text))
		}
	}
	switch {
	case f.contact == "":
	case f.strict: // one index for each; with OR, SQLite reads the whole list in its order
		from.And(`customer_id IN (SELECT customer_id FROM customers WHERE store_id = ? AND email = ?`+present("email")+
			` UNION ALL SELECT customer_id FROM customers WHERE store_id = ? AND phone_key = ?`+present("phone_key")+
			` UNION ALL`+leadsFrom["email"]+`= ? UNION ALL`+leadsFrom["phone_key"]+`= ?)`,
			storeKey, f.contact, storeKey, f.phone, storeKey, f.contact, storeKey, f.phone)
	default:
		email, number := db.Containing(f.contact), db.Containing(f.phone)
		from.And(`(email LIKE ? ESCAPE '\' OR phone_key LIKE ? ESCAPE '\' OR customer_id IN (`+leadsFrom["email"]+
			`LIKE ? ESCAPE '\') OR customer_id IN (`+leadsFrom["phone_key"]+`LIKE ? ESCAPE '\'))`,
			email, number, storeKey, email, storeKey, number)
	}
	for _, b := range f.bounds {
		from.And(b.column+` `+b.comparison+` ?`, b.value)
	}
	if f.byHand {
		from.And(`manual_level_id <> ''`)
	}
	if f.levelID != "" {
		from.And(`level_id = ?`, f.levelID)
	}
	if f.status != "" {
		from.And(`status = ?`, f.status)
	}
	if f.among != nil {
		from.And(`customer_id IN (?)`, f.among)
	}
	return from
}

// leadsFrom are queries of a store, but for the comparison, of the customers to whom a value of somebody who was merged
// leads, by the column that has the value of others.
var leadsFrom = map[string]string{
	"loyalty_card_key": ` SELECT merged_into FROM customers WHERE store_id = ? AND merged_into <> ''` +
		present("loyalty_card_key") + ` AND loyalty_card_key `,
	"email":     ledBy(store.ByEmail),
	"phone_key": ledBy(store.ByPhone),
}

func ledBy(field string) string {
	return ` SELECT m.merged_into FROM customer_leads l CROSS JOIN customers m
		WHERE l.store_id = ? AND l.field = '` + field + `' AND m.store_id = l.store_id AND m.customer_id = l.customer_id
		AND l.contact `
}

// orLed adds the condition of a contact or a loyalty card, which may be that of somebody merged into the customer.
func (f *Filter) orLed(from *db.SQL, storeKey int64, filter textFilter, merged string) {
	column := filter.column
	if f.strict {
		from.And(`customer_id IN (SELECT customer_id FROM customers WHERE store_id = ? AND `+column+` = ?`+present(column)+
			` UNION ALL`+merged+`= ?)`, storeKey, filter.text, storeKey, filter.text)
		return
	}
	part := db.Containing(filter.text)
	from.And(`(`+column+` LIKE ? ESCAPE '\' OR customer_id IN (`+merged+`LIKE ? ESCAPE '\'))`, part, storeKey, part)
}

// OfLevel selects the customers of a level.
func OfLevel(levelID string) *Filter { return &Filter{levelID: levelID} }

// IDs returns a query for the ids of the selected customers.
func (f *Filter) IDs(storeKey int64) *db.SQL { return f.fromClause(storeKey).Select("customer_id") }

// Count returns the number of selected customers.
func (f *Filter) Count(tx *db.Tx, storeKey int64) (int64, error) {
	return countSelected(tx, f.fromClause(storeKey))
}

// Page lists one page of the selected customers.
func (f *Filter) Page(tx *db.Tx, storeKey int64, request api.Page) ([]Customer, error) {
	return readPage(tx, storeKey, f.fromClause(storeKey), request)
}

// List lists one page of the selected customers, with the total. The levels are those of the store.
func (f *Filter) List(tx *db.Tx, storeKey int64, levels []level.Level, page api.Page) (
	found []Customer, total int64, err error) {
	if f.SelectsAll() {
		total, err = level.Customers(tx, storeKey)
	} else {
		total, err = countSelected(tx, f.fromClause(storeKey))
	}
	if err != nil || total == 0 {
		return nil, 0, err
	}
	switch column, isRank := ranked[page.Sort]; {
	case isRank:
		found, err = f.pageByRank(tx, storeKey, total, column, page)
	case page.Sort == byLevel:
		found, err = f.pageByLevel(tx, storeKey, levels, page)
	default:
		found, err = f.Page(tx, storeKey, page)
	}
	return found, total, err
}

// readPage lists one page of the selected customers.
func readPage(tx *db.Tx, storeKey int64, from *db.SQL, request api.Page) ([]Customer, error) {
	if request.Deep() {
		q := request.AddTo(from.Select("customer_id"), sortable)
		ids, err := db.AllValues[string](tx, q.Text(), q.Args()...)
		if err != nil {
			return nil, err
		}
		return inOrder(tx, storeKey, ids)
	}
	q := request.AddTo(from.Select("*"), sortable)
	return table.All(tx, "?", q)
}

// inOrder reads customers in the order of their ids, which must be distinct. Unknown ones are left out.
func inOrder(tx *db.Tx, storeKey int64, ids []string) ([]Customer, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	byID, err := FindAll(tx, storeKey, ids...)
	found := make([]Customer, 0, len(ids))
	for _, id := range ids {
		if c := byID[id]; c != nil {
			found = append(found, *c)
		}
	}
	return found, err
}

// countSelected returns the number of selected customers.
func countSelected(tx *db.Tx, from *db.SQL) (int64, error) {
	counted := from.Select("COUNT(*)")
	return db.Value[int64](tx, counted.Text(), counted.Args()...)
}
