package customer

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Sortable returns the order of lists of customers.
func Sortable() api.Order { return sortable }

// DescribeMemberFilter describes the filters that ReadMemberFilter reads.
func DescribeMemberFilter(q *form.Group) {
	q.Checkbox("strict")
	q.DescribeTexts(func(query *form.Node) { ReadMemberFilter(query, store.Example) })
}

// ReadMemberFilter reads the filters of a list of selected customers, such as the members of a segment. The
// names are those of the list of all customers. It returns false if none is set.
func ReadMemberFilter(query *form.Node, s *store.Store) (f Filter, ok bool) {
	f.strict, _ = form.ParseBool(query.Child("strict").Text())
	for _, column := range textColumns[:4] {
		f.addKey(s, column.column, query.Child(column.name).Text())
	}
	return f, len(f.texts) > 0
}

// NamedLike selects the customers whose full name and e-mail address contain the texts, or equal them if strict. It
// returns nil if both are blank.
func NamedLike(name, email string, strict bool) *Filter {
	f := &Filter{strict: strict}
	f.AddText("(first_name_key || ' ' || last_name_key)", name)
	f.AddText("email", email)
	if len(f.texts) == 0 {
		return nil
	}
	return f
}

// PageOf lists a page of the customers whose ids a query selects and who pass the filter, with the total.
func PageOf(tx *db.Tx, storeKey int64, f Filter, ids *db.SQL, request api.Page) (
	found []Customer, total int64, err error) {
	from := f.fromClause(storeKey).And(`customer_id IN (?)`, ids)
	if total, err = countSelected(tx, from); err != nil || total == 0 {
		return nil, 0, err
	}
	found, err = readPage(tx, storeKey, from, request)
	return found, total, err
}
