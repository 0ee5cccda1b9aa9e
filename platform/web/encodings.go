package web

import "sync"

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

// Of is the JSON of what view returns, which is always the same for the key.
func (e *Encodings) Of(key any, view func() any) (string, error) {
	if known, ok := e.byKey.Load(key); ok {
		return known.(string), nil
	}
	text, err := Encode(view())
	if err == nil {
		e.byKey.Store(key, text)
	}
	return text, err
}
