package api

import (
	"bytes"
	"encoding/json"
)

// Join encodes values that are JSON objects as one object with the members of all.
func Join(values ...any) ([]byte, error) {
	joined := []byte{'{'}
	var object bytes.Buffer
	encoder := json.NewEncoder(&object)
	encoder.SetEscapeHTML(false) // left to the encoder of the response
	for _, value := range values {
		object.Reset()
		if err := encoder.Encode(value); err != nil {
			return nil, err
		}
		members := bytes.TrimSuffix(object.Bytes()[1:], []byte("}\n"))
		if len(members) > 0 && len(joined) > 1 {
			joined = append(joined, ',')
		}
		joined = append(joined, members...)
	}
	return append(joined, '}'), nil
}
