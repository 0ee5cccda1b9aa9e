package web

import (
	"bytes"
	"sync"
)

// Encode is the body that JSON sends for v.
func Encode(v any) (text string, err error) {
	err = encode(v, func(body []byte) error {
		text = string(body)
		return nil
	})
	return text, err
}

// Encodings keep the JSON of what many are shown, so that it is encoded once. The zero value is ready.
type Encodings struct{ byKey sync.Map }

// Of is the JSON of what view returns, which is always the same for the key. Many share it: nobody may change it.
func (e *Encodings) Of(key any, view func() any) (body []byte, err error) {
	if known, ok := e.byKey.Load(key); ok {
		return known.([]byte), nil
	}
	err = encode(view(), func(encoded []byte) error {
		body = bytes.Clone(encoded)
		e.byKey.Store(key, body)
		return nil
	})
	return body, err
}
