package api

import (
	"bufio"
	"strings"
)

// CSV is a table that is sent as it is made, however long it gets.
type CSV struct{ to *bufio.Writer }

// CSV begins an answer that clients save as a file, named with the present moment.
func (c *Call) CSV(name string) *CSV {
	header := c.ResponseHeader()
	header.Set("Content-Type", "text/csv; charset=UTF-8")
	header.Set("Content-Disposition",
		`attachment; filename="`+name+"_"+c.Now().Format("20060102150405")+`.csv"`)
	return &CSV{bufio.NewWriterSize(c.Stream(), 16<<10)}
}

// Row writes one line: every field in double quotes, quotes inside doubled.
func (t *CSV) Row(cells ...string) error {
	for i, cell := range cells {
		if i > 0 {
			_ = t.to.WriteByte(',') // the writer keeps its first error
		}
		_, _ = t.to.WriteString(quoted(harmless(cell)))
	}
	return t.to.WriteByte('\n')
}

// Close sends what is left.
func (t *CSV) Close() error { return t.to.Flush() }

func quoted(cell string) string {
	if !strings.ContainsAny(cell, ",\"\r\n\t ") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// harmless keeps a spreadsheet from reading a cell as a formula. Numbers and phones, which may begin with a sign,
// stay as they are.
func harmless(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if (cell[0] == '+' || cell[0] == '-') && strings.Trim(cell[1:], "0123456789. ") == "" {
		return cell
	}
	return "'" + cell
}
