// Package webpush encrypts messages to browsers (RFC 8291) and identifies their sender to push services (RFC 8292).
package webpush

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
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// recordSize is that of the only record, in bytes. Push services accept no more.
	recordSize = 4096
	// MaxPayload is how many bytes fit into the record, besides its header, the delimiter and the tag.
	MaxPayload = recordSize - headerBytes - 1 - tagBytes

	saltBytes   = 16
	pointBytes  = 65 // an uncompressed point of P-256
	headerBytes = saltBytes + 4 + 1 + pointBytes
	tagBytes    = 16
	authBytes   = 16 // of the secret of a browser

	// tokenLifetime is how long a push service accepts a token; it allows 24 hours at most.
	tokenLifetime = 12 * time.Hour
)

// Encode and decode keys: base64url without padding.
var text = base64.RawURLEncoding

// Keys are those of a browser's subscription.
type Keys struct {
	public *ecdh.PublicKey
	auth   []byte
}

// ErrKeys means that texts are not the keys of a subscription.
var ErrKeys = errors.New("not the keys of a subscription")

// ParseKeys reads the keys p256dh and auth of a subscription, in base64url.
func ParseKeys(p256dh, auth string) (Keys, error) {
	point, err := text.DecodeString(p256dh)
	if err != nil {
		return Keys{}, ErrKeys
	}
	public, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return Keys{}, ErrKeys
	}
	secret, err := text.DecodeString(auth)
	if err != nil || len(secret) != authBytes {
		return Keys{}, ErrKeys
	}
	return Keys{public, secret}, nil
}

// Encrypt returns the body of a message, with the Content-Encoding aes128gcm.
func Encrypt(to Keys, payload []byte) ([]byte, error) {
	if len(payload) > MaxPayload {
		return nil, fmt.Errorf("the payload has %d bytes, more than %d", len(payload), MaxPayload)
	}
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	shared, err := own.ECDH(to.public)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails: it crashes the program instead
	sender := own.PublicKey().Bytes()
	info := "WebPush: info\x00" + string(to.public.Bytes()) + string(sender)
	secret, err := hkdf.Key(sha256.New, shared, to.auth, info, sha256.Size)
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
	body := make([]byte, 0, headerBytes+len(payload)+1+tagBytes)
	body = binary.BigEndian.AppendUint32(append(body, salt...), recordSize)
	body = append(append(body, pointBytes), sender...)
	const last = 2 // the delimiter of the last record
	return gcm.Seal(body, nonce, append(append([]byte{}, payload...), last), nil), nil
}

// Key is the key pair by which push services recognize a server.
type Key struct{ private *ecdsa.PrivateKey }

// NewKey makes a key pair.
func NewKey() (Key, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return Key{private}, err
}

// ParseKey reads what Private returned.
func ParseKey(private string) (Key, error) {
	raw, err := text.DecodeString(private)
	if err != nil {
		return Key{}, err
	}
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
	return Key{key}, err
}

// Private returns the private part, to be stored.
func (k Key) Private() (string, error) {
	raw, err := k.private.Bytes()
	return text.EncodeToString(raw), err
}

// Public returns the public part, with which browsers subscribe.
func (k Key) Public() (string, error) {
	raw, err := k.private.PublicKey.Bytes()
	return text.EncodeToString(raw), err
}

// Authorization returns the header of that name for a call of an endpoint. subject is a mailto: or https: address at
// which the push service reaches the operator; empty if none is known.
func (k Key) Authorization(endpoint, subject string, now time.Time) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", errors.New("the endpoint is not a URL") // err quotes it
	}
	claims := jwt.MapClaims{"aud": u.Scheme + "://" + u.Host, "exp": now.Add(tokenLifetime).Unix()}
	if subject != "" {
		claims["sub"] = subject
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodES256, claims).SignedString(k.private)
	if err != nil {
		return "", err
	}
	public, err := k.Public()
	return "vapid t=" + token + ", k=" + public, err
}
