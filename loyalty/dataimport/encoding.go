package dataimport

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// The encodings of files.
const (
	encodingUTF8    = "utf-8"
	encodingUTF16LE = "utf-16le"
	encodingUTF16BE = "utf-16be"
	encoding1250    = "windows-1250" // Central Europe
	encoding1252    = "windows-1252" // Western Europe
	encodingMac     = "macintosh"    // Mac OS Roman
)

// Encodings lists the encodings of files.
var Encodings = []string{encodingUTF8, encodingUTF16LE, encodingUTF16BE, encoding1250, encoding1252, encodingMac}

var decoders = map[string]encoding.Encoding{
	encodingUTF16LE: unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	encodingUTF16BE: unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	encoding1250:    charmap.Windows1250,
	encoding1252:    charmap.Windows1252,
	encodingMac:     charmap.Macintosh,
}

// sampleBytes is the part of a file from which its encoding and layout are guessed.
const sampleBytes = 64 << 10

// isWorkbook reports whether a file is one of a spreadsheet: a ZIP archive, or the binary format before it.
func isWorkbook(sample []byte) bool {
	return bytes.HasPrefix(sample, []byte("PK\x03\x04")) || bytes.HasPrefix(sample, []byte("\xd0\xcf\x11\xe0"))
}

// toUTF8 returns a file as UTF-8 without a byte order mark, and the encoding that it had. Lines that end with \r alone
// end with \n. An empty encoding is guessed. A workbook is an error.
func toUTF8(file io.Reader, named string) (text io.Reader, encoding string, err error) {
	raw := bufio.NewReaderSize(file, sampleBytes)
	sample, _ := raw.Peek(sampleBytes)
	if isWorkbook(sample) {
		return nil, "", errWorkbook
	}
	if named == "" {
		named = guessEncoding(sample)
	}
	text = raw
	if from := declared(sample); from != nil {
		text = transform.NewReader(raw, from.NewDecoder())
	} else if from := decoders[named]; from != nil {
		text = transform.NewReader(raw, from.NewDecoder())
	} else if !isXML(sample) && isASCII(bytes.TrimPrefix(sample, utf8Mark)) {
		text = transform.NewReader(raw, orWindows{})
	}
	decoded := bufio.NewReaderSize(text, sampleBytes)
	sample, _ = decoded.Peek(sampleBytes)
	if bytes.HasPrefix(sample, utf8Mark) {
		_, _ = decoded.Discard(len(utf8Mark)) // they were read already
	}
	if bytes.IndexByte(sample, '\r') >= 0 && bytes.IndexByte(sample, '\n') < 0 {
		return transform.NewReader(decoded, lineFeeds{}), named, nil
	}
	return decoded, named, nil
}

// utf8Mark is the byte order mark that some programs write at the beginning of a file.
var utf8Mark = []byte("\xef\xbb\xbf")

// declaration matches the encoding in the first line of an XML file.
var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)["']`)

// declared returns the encoding that an XML file declares, nil for UTF-8 and none.
func declared(sample []byte) encoding.Encoding {
	m := declaration.FindSubmatch(sample)
	if m == nil {
		return nil
	}
	found, err := htmlindex.Get(string(m[1]))
	if err != nil || found == unicode.UTF8 {
		return nil
	}
	return found
}

// guessEncoding returns the encoding of a file that begins with the sample.
func guessEncoding(sample []byte) string {
	switch {
	case bytes.HasPrefix(sample, utf8Mark):
		return encodingUTF8
	case bytes.HasPrefix(sample, []byte("\xff\xfe")):
		return encodingUTF16LE
	case bytes.HasPrefix(sample, []byte("\xfe\xff")):
		return encodingUTF16BE
	}
	var zeros [2]int // at even and odd positions
	for i, c := range sample {
		if c == 0 {
			zeros[i%2]++
		}
	}
	// Most characters of a table are ASCII, of which UTF-16 has a zero beside each.
	if quarter := len(sample) / 4; quarter > 0 && zeros[1] > quarter {
		return encodingUTF16LE
	} else if quarter > 0 && zeros[0] > quarter {
		return encodingUTF16BE
	}
	valid, invalid := 0, 0
	for rest := sample; len(rest) > 0; {
		letter, size := utf8.DecodeRune(rest)
		switch {
		case letter == utf8.RuneError && size == 1 && utf8.FullRune(rest):
			invalid++
		case size > 1:
			valid++
		}
		rest = rest[size:]
	}
	if valid >= invalid || isXML(sample) {
		return encodingUTF8
	}
	return codePageOf(sample)
}

// codePageOf returns the code page of a file that is not UTF-8. Spreadsheets write the one of old Macintosh computers
// with their line ends. The letters of Central Europe are signs in the code page
// of Western Europe, where they do not stand beside letters.
func codePageOf(sample []byte) string {
	if bytes.IndexByte(sample, '\r') >= 0 && bytes.IndexByte(sample, '\n') < 0 {
		return encodingMac
	}
	isLetter := func(i int) bool {
		return i >= 0 && i < len(sample) && (sample[i]|' ' >= 'a' && sample[i]|' ' <= 'z')
	}
	for i, c := range sample {
		const letters = "\xa5\xb9\xb3\xa3\x9f\x8f\xbf\xaf\x9d\x8d"
		if strings.IndexByte(letters, c) >= 0 && (isLetter(i-1) || isLetter(i+1)) {
			return encoding1250
		}
	}
	return encoding1252
}

// isXML reports whether a file is XML, which is UTF-8 unless it declares another encoding.
func isXML(sample []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(sample, utf8Mark), " \t\r\n"), []byte("<"))
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// orWindows passes on UTF-8, and reads bytes that are none as windows-1252. It is for a file whose sample has ASCII
// characters only.
type orWindows struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (orWindows) Transform(to, from []byte, atEOF bool) (written, read int, err error) {
	for read < len(from) {
		if !atEOF && !utf8.FullRune(from[read:]) {
			return written, read, transform.ErrShortSrc
		}
		letter, size := utf8.DecodeRune(from[read:])
		if letter == utf8.RuneError && size == 1 {
			letter = charmap.Windows1252.DecodeByte(from[read])
		}
		if written+utf8.RuneLen(letter) > len(to) {
			return written, read, transform.ErrShortDst
		}
		written += utf8.EncodeRune(to[written:], letter)
		read += size
	}
	return written, read, nil
}

// lineFeeds replaces each \r by \n.
type lineFeeds struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (lineFeeds) Transform(to, from []byte, _ bool) (written, read int, err error) {
	n := copy(to, from)
	for i, c := range to[:n] {
		if c == '\r' {
			to[i] = '\n'
		}
	}
	if n < len(from) {
		err = transform.ErrShortDst
	}
	return n, n, err
}
