// Package idempotency remembers the answers to requests that came with an Idempotency-Key, so that a request that is
// sent again takes no effect again.
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

// Header is the name of the request's header, and Replayed that of the header of an answer which was given before.
const (
	Header   = "Idempotency-Key"
	Replayed = "Idempotent-Replayed"
)

// Limits of keys and of what is kept under them.
const (
	MaxKeyLength = 255     // characters
	ResponseLimit  = 1 << 20 // bytes of a kept body; a longer one is replayed without its body
)

// The refusals of a key.
var (
	ErrBadKey = fault.New(fault.Invalid, "invalid_idempotency_key",
		"The header Idempotency-Key must be sent once, with 1 to 255 printable "+
			"ASCII characters, without spaces or in double quotes.")
	ErrReused = fault.New(fault.Unprocessable, "idempotency_key_reused",
		"The Idempotency-Key was sent before with another request.")
	// ErrInFlight says that a request with the key is being answered, by this node or another one.
	ErrInFlight = fault.New(fault.Conflict, "idempotency_key_in_use",
		"A request with the Idempotency-Key is in progress.").After(time.Second)
)

// ParseKey reads the lines of the header: a structured-field string (RFC 8941, section 3.3.3) or the same text bare.
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

// unquote takes the quotes and escapes away; closed is false when the text is no string, or goes on after it.
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

// Request is a request that came with a key.
type Request struct {
	StoreKey int64  // 0 for what belongs to no store
	Key      string // caller and key, hashed
	Digest   string // what is asked for, hashed under the key
}

// NewRequest hashes who sends which key with what. Two requests are the same when their parts are, byte for byte.
func NewRequest(storeKey int64, key string, caller []string, parts ...string) *Request {
	return &Request{
		StoreKey: storeKey,
		Key:      sum(sha256.New(), append([]string{key}, caller...)),
		Digest:   sum(hmac.New(sha256.New, []byte(key)), parts),
	}
}

// sumBytes is how much of a hash is kept: nobody finds a second text for the same half.
const sumBytes = sha256.Size / 2

// sum hashes texts with their lengths, so that no other texts run together to the same.
func sum(h hash.Hash, texts []string) string {
	for _, text := range texts {
		_ = binary.Write(h, binary.BigEndian, int64(len(text))) // a hash takes everything
		h.Write([]byte(text))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:sumBytes])
}
