package message

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strconv"

	"github.com/google/uuid"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// marketingAgreement is the place of agreement2 among the agreements of a customer.
const marketingAgreement = 1

// signatureBytes is how much of a signature a token holds.
const signatureBytes = 16

// UnsubscribeToken returns the token by which a customer ends marketing messages without logging in.
func UnsubscribeToken(tx *db.Tx, s *store.Store, customerID string) (string, error) {
	settings, err := signing(tx, s.Key)
	if err != nil {
		return "", err
	}
	return unsubscribeToken(settings.UnsubscribeKey, s.Key, customerID), nil
}

// pageOf returns the path of the page on which the customer of a token ends marketing messages.
func pageOf(s *store.Store, token string) string {
	return "/me/" + s.Code + "/unsubscribe/" + url.PathEscape(token)
}

// unsubscribeToken returns the id of the customer with a signature. It does not expire and allows nothing else.
func unsubscribeToken(key string, storeKey int64, customerID string) string {
	id, err := uuid.Parse(customerID)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(append(id[:], signature(key, storeKey, id)...))
}

func signature(key string, storeKey int64, id uuid.UUID) []byte {
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = mac.Write([]byte("unsubscribe " + strconv.FormatInt(storeKey, 10) + " " + id.String())) // never fails
	return mac.Sum(nil)[:signatureBytes]
}

// unsubscriber returns the id of the customer of a token, or of the one into whom they were merged.
func unsubscriber(tx *db.Tx, storeKey int64, token string) (customerID string, err error) {
	settings, err := settingsOf(tx, storeKey)
	if err != nil {
		return "", err
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != len(uuid.UUID{})+signatureBytes || settings.UnsubscribeKey == "" {
		return "", fault.ErrNotFound
	}
	id := uuid.UUID(raw[:len(uuid.UUID{})])
	if !hmac.Equal(raw[len(id):], signature(settings.UnsubscribeKey, storeKey, id)) {
		return "", fault.ErrNotFound
	}
	found, err := customer.FindAll(tx, storeKey, id.String())
	if who := found[id.String()]; who != nil && who.MergedInto != "" {
		return who.MergedInto, err
	}
	return id.String(), err
}

// Unsubscribe switches marketing messages to the customer of a token off. Repeating it has no further effect.
func (c *Config) Unsubscribe(tx *db.Tx, s *store.Store, token string) error {
	id, err := unsubscriber(tx, s.Key, token)
	if err != nil {
		return err
	}
	who, _, err := customer.Lock(tx, s, id)
	if err != nil || !who.Agreements[marketingAgreement] {
		return err
	}
	before := *who
	change := customer.Change{Sent: map[string]bool{customer.Agreements[marketingAgreement]: true}}
	if err := customer.Update(tx, s, who, change); err != nil {
		return err
	}
	return feature.React(tx, s, customer.Changed{Before: &before, After: who})
}
