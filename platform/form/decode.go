package form

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"
	"unicode/utf8"

	"punchcard/platform/fault"
)

// The limits of a submitted form, all checked while it is read.
const (
	MaxBodyBytes = 10 << 20 // bytes of a body, files included
	MaxFields    = 250_000  // values in a tree, groups included; a campaign may bring 100,000 coupon codes
	MaxDepth     = 16       // names from the root to a value
	MaxNameBytes = 1024     // bytes of one name, with its brackets
)

// The errors of a body that is not a form.
var (
	ErrMalformed        = fault.New(fault.Invalid, "malformed_request", "")
	ErrTooLarge         = fault.New(fault.TooLarge, "body_too_large", "")
	ErrUnsupportedMedia = fault.New(fault.UnsupportedMedia, "unsupported_media_type", "")
)

// errMultipart replaces the errors of package multipart, which contain what was sent.
var errMultipart = invalid("form: malformed multipart")

// invalid returns ErrMalformed with the reason, which is only logged.
func invalid(reason string) error { return ErrMalformed.WithCause(errors.New(reason)) }

// Decode reads a body in one of three equivalent encodings: urlencoded pairs with bracket names, multipart with the
// same names, or JSON with the same nesting. An empty body of any type is an empty tree. A body
// without a type is read as pairs, unless it looks like JSON. Every error is a
// *fault.Error.
func Decode(contentType string, body io.Reader) (*Node, error) {
	data, err := readBody(body)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return newBuilder().root, nil
	}
	media, parameters, _ := mime.ParseMediaType(contentType)
	if contentType == "" && data[0] != '{' {
		media = "application/x-www-form-urlencoded"
	}
	switch media {
	case "application/x-www-form-urlencoded":
		return ParseQuery(string(data))
	case "multipart/form-data":
		return decodeParts(data, parameters["boundary"])
	case "application/json":
		return decodeJSON(data)
	}
	return nil, ErrUnsupportedMedia
}

// readBody reads the body up to the limit, whatever its announced length.
func readBody(body io.Reader) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(body, MaxBodyBytes+1))
	if err != nil {
		if known, ok := errors.AsType[*fault.Error](err); ok {
			return nil, known
		}
		return nil, ErrMalformed.WithCause(err)
	}
	if len(data) > MaxBodyBytes {
		return nil, ErrTooLarge
	}
	return data, nil
}

// ParseQuery parses the pairs of a query string by the rules of bodies.
func ParseQuery(raw string) (*Node, error) { return parsePairs(raw, unescape) }

// ParseFilters parses a query like ParseQuery, but decodes a value again that still has escapes, because some clients
// encode filters twice.
func ParseFilters(raw string) (*Node, error) {
	return parsePairs(raw, func(escaped string) (string, error) {
		text, err := unescape(escaped)
		return unescapedAgain(text), err
	})
}

// unescapedAgain returns the text itself if it has no escapes, or if decoding them makes no valid text. A plus stays.
func unescapedAgain(text string) string {
	again, err := url.PathUnescape(text)
	if err != nil || checkText(again) != nil {
		return text
	}
	return again
}

func parsePairs(raw string, value func(escaped string) (string, error)) (*Node, error) {
	b := newBuilder()
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		if pair == "" {
			continue
		}
		name, text, _ := strings.Cut(pair, "=")
		name, err := unescape(name)
		if err != nil {
			return nil, err
		}
		text, err = value(text)
		if err != nil {
			return nil, err
		}
		if err := b.set(name, b.text(text)); err != nil {
			return nil, err
		}
	}
	return b.finish(), nil
}

func unescape(escaped string) (string, error) {
	text, err := url.QueryUnescape(escaped)
	if err != nil {
		return "", ErrMalformed.WithCause(err)
	}
	return text, checkText(text)
}

// checkText refuses text that databases do not store.
func checkText(text string) error {
	if strings.IndexByte(text, 0) >= 0 {
		return invalid("form: NUL byte")
	}
	if !utf8.ValidString(text) {
		return invalid("form: not UTF-8")
	}
	return nil
}

func decodeParts(data []byte, boundary string) (*Node, error) {
	if boundary == "" {
		return nil, invalid("form: multipart without boundary")
	}
	b := newBuilder()
	parts := multipart.NewReader(bytes.NewReader(data), boundary)
	var content bytes.Buffer
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return b.finish(), nil
		}
		if err != nil {
			return nil, errMultipart
		}
		content.Reset()
		if _, err := content.ReadFrom(part); err != nil {
			return nil, errMultipart
		}
		name := part.FormName()
		if err := checkText(name); err != nil {
			return nil, err
		}
		value, err := b.part(part.FileName(), content.Bytes())
		if err != nil {
			return nil, err
		}
		if err := b.set(name, value); err != nil {
			return nil, err
		}
	}
}

// part returns a file for a part with a file name, otherwise a text. Browsers send an empty name if no file was chosen.
func (b *builder) part(fileName string, content []byte) (*Node, error) {
	if fileName != "" {
		return b.node(Node{file: &File{Name: fileName, Bytes: bytes.Clone(content)}}), checkText(fileName)
	}
	text := string(content)
	return b.text(text), checkText(text)
}
