package api

import (
	"bufio"
	"regexp"
	"strings"
)

// csvWriter writes CSV while it is sent.
type csvWriter struct {
	to        *bufio.Writer
	separator byte
	decimal   string // before the fraction of numbers
}

func newCSV(to *bufio.Writer, o tableOptions) *csvWriter {
	if o.mark {
		_, _ = to.WriteString("\ufeff") // the writer returns its first error later
	}
	w := &csvWriter{to: to, separator: ',', decimal: o.decimal}
	if separator := tableSeparators[o.separator]; separator != 0 {
		w.separator = separator
	}
	if w.decimal == "" && w.separator == ';' {
		w.decimal = "," // spreadsheets that separate cells by semicolons take 12.5 for a date
	}
	return w
}

// row writes a line. Cells that need it are quoted.
func (w *csvWriter) row(columns []TableColumn, cells []string) error {
	for i, cell := range cells {
		if i > 0 {
			_ = w.to.WriteByte(w.separator) // the writer returns its first error later
		}
		if cell = harmless(cell); w.decimal == "," && i < len(columns) && columns[i].Number {
			cell = strings.Replace(cell, ".", ",", 1)
		}
		_, _ = w.to.WriteString(quoted(cell))
	}
	return w.to.WriteByte('\n')
}

func (w *csvWriter) close() error { return w.to.Flush() }

func quoted(cell string) string {
	if !strings.ContainsAny(cell, ",;\"\r\n\t ") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}

// formulaSigns begin formulas, also in their full width.
const formulaSigns = "=+-@＝＋－＠"

// formula matches what a spreadsheet may take for a formula, with the apostrophes before it: at the beginning of a
// cell, and after each character that some spreadsheet separates cells or lines by, because these ignore quotes that do
// not begin a cell of theirs.
var formula = regexp.MustCompile(`(^|[,;\t\r\n])([ "]*)('*)([=+\-@＝＋－＠])`)

// indented matches a cell that begins with white space that some spreadsheets skip.
var indented = regexp.MustCompile(`^('*)([\t\r])`)

// signedNumber matches numbers and phones with a sign.
var signedNumber = regexp.MustCompile(`^[+-][0-9. ]*$`)

// harmless puts an apostrophe before everything that a spreadsheet would take for a formula. Numbers and phones with a
// sign stay unchanged.
func harmless(cell string) string {
	if !strings.ContainsAny(cell, formulaSigns+"\t\r") || signedNumber.MatchString(cell) {
		return cell
	}
	return formula.ReplaceAllString(indented.ReplaceAllString(cell, "'$1$2"), "$1$2'$3$4")
}

// FromCSV returns the text of a cell of our own CSV files: without the apostrophes before what a spreadsheet would take
// for a formula.
func FromCSV(cell string) string {
	if !strings.Contains(cell, "'") {
		return cell
	}
	unguarded := func(at *regexp.Regexp, text string) string {
		return at.ReplaceAllStringFunc(text, func(found string) string { return strings.Replace(found, "'", "", 1) })
	}
	return unguarded(indented, unguarded(formula, cell))
}
