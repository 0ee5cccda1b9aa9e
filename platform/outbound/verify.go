package outbound

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Tolerance is the maximum difference between the timestamp of a message and our clock. It limits
// replays.
const Tolerance = 5 * time.Minute

// The allowed lengths of a secret chosen by a user, in bytes before base64 (standardwebhooks.com).
const (
	minSecretBytes = 24
	maxSecretBytes = 64
)

// IsSecret reports whether a text is a signing secret of an allowed length.
func IsSecret(text string) bool {
	encoded, prefixed := strings.CutPrefix(text, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	return prefixed && err == nil && len(key) >= minSecretBytes && len(key) <= maxSecretBytes
}

// Verify reports whether one of the signatures in the headers is valid for the message, with the
// secret, and made around now.
func Verify(header http.Header, message []byte, now time.Time, secret string) bool {
	seconds, err := strconv.ParseInt(header.Get(HeaderTimestamp), 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > Tolerance {
		return false
	}
	library, err := withSecret(secret)
	return err == nil && library.VerifyIgnoringTimestamp(message, header) == nil
}
