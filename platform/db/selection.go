package db

import "strings"

// selection is a query of a table: its text, in which * is written as the list of columns, and the places of the
// columns that it returns. A program must not send *, because it would receive columns that a later one adds.
type selection struct {
	text  string
	picks []int
}

// selection returns the selection of a query. A query that consists of a *SQL alone has the selection of the *SQL.
func (s *Schema) selection(query string, args []any) (*selection, []any) {
	if query == "?" && len(args) == 1 {
		built := args[0].(*SQL)
		query, args = built.Text(), built.Args()
	}
	if known, ok := s.known.Load(query); ok {
		return known.(*selection), args
	}
	made := s.selects(query)
	if s.texts.Add(1) <= maxTexts {
		s.known.Store(query, made)
	}
	return made, args
}

// maxTexts is how many texts of queries a schema remembers. Filters of lists can make many more.
const maxTexts = 1000

// selects expands the * of the query itself, and not of queries within it. The columns are those after RETURNING, or
// after the first SELECT.
func (s *Schema) selects(query string) *selection {
	var b strings.Builder
	var picks []int
	rest := query
	for {
		before, list, after := cutList(rest)
		b.WriteString(before)
		if list == "" {
			break
		}
		var columns []string
		var places []int
		for _, item := range splitList(list) {
			item = strings.TrimSpace(item)
			if prefix, all := strings.CutSuffix(item, "*"); all && !strings.Contains(prefix, " ") {
				columns, places = append(columns, s.list(prefix)), append(places, s.read...)
			} else {
				columns, places = append(columns, item), append(places, s.places([]string{resultName(item)})...)
			}
		}
		if picks == nil {
			picks = places
		}
		b.WriteString(" " + strings.Join(columns, ", "))
		rest = after
	}
	if picks == nil {
		panic("no columns of " + s.Name + " in: " + query)
	}
	return &selection{b.String(), picks}
}

// resultName returns the name of a column of a result: the alias, or the name without its table.
func resultName(item string) string {
	return item[strings.LastIndexAny(item, " .\n\t")+1:]
}

// cutList cuts a query around the first list of columns that is not in parentheses. before ends with the word that
// begins the list. list is empty if there is none.
func cutList(query string) (before, list, after string) {
	start, depth, quoted := -1, 0, false
	for i := range len(query) {
		switch c := query[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth > 0 || i > 0 && !isSpace(query[i-1]):
		case start < 0:
			for _, word := range []string{"SELECT DISTINCT", "SELECT", "RETURNING"} {
				if hasWord(query[i:], word) {
					start = i + len(word)
					break
				}
			}
		case hasWord(query[i:], "FROM"):
			return query[:start], query[start:i], " " + query[i:]
		}
	}
	if start < 0 {
		return query, "", ""
	}
	return query[:start], query[start:], ""
}

func hasWord(text, word string) bool {
	return strings.HasPrefix(text, word) && (len(text) == len(word) || isSpace(text[len(word)]))
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

// splitList splits a list at the commas that are not in parentheses.
func splitList(list string) (items []string) {
	depth, start := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				items, start = append(items, list[start:i]), i+1
			}
		}
	}
	return append(items, list[start:])
}
