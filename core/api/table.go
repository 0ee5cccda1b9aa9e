package api

import (
	"bufio"
	"slices"
	"strings"
	"time"
	"unicode"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// TableColumn is a column of a table that clients save as a file.
type TableColumn struct {
	Name     string // in the parameter columns
	Title    string // in the first row
	Number   bool   // a number in a spreadsheet, where other cells are text
	Extra    bool   // only in tables whose request names it
	Resource string // the caller needs VIEW on it to get the column; empty for the right to the table alone
}

// Titled returns columns with titles, and names such as createdAt for Created at. A # at the end of a title marks a
// column of numbers.
func Titled(titles ...string) []TableColumn {
	columns := make([]TableColumn, len(titles))
	for i, title := range titles {
		title, number := strings.CutSuffix(title, "#")
		columns[i] = TableColumn{Name: nameOf(title), Title: title, Number: number}
	}
	return columns
}

func nameOf(title string) string {
	var name strings.Builder
	for i, word := range strings.FieldsFunc(title, func(c rune) bool { return !unicode.IsLetter(c) }) {
		if word = strings.ToLower(word); i > 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		name.WriteString(word)
	}
	return name.String()
}

// The formats of tables.
const (
	formatCSV  = "csv"
	formatXLSX = "xlsx"
)

var tableSeparators = map[string]byte{"comma": ',', "semicolon": ';', "tab": '\t'}

// tableOptions are how a client wants a table.
type tableOptions struct {
	format, separator string
	decimal           string // before the fraction of numbers in CSV
	mark              bool   // CSV begins with a byte order mark
	columns           []string
}

// readTableOptions reads how a client wants a table with the columns: docs/behaviour/requests.md#csv.
func readTableOptions(q *form.Group, columns []TableColumn) tableOptions {
	return tableOptions{
		format:    q.Choice("format", []string{formatCSV, formatXLSX}),
		separator: q.Choice("separator", []string{"comma", "semicolon", "tab"}),
		decimal:   q.Choice("decimal", []string{".", ","}),
		mark:      q.Checkbox("bom"),
		columns: q.Texts("columns", form.Matches(form.UnknownChoice, func(name string) bool {
			return name == "" || slices.ContainsFunc(columns, func(c TableColumn) bool { return c.Name == name })
		})),
	}
}

// TableQuery describes the query of a table with the columns, after its filters.
func TableQuery(columns []TableColumn, filters ...func(*form.Group)) func(*form.Group) {
	return func(q *form.Group) {
		for _, filter := range filters {
			filter(q)
		}
		readTableOptions(q, columns)
	}
}

// Tables is the Response of endpoints that send a table.
const Tables = Media(mediaCSV + ", " + mediaXLSX)

const (
	mediaCSV  = "text/csv"
	mediaXLSX = spreadsheetML + "sheet"

	spreadsheetML = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// Table is rows that a client saves as a file, of any length.
type Table struct {
	columns []TableColumn
	shown   []int // indices of the columns, in the order of the file
	to      rowWriter
}

type rowWriter interface {
	row(columns []TableColumn, cells []string) error
	close() error
}

// Table begins a response that clients save as a file. Its name contains the present moment. The first row has the
// titles.
func (c *Call) Table(name string, columns []TableColumn) (*Table, error) {
	query, err := c.Query()
	if err != nil {
		return nil, err
	}
	q := form.Read(query)
	wanted := readTableOptions(q, columns)
	if err := q.Err(); err != nil {
		return nil, err
	}
	t := &Table{columns: columns}
	for _, name := range wanted.columns {
		at := slices.IndexFunc(columns, func(c TableColumn) bool { return c.Name == name })
		if resource := columns[at].Resource; resource != "" && !c.Caller.Allowed(resource, access.View) {
			return nil, access.LacksPermission(resource, access.View)
		}
		t.shown = append(t.shown, at)
	}
	for i := range columns {
		if len(wanted.columns) == 0 && !columns[i].Extra {
			t.shown = append(t.shown, i)
		}
	}
	header := c.ResponseHeader()
	file := name + "_" + c.Now().Format("20060102150405")
	if wanted.format == formatXLSX {
		header.Set("Content-Type", mediaXLSX)
		header.Set("Content-Disposition", `attachment; filename="`+file+`.xlsx"`)
		t.to = newSheet(c.Stream())
	} else {
		header.Set("Content-Type", mediaCSV+"; charset=UTF-8")
		header.Set("Content-Disposition", `attachment; filename="`+file+`.csv"`)
		t.to = newCSV(bufio.NewWriterSize(c.Stream(), 16<<10), wanted)
	}
	titles := make([]string, len(columns))
	for i := range columns {
		titles[i] = columns[i].Title
	}
	return t, t.write(titles, nil)
}

// Wants reports whether the table has one of the columns.
func (t *Table) Wants(names ...string) bool {
	return slices.ContainsFunc(t.shown, func(i int) bool { return slices.Contains(names, t.columns[i].Name) })
}

// Row writes a row with a cell for each column, also for those that are not shown.
func (t *Table) Row(cells ...string) error { return t.write(cells, t.columns) }

func (t *Table) write(cells []string, columns []TableColumn) error {
	shown, of := make([]string, len(t.shown)), make([]TableColumn, len(t.shown))
	for i, at := range t.shown {
		shown[i] = cells[at]
		if columns != nil {
			of[i] = columns[at]
		}
	}
	return t.to.row(of, shown)
}

// Export returns an operation that sends rows, which read returns with the name of the file, as a table.
func Export[In any](columns []TableColumn, input Input[In],
	read func(c *Call, in In) (name string, rows [][]string, err error)) Operation {
	handle := func(c *Call) error {
		in, _, err := input.valid(c)
		if err != nil {
			return err
		}
		name, rows, err := read(c, in)
		if err != nil {
			return err
		}
		table, err := c.Table(name, columns)
		for i := 0; i < len(rows) && err == nil; i++ {
			err = table.Row(rows[i]...)
		}
		if err != nil {
			return err
		}
		return table.Close()
	}
	return Operation{handle: handle, query: TableQuery(columns, input.query), response: Tables}
}

// Pages returns the rows of the next page of a table; none after the last.
type Pages func(tx *db.Tx) ([][]string, error)

// ExportPages is Export for a table of any length, which is sent page by page. An error of a later page breaks off the
// response.
func ExportPages(name string, columns []TableColumn, begin func(c *Call) (Pages, error),
	filters ...func(q *form.Group)) Operation {
	handle := func(c *Call) error {
		next, err := begin(c)
		if err != nil {
			return err
		}
		var rows [][]string
		read := func(tx *db.Tx) (err error) {
			rows, err = next(tx)
			return err
		}
		if err := c.Read(read); err != nil {
			return err
		}
		table, err := c.Table(name, columns)
		for err == nil && len(rows) > 0 {
			for _, row := range rows {
				if err := table.Row(row...); err != nil {
					return err
				}
			}
			err = c.Read(read)
		}
		if err != nil {
			return err
		}
		return table.Close()
	}
	return Operation{handle: handle, query: TableQuery(columns, filters...), response: Tables}
}

// CellTime formats a time in the zone of a store for a table, and the zero time as an empty cell.
func CellTime(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateTime)
}

// Close sends the rest.
func (t *Table) Close() error { return t.to.close() }
