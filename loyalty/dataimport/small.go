package dataimport

import (
	"bytes"
	"errors"
	"io"

	"punchcard/api"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// readRecords are the records of a small file.
type readRecords struct {
	all    []Record
	lines  []int64
	format string
	layout Layout
	text   []byte // of the file, in UTF-8
}

func (r *readRecords) next() (Record, int64, error) {
	if len(r.all) == 0 {
		return nil, 0, io.EOF
	}
	record, line := r.all[0], r.lines[0]
	r.all, r.lines = r.all[1:], r.lines[1:]
	return record, line, nil
}

// readFile reads a small file of the form. An invalid file is an error of the field. It stops at the first record
// beyond RecordLimit, because small elements take much more memory than the file.
func readFile(c *api.Call, k *Kind, l Layout) (*form.File, *readRecords, error) {
	body, err := c.Body()
	if err != nil {
		return nil, nil, err
	}
	g := form.Read(body, "file")
	file := importedFile(g)
	if err := g.Err(); err != nil {
		return nil, nil, err
	}
	records, err := k.readAll(file.Bytes, l)
	if refused, is := errors.AsType[*fault.Error](err); is {
		g.AddError("file", refused)
		err = g.Err()
	}
	return file, records, err
}

// Read reads the records of a small file, at most one more than RecordLimit.
func (k *Kind) Read(file []byte) ([]Record, error) {
	read, err := k.readAll(file, Layout{})
	if err != nil {
		return nil, err
	}
	return read.all, nil
}

func (k *Kind) readAll(file []byte, l Layout) (*readRecords, error) {
	decoded, encoding := toUTF8(bytes.NewReader(file), l.Encoding)
	text, err := io.ReadAll(decoded)
	if err != nil {
		return nil, errFile // a broken UTF-16 file
	}
	l.Encoding = encoding
	d, format, l, err := k.open(bytes.NewReader(text), l)
	if err != nil {
		return nil, err
	}
	read := &readRecords{format: format, layout: l, text: text}
	for len(read.all) <= RecordLimit {
		record, line, err := d.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		read.all, read.lines = append(read.all, record), append(read.lines, line)
	}
	return read, nil
}
