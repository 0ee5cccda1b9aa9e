// Package idempotency stores the responses to requests with an Idempotency-Key, so that repeating such a request has no
// further effect: docs/behaviour/requests.md#idempotency.
package idempotency

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash"
	"strings"
	"time"

	"punchcard/platform/fault"
)

// Header is the header of requests with a key, and Replayed the one of stored responses.
const (
	Header   = "Idempotency-Key"
	Replayed = "Idempotent-Replayed"
)

// The limits of keys and of stored responses.
const (
	MaxKeyLength  = 255     // characters
	ResponseLimit = 1 << 20 // bytes of a body; of a longer one only the status is stored
)

// The errors of a key.
var (
	ErrBadKey = fault.New(fault.Invalid, "invalid_idempotency_key",
		"The header Idempotency-Key must be sent once, with 1 to 255 printable "+
			"ASCII characters, without spaces or in double quotes.")
	ErrReused = fault.New(fault.Unprocessable, "idempotency_key_reused",
		"The Idempotency-Key was sent before with another request.")
	// ErrInFlight is the error while another request with the key is handled, by this node or another one.
	ErrInFlight = fault.New(fault.Conflict, "idempotency_key_in_use",
		"A request with the Idempotency-Key is in progress.").After(time.Second)
)

// ParseKey parses the lines of the header: a structured-field string (RFC 8941, section 3.3.3) or the same text bare.
func ParseKey(lines []string) (string, error) {
	if len(lines) != 1 {
		return "", ErrBadKey
	}
	key := strings.Trim(lines[0], " \t")
	if strings.HasPrefix(key, `"`) {
		text, closed := unquote(key)
		if !closed {
			return "", ErrBadKey
		}
		key = text
	} else if strings.ContainsAny(key, ` "`) {
		return "", ErrBadKey
	}
	if key == "" || len(key) > MaxKeyLength || strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c > '~' }) {
		return "", ErrBadKey
	}
	return key, nil
}

// unquote removes quotes and escapes. closed is false for a text that is not a string, or goes on after it.
func unquote(quoted string) (text string, closed bool) {
	var b strings.Builder
	for i := 1; i < len(quoted); i++ {
		switch c := quoted[i]; c {
		case '"':
			return b.String(), i == len(quoted)-1
		case '\\':
			if i++; i == len(quoted) || quoted[i] != '"' && quoted[i] != '\\' {
				return "", false
			}
			b.WriteByte(quoted[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// Request is a request with a key.
type Request struct {
	StoreKey int64  // 0 without a store
	Key      string // caller and key, hashed
	Digest   string // content of the request, hashed with the key
}

// NewRequest hashes the key, its caller and the parts of the request. Requests with equal parts are the same request.
func NewRequest(storeKey int64, key string, caller []string, parts ...string) *Request {
	return &Request{
		StoreKey: storeKey,
		Key:      sum(sha256.New(), append([]string{key}, caller...)),
		Digest:   sum(hmac.New(sha256.New, []byte(key)), parts),
	}
}

// sumBytes is the part of a hash that is stored; half of it is long enough to be unique.
const sumBytes = sha256.Size / 2

// sum hashes texts with their lengths, so that the same bytes split in another way give another hash.
func sum(h hash.Hash, texts []string) string {
	for _, text := range texts {
		_ = binary.Write(h, binary.BigEndian, int64(len(text))) // a hash returns no error
		h.Write([]byte(text))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:sumBytes])
}
