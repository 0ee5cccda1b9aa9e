package dataimport

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// csvDecoder reads a CSV file whose first line has the names of the columns.
type csvDecoder struct {
	kind    *Kind
	lines   *csv.Reader
	part    *allowance
	columns []int // for each cell the index of its column in a record; negative for none

	ahead     Record // the record that the last line began
	aheadLine int64
	last      int64 // line that was read last
}

func newCSVDecoder(k *Kind, file *bufio.Reader, part *allowance) (*csvDecoder, error) {
	// The longest header is well below the size of the buffer.
	beginning, _ := file.Peek(file.Size())
	d := &csvDecoder{kind: k, lines: csv.NewReader(file), part: part}
	d.lines.Comma = delimiterOf(beginning)
	d.lines.FieldsPerRecord = -1 // some programs leave out empty cells at the end of a line
	d.lines.ReuseRecord = true
	header, err := d.lines.Read()
	if err != nil {
		return nil, part.refusal(err, 1, errFile)
	}
	return d, d.readHeader(header)
}

// delimiterOf returns the delimiter that is most frequent in the first line, outside of quotes.
func delimiterOf(file []byte) rune {
	line, _, _ := bytes.Cut(file, []byte("\n"))
	counts, quoted := map[byte]int{}, false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			counts[c]++
		}
	}
	best := byte(',')
	for _, c := range []byte{';', '\t'} {
		if counts[c] > counts[best] {
			best = c
		}
	}
	return rune(best)
}

// readHeader finds the columns by name, without regard to case. A column without a name is ignored.
func (d *csvDecoder) readHeader(header []string) error {
	known := map[string]int{}
	for i, column := range d.kind.New().Columns() {
		known[strings.ToLower(column.Name)] = i
	}
	named := false
	for _, name := range header {
		name = strings.TrimSpace(name)
		if name == "" {
			d.columns = append(d.columns, -1)
			continue
		}
		i, found := known[strings.ToLower(name)]
		if !found && !named && len(header) == 1 {
			return errFile // not a table
		}
		if !found {
			if !printable(name) {
				return errFile
			}
			return errColumn.With(name)
		}
		d.columns, named = append(d.columns, i), true
	}
	if !named {
		return errFile
	}
	return nil
}

// printable reports whether a name from a file can stand in a message.
func printable(name string) bool {
	return len(name) <= 100 && utf8.ValidString(name) && !strings.ContainsFunc(name, func(c rune) bool { return c < ' ' })
}

func (d *csvDecoder) next() (Record, int64, error) {
	d.part.restart()
	for {
		record, line, err := d.readLine()
		whole, wholeLine := d.ahead, d.aheadLine
		switch {
		case err == io.EOF && whole != nil:
			d.ahead = nil
			return whole, wholeLine, nil
		case err != nil:
			return nil, 0, err
		}
		joiner, joins := record.(Joiner)
		if !joins {
			return record, line, nil
		}
		if whole != nil && whole.(Joiner).Join(joiner) {
			continue
		}
		if d.ahead, d.aheadLine = record, line; whole != nil {
			return whole, wholeLine, nil
		}
	}
}

// readLine reads the next line that is not empty.
func (d *csvDecoder) readLine() (Record, int64, error) {
	for {
		cells, err := d.lines.Read()
		if err == io.EOF {
			return nil, 0, io.EOF
		}
		if malformed, is := errors.AsType[*csv.ParseError](err); is {
			d.last = int64(malformed.Line)
		}
		if err != nil {
			return nil, 0, d.part.refusal(err, d.last, errLine.With(d.last))
		}
		at, _ := d.lines.FieldPos(0)
		line := int64(at)
		d.last = line
		record := d.kind.New()
		columns, empty := record.Columns(), true
		for i, cell := range cells {
			switch {
			case strings.TrimSpace(cell) == "":
				continue
			case i >= len(d.columns) || strings.IndexByte(cell, 0) >= 0:
				return nil, 0, errLine.With(line)
			case !utf8.ValidString(cell):
				return nil, 0, errUTF8.With(line)
			}
			if d.columns[i] >= 0 {
				*columns[d.columns[i]].Text, empty = cell, false
			}
		}
		if !empty {
			return record, line, nil
		}
	}
}

// template returns a CSV file with the columns of the kind and an example.
func (k *Kind) template() []byte {
	var file bytes.Buffer
	to := csv.NewWriter(&file)
	var names, texts []string
	for _, column := range k.Example().Columns() {
		names, texts = append(names, column.Name), append(texts, *column.Text)
	}
	_ = to.Write(names) // a buffer takes everything
	_ = to.Write(texts)
	to.Flush()
	return file.Bytes()
}
