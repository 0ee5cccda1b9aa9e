package form

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"punchcard/platform/fault"
)

// jsonReader builds a tree from a JSON document.
type jsonReader struct {
	*builder
	tokens *json.Decoder
}

// decodeJSON reads one JSON object. Numbers keep their literal text, true and false are those words,
// null is an empty text, and of two members with one name the last wins.
func decodeJSON(data []byte) (*Node, error) {
	if !utf8.Valid(data) {
		return nil, invalid("form: not UTF-8")
	}
	r := jsonReader{newBuilder(), json.NewDecoder(bytes.NewReader(data))}
	r.tokens.UseNumber()
	if token, err := r.tokens.Token(); err != nil || token != json.Delim('{') {
		return nil, invalid("form: JSON is not an object")
	}
	if err := r.object(r.root.group, 1); err != nil {
		if known, ok := err.(*fault.Error); ok {
			return nil, known
		}
		return nil, ErrMalformed.WithCause(err)
	}
	if _, err := r.tokens.Token(); err != io.EOF {
		return nil, invalid("form: data after the JSON object")
	}
	return r.finish(), nil
}

// object reads members up to the closing brace; depth is the number of names to each of them.
func (r jsonReader) object(g *group, depth int) error {
	for r.tokens.More() {
		token, err := r.tokens.Token()
		if err != nil {
			return err
		}
		name, ok := token.(string)
		if !ok || len(name) > MaxNameBytes {
			return invalid("form: malformed name")
		}
		if err := checkText(name); err != nil {
			return err
		}
		child, err := r.value(depth)
		if err != nil {
			return err
		}
		if i := g.find(name); i >= 0 {
			g.values[i] = child
		} else {
			g.put(name, child)
		}
	}
	_, err := r.tokens.Token()
	return err
}

// array reads elements up to the closing bracket.
func (r jsonReader) array(g *group, depth int) error {
	for r.tokens.More() {
		child, err := r.value(depth)
		if err != nil {
			return err
		}
		g.push(child)
	}
	_, err := r.tokens.Token()
	return err
}

func (r jsonReader) value(depth int) (*Node, error) {
	if depth > MaxDepth || r.values == MaxFields {
		return nil, invalid("form: too deep or too many fields")
	}
	token, err := r.tokens.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		node := r.newGroup()
		if token == '{' {
			return node, r.object(node.group, depth+1)
		}
		return node, r.array(node.group, depth+1)
	case string:
		return r.text(token), checkText(token)
	case json.Number:
		return r.text(token.String()), nil
	case bool:
		if token {
			return r.text("true"), nil
		}
		return r.text("false"), nil
	}
	return r.text(""), nil
}
