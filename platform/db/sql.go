package db

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// SQL builds a statement whose conditions depend on a request: its text and its arguments.
type SQL struct {
	text []byte
	args []any
}

// NewSQL returns a statement that begins with a text. See Add.
func NewSQL(text string, values ...any) *SQL { return new(SQL).Add(text, values...) }

// Add appends a text to the statement. Each ? in it stands for one of the values, which becomes an argument. A List
// stands for the placeholders of its values, an Order and a *SQL for their text, and *Keys for a table.
func (q *SQL) Add(text string, values ...any) *SQL {
	for _, value := range values {
		before, after, found := strings.Cut(text, "?")
		if !found {
			panic("a value without a place in: " + text)
		}
		q.text = append(q.text, before...)
		if keys, are := value.(*Keys); are {
			after = q.placeKeys(keys, after)
		} else {
			q.place(value)
		}
		text = after
	}
	if strings.Contains(text, "?") {
		panic("a place without a value in: " + text)
	}
	q.text = append(q.text, text...)
	return q
}

// And adds a condition, like Add.
func (q *SQL) And(condition string, values ...any) *SQL {
	return q.Add(" AND "+condition, values...)
}

// Arg appends an argument and returns its placeholder, for texts that need the argument several times.
func (q *SQL) Arg(value any) string {
	q.args = append(q.args, value)
	return "$" + strconv.Itoa(len(q.args))
}

// Select returns a query that selects columns from q, which begins with FROM.
func (q *SQL) Select(columns string) *SQL {
	return &SQL{append([]byte("SELECT "+columns+" "), q.text...), slices.Clone(q.args)}
}

// Text returns the SQL text.
func (q *SQL) Text() string { return string(q.text) }

// Args returns the arguments of the text.
func (q *SQL) Args() []any { return q.args }

// List is the values of a filter, which stand in parentheses, as in "type IN ?". It must not be empty. Rows are looked
// up by their keys with Tx.Among instead: for a long IN, PostgreSQL scans an index whose table it has not analyzed.
type List []string

// Order is the terms of an ORDER BY, made of names in the code and never of a request. It stands in a query as ?.
type Order string

// build returns a query with its arguments. See SQL.Add for the values that ? stands for.
func build(query string, args []any) Statement {
	for _, arg := range args {
		switch arg.(type) {
		case List, Order, *SQL, *Keys:
			q := NewSQL(query, args...)
			return Statement{q.Text(), q.Args()}
		}
	}
	return Statement{numbered(query), args}
}

var numberedTexts sync.Map // of string to string; bounded by the texts in the code

// numbered writes the places of a text, if it has any, as $1, $2 and so on.
func numbered(query string) string {
	if !strings.Contains(query, "?") {
		return query
	}
	if text, ok := numberedTexts.Load(query); ok {
		return text.(string)
	}
	var b strings.Builder
	for i, part := range strings.Split(query, "?") {
		if i > 0 {
			b.WriteString("$" + strconv.Itoa(i))
		}
		b.WriteString(part)
	}
	numberedTexts.Store(query, b.String())
	return b.String()
}

func (q *SQL) place(value any) {
	switch value := value.(type) {
	case List:
		var placeholders string
		placeholders, q.args = appendList(q.args, value...)
		q.text = append(q.text, placeholders...)
	case Order:
		q.text = append(q.text, value...)
	case *SQL:
		q.text = append(q.text, shifted(value.text, len(q.args))...)
		q.args = append(q.args, value.args...)
	default:
		q.text = append(q.text, q.Arg(value)...)
	}
}

// keyNames matches the name of a table of keys and those of its columns, which follow its ?.
var keyNames = regexp.MustCompile(`^ AS (\w+) \(([\w, ]+)\)`)

// placeKeys places a table of keys, and returns the rest of the text after its names.
func (q *SQL) placeKeys(keys *Keys, text string) (rest string) {
	names := keyNames.FindStringSubmatch(text)
	if names == nil {
		panic("a table of keys needs AS name (store, ...) in: " + text)
	}
	table := keys.flavour.Among(names[1], splitNames(names[2]), keys)
	q.text = append(q.text, shifted([]byte(table.Text), len(q.args))...)
	q.args = append(q.args, table.Args...)
	return text[len(names[0]):]
}

// appendList appends values to args and returns their placeholders, such as "($3,$4)". It repeats the last value to a
// length of a power of four, so that lists of any length share few statement texts. values must not be empty.
func appendList(args []any, values ...string) (string, []any) {
	size := 1
	for size < len(values) {
		size *= 4
	}
	var b strings.Builder
	for i := range size {
		b.WriteByte("(,"[min(i, 1)])
		args = append(args, values[min(i, len(values)-1)])
		b.WriteString("$" + strconv.Itoa(len(args)))
	}
	b.WriteByte(')')
	return b.String(), args
}

// shifted renumbers the placeholders of a text so that they follow others.
func shifted(text []byte, others int) (moved []byte) {
	if others == 0 {
		return text
	}
	for len(text) > 0 {
		c := text[0]
		moved, text = append(moved, c), text[1:]
		digits := 0
		for c == '$' && digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
			digits++
		}
		if digits > 0 {
			number, _ := strconv.Atoi(string(text[:digits])) // only digits
			moved, text = strconv.AppendInt(moved, int64(number+others), 10), text[digits:]
		}
	}
	return moved
}

// Containing returns the pattern of texts that contain a part, for LIKE with ESCAPE '\'.
func Containing(part string) string { return "%" + escaped.Replace(part) + "%" }

var escaped = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)
