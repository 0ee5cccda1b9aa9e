package dataimport

import (
	"encoding/csv"
	"io"
	"strings"

	"golang.org/x/text/transform"
)

// lines reads the lines of a table. A quote inside a cell that is not quoted, as in 12" Pizza, is a part of its text.
type lines struct{ *csv.Reader }

func newLines(file io.Reader, separator string) *lines {
	comma := separators[separator]
	reader := csv.NewReader(transform.NewReader(file, &innerQuotes{comma: byte(comma)}))
	reader.Comma = comma
	reader.FieldsPerRecord = -1 // some programs leave out empty cells at the end of a line
	return &lines{reader}
}

func (l *lines) read() ([]string, error) {
	cells, err := l.Read()
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(cell, innerQuote, `"`)
	}
	return cells, err
}

// innerQuote stands for a quote inside a cell that is not quoted. It is no character, and for use inside of programs.
const innerQuote = "\ufdd0"

// innerQuotes replaces quotes inside of cells that are not quoted. encoding/csv would refuse the line, or with
// LazyQuotes take what follows an open quote for one cell, without an error.
type innerQuotes struct {
	comma byte
	place cellPlace
}

// cellPlace is where in a cell a transformer is.
type cellPlace int

const (
	atBegin   cellPlace = iota
	afterLead           // spaces at the beginning
	inPlain
	inQuoted
	afterQuote // in a quoted cell: its end, or the first one of two quotes
)

// Reset implements transform.Transformer.
func (q *innerQuotes) Reset() { q.place = atBegin }

// Transform implements transform.Transformer.
func (q *innerQuotes) Transform(to, from []byte, _ bool) (written, read int, err error) {
	for ; read < len(from); read++ {
		c := from[read]
		if c == '"' && q.place == inPlain {
			if written+len(innerQuote) > len(to) {
				return written, read, transform.ErrShortDst
			}
			written += copy(to[written:], innerQuote)
			continue
		}
		if written == len(to) {
			return written, read, transform.ErrShortDst
		}
		to[written] = c
		written++
		q.place = q.after(c)
	}
	return written, read, nil
}

func (q *innerQuotes) after(c byte) cellPlace {
	switch {
	case q.place == inQuoted && c == '"':
		return afterQuote
	case q.place == inQuoted, q.place == afterQuote && c == '"':
		return inQuoted
	case c == q.comma || c == '\n':
		return atBegin
	case q.place == afterQuote && c == '\r':
		return afterQuote
	case q.place == atBegin && c == '"':
		return inQuoted
	case (q.place == atBegin || q.place == afterLead) && c == ' ':
		return afterLead
	}
	return inPlain
}
