package dataimport

import (
	"bytes"
	"io"

	"punchcard/core/api"
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
	file, err := sentFile(c)
	if err != nil {
		return nil, nil, err
	}
	records, err := k.readAll(file.Bytes, l)
	if err != nil {
		err = fieldError(err)
	}
	return file, records, err
}

// sentFile returns the file of a small body.
func sentFile(c *api.Call) (*form.File, error) {
	body, err := c.Body()
	if err != nil {
		return nil, err
	}
	g := form.Read(body, "file")
	file := importedFile(g)
	return file, g.Err()
}

// textOf returns a file in UTF-8, and its layout with the encoding.
func textOf(file []byte, l Layout) ([]byte, Layout, error) {
	decoded, encoding, err := toUTF8(bytes.NewReader(file), l.Encoding)
	if err != nil {
		return nil, l, err
	}
	l.Encoding = encoding
	text, err := io.ReadAll(decoded)
	if err != nil {
		return nil, l, errFile // a broken UTF-16 file
	}
	return text, l, nil
}

// Read reads the records of a small file, at most one more than RecordLimit.
func (k *Kind) Read(file []byte) ([]Record, error) {
	read, err := k.readAll(file, Layout{money: 2})
	if err != nil {
		return nil, err
	}
	return read.all, nil
}

func (k *Kind) readAll(file []byte, l Layout) (*readRecords, error) {
	text, l, err := textOf(file, l)
	if err != nil {
		return nil, err
	}
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
