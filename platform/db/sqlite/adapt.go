package sqlite

import "strings"

// adapt adapts a statement of the common SQL:
//
// FOR UPDATE and FOR SHARE go, because SQLite locks the whole database.
//
// OR FAIL is added: a statement that fails takes its operation with it, so SQLite need not copy pages to undo
// the statement alone.
//
// LIMIT gets a sum: for a bare parameter, SQLite plans the statement again each time it is bound.
//
// CAST of a parameter goes, because values bring their types here.
//
// $1 becomes ?1, which SQLite does not look up by name.
func adapt(query string) string {
	query = withoutLock(query)
	for _, verb := range []string{"INSERT", "UPDATE"} {
		if rest, found := strings.CutPrefix(query, verb+" "); found && !strings.Contains(rest, "ON CONFLICT") {
			query = verb + " OR FAIL " + rest
		}
	}
	var b strings.Builder
	before, rest, found := strings.Cut(query, "$")
	for ; found; before, rest, found = strings.Cut(rest, "$") {
		number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		rest = rest[len(number):]
		if number == "" {
			b.WriteString(before + "$")
			continue
		}
		text, isCast := strings.CutSuffix(before, "CAST(")
		if after, closes := cutType(rest); isCast && closes {
			before, rest = text, after
		}
		b.WriteString(before + "?" + number)
		if strings.HasSuffix(before, "LIMIT ") {
			b.WriteString(" + 0")
		}
	}
	return b.String() + before
}

// withoutLock removes a row lock from the end of a statement.
func withoutLock(query string) string {
	for _, lock := range []string{" FOR UPDATE", " FOR SHARE"} {
		i := strings.LastIndex(query, lock)
		if i < 0 {
			continue
		}
		of, isOf := strings.CutPrefix(query[i+len(lock):], " OF ")
		if query[i+len(lock):] == "" || isOf && !strings.ContainsAny(of, " )") {
			return query[:i]
		}
	}
	return query
}

// cutType cuts " AS BIGINT)", of any type, from the beginning of a text.
func cutType(text string) (rest string, found bool) {
	text, found = strings.CutPrefix(text, " AS ")
	name, rest, closes := strings.Cut(text, ")")
	return rest, found && closes && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
