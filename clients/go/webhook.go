package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// WebhookTolerance is the greatest difference between the time of a web hook and the present.
const WebhookTolerance = 5 * time.Minute

// Errors of web hooks that must not be trusted.
var (
	ErrWebhookTime      = errors.New("punchcard: the time of the web hook is too far off")
	ErrWebhookSignature = errors.New("punchcard: no signature of the web hook fits")
)

// Webhook is the body of a web hook.
type Webhook struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      struct {
		StoreCode string          `json:"storeCode"`
		EventID   int64           `json:"eventId"`
		UUID      string          `json:"uuid"`
		Payload   json.RawMessage `json:"payload"`
	} `json:"data"`
}

// VerifyWebhook checks the signature of a web hook with the secret of its subscription, and returns its body. body is
// what was received.
func VerifyWebhook(secret string, header http.Header, body []byte, now time.Time) (*Webhook, error) {
	id, moment := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(moment, 10, 64)
	if err != nil || id == "" || now.Sub(time.Unix(seconds, 0)).Abs() > WebhookTolerance {
		return nil, ErrWebhookTime
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + moment + "."))
	mac.Write(body)
	sum := mac.Sum(nil)
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		encoded, is := strings.CutPrefix(signature, "v1,")
		given, err := base64.StdEncoding.DecodeString(encoded)
		if is && err == nil && hmac.Equal(given, sum) {
			hook := &Webhook{}
			return hook, json.Unmarshal(body, hook)
		}
	}
	return nil, ErrWebhookSignature
}
