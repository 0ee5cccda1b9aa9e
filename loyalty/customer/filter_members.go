package customer

import (
	"fmt"

	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Sortable returns the sort names of lists of customers, with their columns.
func Sortable() map[string]string { return sortable }

// DescribeMemberFilter describes the filters that ReadMemberFilter reads.
func DescribeMemberFilter(q *form.Group) {
	q.Checkbox("strict")
	q.DescribeTexts(func(query *form.Node) { ReadMemberFilter(query) })
}

// ReadMemberFilter reads the filters of a list of selected customers, such as the members of a segment. The
// names are those of the list of all customers. It returns false if none is set.
func ReadMemberFilter(query *form.Node) (f Filter, ok bool) {
	for _, column := range textColumns[:4] {
		f.addText(column.column, query.Child(column.name).Text())
	}
	f.strict, _ = form.ParseBool(query.Child("strict").Text())
	return f, len(f.texts) > 0
}

// PageOf lists a page of the customers whose ids a query selects and who pass the filter, with the total. The
// function ids returns the query, with its arguments appended to args.
func PageOf(tx *db.Tx, storeKey int64, f Filter, ids func(args []any) (string, []any), asked api.Page) (
	found []Customer, total int64, err error) {
	where, args := f.where(storeKey, nil)
	query, args := ids(args)
	where += ` AND customer_id IN (` + query + `)`
	if total, err = db.Value[int64](tx, `SELECT COUNT(*)`+where, args...); err != nil || total == 0 {
		return nil, 0, err
	}
	n := len(args)
	found, err = db.All(tx, (*Customer).row, `SELECT `+columns+where+` ORDER BY `+asked.OrderBy(sortable, "customer_id")+
		fmt.Sprintf(` LIMIT $%d OFFSET $%d`, n+1, n+2), append(args, asked.Limit, asked.Offset)...)
	return found, total, err
}
