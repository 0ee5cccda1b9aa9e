package web

import (
	"bytes"
	"sync"
)

// Encode returns the body that JSON sends for v.
func Encode(v any) (text string, err error) {
	err = encode(v, func(body []byte) error {
		text = string(body)
		return nil
	})
	return text, err
}

// Encodings caches the JSON of values that many responses contain. The zero value is ready to use.
type Encodings struct {
	mutex sync.RWMutex
	byKey map[any][]byte
}

// Of returns the JSON of the value that view returns, which must always be the same for the key. Callers share the
// bytes and must not change them.
func (e *Encodings) Of(key any, view func() any) (body []byte, err error) {
	e.mutex.RLock()
	body, known := e.byKey[key]
	e.mutex.RUnlock()
	if known {
		return body, nil
	}
	err = encode(view(), func(encoded []byte) error {
		body = bytes.Clone(encoded)
		e.mutex.Lock()
		defer e.mutex.Unlock()
		if e.byKey == nil {
			e.byKey = map[any][]byte{}
		}
		e.byKey[key] = body
		return nil
	})
	return body, err
}
