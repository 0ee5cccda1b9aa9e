// Package webpushtest has the other sides of web push for tests: a browser that decrypts, and the check of a push
// service.
package webpushtest

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Browser is a browser with a subscription.
type Browser struct {
	P256dh, Auth string // its keys, base64url
	private      *ecdh.PrivateKey
	auth         []byte
}

// NewBrowser makes a browser with keys of its own.
func NewBrowser(t testing.TB) *Browser {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	auth := make([]byte, 16)
	_, _ = rand.Read(auth)
	return BrowserOf(private, auth)
}

// BrowserOf returns the browser with some keys.
func BrowserOf(private *ecdh.PrivateKey, auth []byte) *Browser {
	encode := base64.RawURLEncoding.EncodeToString
	return &Browser{encode(private.PublicKey().Bytes()), encode(auth), private, auth}
}

// Decrypt reads the body of a message.
func (b *Browser) Decrypt(body []byte) ([]byte, error) {
	const header = 16 + 4 + 1 + 65
	if len(body) < header || body[20] != 65 {
		return nil, errors.New("no header")
	}
	salt, point := body[:16], body[21:header]
	sender, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return nil, err
	}
	shared, err := b.private.ECDH(sender)
	if err != nil {
		return nil, err
	}
	info := "WebPush: info\x00" + string(b.private.PublicKey().Bytes()) + string(point)
	secret, err := hkdf.Key(sha256.New, shared, b.auth, info, 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, nonce, body[header:], nil)
	if err != nil {
		return nil, err
	}
	if len(plain) == 0 || plain[len(plain)-1] != 2 {
		return nil, errors.New("not the last record")
	}
	return plain[:len(plain)-1], nil
}

// Verify checks the Authorization header of a call as a push service with an origin does, and returns its claims.
func Verify(header, public, origin string, now time.Time) (jwt.MapClaims, error) {
	token, key, found := strings.Cut(strings.TrimPrefix(header, "vapid t="), ", k=")
	if !found || key != public {
		return nil, errors.New("another key")
	}
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil {
		return nil, err
	}
	parsed, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return nil, err
	}
	claims := jwt.MapClaims{}
	_, err = jwt.ParseWithClaims(token, claims, func(*jwt.Token) (any, error) { return parsed, nil },
		jwt.WithValidMethods([]string{"ES256"}), jwt.WithAudience(origin), jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(func() time.Time { return now }))
	return claims, err
}
