package dataimport

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"

	"punchcard/platform/form"
)

// Layout is how a file is read: docs/behaviour/imports.md#layout. What is empty is guessed from the beginning of the
// file.
type Layout struct {
	Encoding  string `json:"encoding,omitempty"`  // of the file as it was sent
	Separator string `json:"separator,omitempty"` // of cells, by its name
	Decimal   string `json:"decimal,omitempty"`   // before the fraction of numbers
	Dates     string `json:"dates,omitempty"`     // order of day, month and year
	// Columns are the fields of the columns, empty for one that is left out; nil to find them by the names.
	Columns []string `json:"columns,omitempty"`

	given string // hash of the names of the columns, if the request named their fields
	money int    // digits of the store's currency, for guessing
}

// Separators lists the names of what separates cells.
var Separators = []string{"comma", "semicolon", "tab", "bar"}

var separators = map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t', "bar": '|'}

// readOptions reads how a file is read, and what happens to existing objects.
func (k *Kind) readOptions(q *form.Group) Options {
	o := Options{Layout: k.readLayout(q)}
	if len(k.Keys) > 0 {
		o.Existing, o.Key = q.Choice("existing", []string{"refuse", Update}), q.Choice("key", k.Keys)
		o.Replace = q.Texts("replace", form.Matches(form.UnknownChoice, func(name string) bool {
			return name == "" || slices.Contains(k.Guarded, name)
		}))
	}
	return o
}

// readLayout reads the layout of a request. A column that is left out is a hyphen, because blank entries of lists are
// skipped.
func (k *Kind) readLayout(q *form.Group) Layout {
	l := Layout{
		Encoding: q.Choice("encoding", Encodings), Separator: q.Choice("separator", Separators),
		Decimal: q.Choice("decimal", Decimals), Dates: q.Choice("dates", DateOrders),
	}
	names := []string{leftOut}
	for _, column := range k.New().Columns() {
		names = append(names, column.Name)
	}
	for _, field := range q.Texts("columns", form.Matches(form.UnknownChoice, func(name string) bool {
		return slices.Contains(names, name)
	})) {
		if field == leftOut {
			field = ""
		} else if slices.Contains(l.Columns, field) {
			q.AddError("columns", errTwice.With(field))
		}
		l.Columns = append(l.Columns, field)
	}
	if whole, part, found := k.overlap(l.Columns); found {
		q.AddError("columns", errOverlap.With(whole, part))
	}
	return l
}

// leftOut stands for a column that is left out.
const leftOut = "-"

// outline is the beginning of a CSV file.
type outline struct {
	Layout
	before    int                           // lines before the one with the names of the columns
	header    []string                      // names of the columns
	rows      [][]string                    // cells of the first lines
	ambiguous struct{ dates, numbers bool } // they can be read in two ways
}

// outlineOf reads the beginning of a CSV file, and completes its layout. A column whose field is not known has an empty
// one.
func (k *Kind) outlineOf(beginning []byte, whole bool, l Layout) (*outline, error) {
	o := &outline{Layout: l}
	if separator, rest, found := cutSeparatorLine(beginning); found {
		beginning, o.before = rest, 1
		if o.Separator == "" {
			o.Separator = separator
		}
	}
	titles := k.titleLines(beginning, l.Separator)
	for range titles {
		_, beginning, _ = bytes.Cut(beginning, []byte("\n"))
	}
	o.before += titles
	if o.Separator == "" {
		o.Separator = guessSeparator(beginning)
	}
	lines := newLines(bytes.NewReader(beginning), o.Separator)
	for {
		cells, err := lines.read()
		if err != nil {
			if o.header == nil {
				return nil, errFile
			}
			if !whole && err == io.EOF && len(o.rows) > 0 { // the last line may be cut
				o.rows = o.rows[:len(o.rows)-1]
			}
			break
		}
		if o.header == nil {
			o.header = cells
		} else {
			o.rows = append(o.rows, cells)
		}
	}
	if o.Columns == nil {
		o.Columns = k.fieldsOf(o.header)
	}
	switch {
	case len(o.Columns) != len(o.header):
		return nil, errColumns.With(len(o.header))
	case len(o.header) == 1 && o.Columns[0] == "": // not a table
		return nil, errFile
	}
	o.guessValues(k)
	return o, nil
}

// titlesAtMost is how many lines may stand above the names of the columns.
const titlesAtMost = 10

// titleLines returns how many lines stand above the names of the columns, such as a title and a date: those before the
// first line with the names of two fields or more.
func (k *Kind) titleLines(beginning []byte, separator string) int {
	for n := range titlesAtMost {
		if len(beginning) == 0 {
			return 0
		}
		line, rest, _ := bytes.Cut(beginning, []byte("\n"))
		names, err := newLines(bytes.NewReader(line), cmp.Or(separator, guessSeparator(line))).read()
		if err == nil && len(slices.DeleteFunc(k.fieldsOf(names), func(field string) bool { return field == "" })) > 1 {
			return n
		}
		beginning = rest
	}
	return 0
}

// cutSeparatorLine removes a first line such as sep=; that names the separator for spreadsheets.
func cutSeparatorLine(beginning []byte) (separator string, rest []byte, found bool) {
	line, rest, _ := bytes.Cut(beginning, []byte("\n"))
	name, value, found := strings.Cut(strings.Trim(strings.TrimRight(string(line), "\r"), `"`), "=")
	if !found || !strings.EqualFold(name, "sep") {
		return "", nil, false
	}
	for name, separator := range separators {
		if value == string(separator) {
			return name, rest, true
		}
	}
	return "", nil, false
}

// guessSeparator returns the separator that is most frequent in the first line, outside of quotes.
func guessSeparator(beginning []byte) string {
	line, _, _ := bytes.Cut(beginning, []byte("\n"))
	counts, quoted := map[rune]int{}, false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			counts[rune(c)]++
		}
	}
	best := Separators[0]
	for _, s := range Separators[1:] {
		if counts[separators[s]] > counts[separators[best]] {
			best = s
		}
	}
	return best
}

// guessValues completes the layout of dates and numbers from the first lines, as far as these tell.
func (o *outline) guessValues(k *Kind) {
	var dates []string
	var numbers []quantity
	columns := k.columns()
	for _, cells := range o.rows {
		for i, cell := range cells {
			if i >= len(o.Columns) {
				break
			}
			switch column := columns[o.Columns[i]]; column.Type {
			case Date, DateTime:
				dates = append(dates, cell)
			case Number:
				numbers = append(numbers, quantity{cell, o.digits(column.Unit)})
			}
		}
	}
	if o.Dates == "" {
		o.Dates, o.ambiguous.dates = guessDates(dates)
	}
	if o.Decimal == "" {
		o.Decimal, o.ambiguous.numbers = guessDecimal(numbers, o.Separator, dates)
	}
}

// digits returns how many digits the fraction of a number has at most, or -1 if it can have any.
func (l *Layout) digits(u Unit) int {
	switch u {
	case Points:
		return pointsDigits
	case Money:
		return l.money
	}
	return -1
}

// columns returns the columns of the kind by their names.
func (k *Kind) columns() map[string]Column {
	columns := map[string]Column{}
	for _, column := range k.New().Columns() {
		columns[column.Name] = column
	}
	return columns
}
