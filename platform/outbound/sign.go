package outbound

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of a signed call (standardwebhooks.com).
const (
	HeaderID        = "Webhook-Id"        // the same for every attempt, so that receivers can ignore repeats
	HeaderTimestamp = "Webhook-Timestamp" // of the attempt, seconds since 1970
	HeaderSignature = "Webhook-Signature" // one for each secret in use, separated by spaces
)

const (
	secretPrefix    = "whsec_"
	secretBytes     = 32
	signatureScheme = "v1,"
)

// NewSecret generates a signing secret: whsec_ and base64.
func NewSecret() string {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // never fails: it crashes the program instead
	return secretPrefix + base64.StdEncoding.EncodeToString(random)
}

// ErrSecret means that a text is not a signing secret.
var ErrSecret = errors.New("a signing secret is whsec_ and base64")

// Sign returns the headers by which a receiver can verify the call with any one of the secrets.
func Sign(id string, at time.Time, body []byte, secrets ...string) (http.Header, error) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		encoded, prefixed := strings.CutPrefix(secret, secretPrefix)
		key, err := base64.StdEncoding.DecodeString(encoded)
		if !prefixed || err != nil || len(key) == 0 {
			return nil, ErrSecret
		}
		mac := hmac.New(sha256.New, key)
		_, _ = mac.Write([]byte(id + "." + timestamp + ".")) // never fails
		_, _ = mac.Write(body)
		signatures[i] = signatureScheme + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return http.Header{
		HeaderID: {id}, HeaderTimestamp: {timestamp}, HeaderSignature: {strings.Join(signatures, " ")},
	}, nil
}
