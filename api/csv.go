package api

import (
	"bufio"
	"regexp"
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
	if !strings.ContainsAny(cell, ",;\"\r\n\t ") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// formulaSigns begin formulas, also in their full width.
const formulaSigns = "=+-@＝＋－＠"

// formula matches what a spreadsheet may take for a formula: at the beginning of a cell, and after each character that
// some spreadsheet separates cells or lines by, because these ignore quotes that do not begin a cell of theirs.
var formula = regexp.MustCompile(`(^|[,;\t\r\n])([ "]*)([=+\-@＝＋－＠])`)

// signedNumber matches numbers and phones with a sign.
var signedNumber = regexp.MustCompile(`^[+-][0-9. ]*$`)

// harmless puts an apostrophe before everything that a spreadsheet would take for a formula. Numbers and phones with a
// sign stay unchanged.
func harmless(cell string) string {
	if cell != "" && (cell[0] == '\t' || cell[0] == '\r') {
		cell = "'" + cell
	}
	if !strings.ContainsAny(cell, formulaSigns) || signedNumber.MatchString(cell) {
		return cell
	}
	return formula.ReplaceAllString(cell, "$1$2'$3")
}
