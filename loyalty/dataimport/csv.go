package dataimport

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"punchcard/platform/fault"
)

// csvDecoder reads a CSV file whose first line has the names of the columns.
type csvDecoder struct {
	kind    *Kind
	lines   *lines
	part    *allowance
	layout  Layout
	before  int64 // lines before the one with the names
	columns []int // for each cell the index of its column in a record; negative for none

	ahead     Record // the record that the last line began
	aheadLine int64
	last      int64 // line that was read last
}

func newCSVDecoder(k *Kind, file *bufio.Reader, part *allowance, l Layout) (*csvDecoder, error) {
	// The longest header is well below the size of the buffer.
	beginning, _ := file.Peek(file.Size())
	o, err := k.outlineOf(beginning, len(beginning) < file.Size(), l)
	if refused, is := errors.AsType[*fault.Error](err); is {
		return nil, part.refusal(err, 1, refused)
	}
	d := &csvDecoder{kind: k, part: part, layout: o.Layout, before: int64(o.before)}
	if l.Columns != nil {
		d.layout.given = headerHash(o.header)
	}
	for range o.before {
		_, _ = file.ReadSlice('\n') // it was read already
	}
	d.lines = newLines(file, o.Separator)
	d.lines.ReuseRecord = true
	if _, err := d.lines.read(); err != nil {
		return nil, part.refusal(err, 1, errFile)
	}
	return d, d.findColumns(o, l.Columns != nil)
}

// findColumns finds the columns of the record. Without given fields, a column that no field has is an error.
func (d *csvDecoder) findColumns(o *outline, given bool) error {
	if name, found := d.kind.unknown(o.header, o.Columns); found && !given {
		if !printable(name) {
			return errFile
		}
		return errColumn.With(name)
	}
	index := map[string]int{}
	for i, column := range d.kind.New().Columns() {
		index[column.Name] = i
	}
	named := false
	for _, field := range o.Columns {
		i, found := index[field]
		if !found {
			i = -1
		}
		d.columns, named = append(d.columns, i), named || found
	}
	switch {
	case !named:
		return errFile
	case o.ambiguous.dates:
		return errDates
	case o.ambiguous.numbers:
		return errNumbers
	}
	return nil
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
		cells, err := d.lines.read()
		if err == io.EOF {
			return nil, 0, io.EOF
		}
		if malformed, is := errors.AsType[*csv.ParseError](err); is {
			d.last = int64(malformed.Line) + d.before
		}
		if err != nil {
			return nil, 0, d.part.refusal(err, d.last, errLine.With(d.last))
		}
		at, _ := d.lines.FieldPos(0)
		line := int64(at) + d.before
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
				column := columns[d.columns[i]]
				if *column.Text, err = d.layout.value(column.Type, cell); err != nil {
					return nil, 0, err
				}
				empty = false
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
		if !column.Extra {
			names, texts = append(names, column.Name), append(texts, *column.Text)
		}
	}
	_ = to.Write(names) // a buffer takes everything
	_ = to.Write(texts)
	to.Flush()
	return file.Bytes()
}
