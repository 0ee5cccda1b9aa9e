package outbound

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// Headers of a signed call (standardwebhooks.com).
const (
	HeaderID        = "Webhook-Id"        // the same for every attempt, so that receivers can ignore repeats
	HeaderTimestamp = "Webhook-Timestamp" // of the attempt, seconds since 1970
	HeaderSignature = "Webhook-Signature" // one for each secret in use, separated by spaces
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
)

// NewSecret generates a signing secret: whsec_ and base64.
func NewSecret() string {
	random := make([]byte, secretBytes)
	_, _ = rand.Read(random) // never fails: it crashes the program instead
	return secretPrefix + base64.StdEncoding.EncodeToString(random)
}

// ErrSecret means that a text is not a signing secret.
var ErrSecret = errors.New("a signing secret is whsec_ and base64")

// withSecret returns the library with a secret. The library also takes keys without a prefix, and none at all.
func withSecret(secret string) (*standardwebhooks.Webhook, error) {
	library, err := standardwebhooks.NewWebhook(secret)
	if key, prefixed := strings.CutPrefix(secret, secretPrefix); err != nil || !prefixed || key == "" {
		return nil, ErrSecret
	}
	return library, nil
}

// Sign returns the headers by which a receiver can verify the call with any one of the secrets.
func Sign(id string, at time.Time, body []byte, secrets ...string) (http.Header, error) {
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		library, err := withSecret(secret)
		if err != nil {
			return nil, err
		}
		if signatures[i], err = library.Sign(id, at, body); err != nil {
			return nil, err
		}
	}
	return http.Header{
		HeaderID: {id}, HeaderTimestamp: {strconv.FormatInt(at.Unix(), 10)},
		HeaderSignature: {strings.Join(signatures, " ")},
	}, nil
}
