package api

import (
	"bufio"
	"strings"
)

// CSV is a table that is sent while it is written, of any length.
type CSV struct{ to *bufio.Writer }

// CSV begins a response that clients save as a file. The file name contains the present moment.
func (c *Call) CSV(name string) *CSV {
	header := c.ResponseHeader()
	header.Set("Content-Type", "text/csv; charset=UTF-8")
	header.Set("Content-Disposition",
		`attachment; filename="`+name+"_"+c.Now().Format("20060102150405")+`.csv"`)
	return &CSV{bufio.NewWriterSize(c.Stream(), 16<<10)}
}

// Row writes a line. Cells that need it are quoted: docs/behaviour/requests.md#csv.
func (t *CSV) Row(cells ...string) error {
	for i, cell := range cells {
		if i > 0 {
			_ = t.to.WriteByte(',') // the writer returns its first error later
		}
		_, _ = t.to.WriteString(quoted(harmless(cell)))
	}
	return t.to.WriteByte('\n')
}

// Close sends the rest.
func (t *CSV) Close() error { return t.to.Flush() }

func quoted(cell string) string {
	if !strings.ContainsAny(cell, ",\"\r\n\t ") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// harmless puts an apostrophe before a cell that a spreadsheet would take for a formula. Numbers and phones with a sign
// stay unchanged.
func harmless(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return cell
	}
	if (cell[0] == '+' || cell[0] == '-') && strings.Trim(cell[1:], "0123456789. ") == "" {
		return cell
	}
	return "'" + cell
}
