package dataimport

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"

	"punchcard/platform/fault"
)

// The formats of files.
const (
	formatXML = "xml"
	formatCSV = "csv"
)

// decoder reads the records of a file in order.
type decoder interface {
	// next returns the next record with its line, and io.EOF at the end. The error of an invalid file is a *fault.Error;
	// others are those of reading the file.
	next() (Record, int64, error)
}

// open returns the decoder of a file in UTF-8, whose first character tells its format, and its complete layout.
func (k *Kind) open(file io.Reader, l Layout) (d decoder, format string, complete Layout, err error) {
	part := &allowance{from: file}
	part.restart()
	buffered := bufio.NewReaderSize(part, sampleBytes)
	first, err := firstCharacter(buffered)
	switch {
	case err == io.EOF:
		return nil, "", l, errFile
	case err != nil:
		return nil, "", l, err
	case first == '<':
		tokens := xml.NewDecoder(buffered)
		tokens.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil } // it is UTF-8 by now
		return &xmlDecoder{kind: k, tokens: tokens, part: part}, formatXML, l, nil
	}
	table, err := newCSVDecoder(k, buffered, part, l)
	if err != nil {
		return nil, "", l, err
	}
	return table, formatCSV, table.layout, nil
}

// firstCharacter returns the first character that is not white space, and leaves it in the buffer.
func firstCharacter(file *bufio.Reader) (byte, error) {
	for {
		c, err := file.ReadByte()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return c, file.UnreadByte()
	}
}

// allowance reads a file, and fails when a record is larger than RecordBytes. Otherwise a file of one record, such as
// an open quote, would be read into memory as a whole.
type allowance struct {
	from io.Reader
	left int
	err  error // of reading the file
}

var errAllowance = errors.New("the record is too large")

func (a *allowance) restart() { a.left = RecordBytes }

func (a *allowance) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, errAllowance
	}
	n, err := a.from.Read(p)
	if a.left -= n; err != nil && err != io.EOF {
		a.err = err
	}
	return n, err
}

// refusal returns the error of a decoder: that of reading the file if there was one, otherwise that of the file.
func (a *allowance) refusal(err error, line int64, invalid *fault.Error) error {
	switch {
	case a.err != nil:
		return a.err
	case errors.Is(err, errAllowance):
		return errLarge.With(line)
	}
	return invalid
}

// xmlDecoder reads the elements in the root element of an XML file, whatever their name. A file that defines entities
// and uses them is refused.
type xmlDecoder struct {
	kind   *Kind
	tokens *xml.Decoder
	part   *allowance
	inRoot bool
}

func (d *xmlDecoder) next() (Record, int64, error) {
	d.part.restart()
	for {
		token, err := d.tokens.Token()
		if err != nil {
			return nil, 0, d.part.refusal(err, d.line(), errFile)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch {
			case !d.inRoot && token.Name.Local != d.kind.Root:
				return nil, 0, errFile
			case !d.inRoot:
				d.inRoot = true
				continue
			}
			line, record := d.line(), d.kind.New()
			if err := d.tokens.DecodeElement(record, &token); err != nil {
				return nil, 0, d.part.refusal(err, line, errFile)
			}
			return record, line, nil
		case xml.EndElement: // of the root; those of records are decoded with them
			return nil, 0, io.EOF
		}
	}
}

func (d *xmlDecoder) line() int64 {
	line, _ := d.tokens.InputPos()
	return int64(line)
}
