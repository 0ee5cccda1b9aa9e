// Package factortest has an authenticator in memory and the codes of an authenticator app, for tests of second factors.
package factortest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// Code is the code of an authenticator app at a time.
func Code(secret string, at time.Time) string {
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, at.Unix()/30)
	sum := mac.Sum(nil)
	n := binary.BigEndian.Uint32(sum[sum[len(sum)-1]&0xf:]) & 0x7fffffff
	return fmt.Sprintf("%06d", n%1_000_000)
}

// Device holds one passkey. Its exported fields can be changed, to send what a server must refuse.
type Device struct {
	Origin   string // of the page
	RPID     string
	Count    uint32 // of the next use; 0 counts nothing
	Verified bool   // the device verifies its user

	id     []byte
	key    *ecdsa.PrivateKey
	handle string
}

// New returns a device without a passkey, which verifies its user.
func New(origin, rpID string) *Device {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never returns an error
	return &Device{Origin: origin, RPID: rpID, Verified: true, id: id, key: key}
}

// The flags of authenticator data.
const (
	userPresent   = 1
	userVerified  = 4
	hasCredential = 64
)

func (d *Device) data(flags byte) []byte {
	sum := sha256.Sum256([]byte(d.RPID))
	if flags |= userPresent; d.Verified {
		flags |= userVerified
	}
	return binary.BigEndian.AppendUint32(append(sum[:], flags), d.Count)
}

func encode(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

func (d *Device) client(kind, challenge string) []byte {
	return asJSON(map[string]any{"type": kind, "challenge": challenge, "origin": d.Origin, "crossOrigin": false})
}

func asJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

func asCBOR(v any) []byte {
	mode, err := cbor.CTAP2EncOptions().EncMode()
	if err != nil {
		panic(err)
	}
	bytes, err := mode.Marshal(v)
	if err != nil {
		panic(err)
	}
	return bytes
}

func (d *Device) response(response map[string]any) string {
	return string(asJSON(map[string]any{
		"id": encode(d.id), "rawId": encode(d.id), "type": "public-key", "response": response,
		"clientExtensionResults": map[string]any{},
	}))
}

// Create answers a challenge for a new passkey, of the user with a handle.
func (d *Device) Create(challenge, handle string) string {
	d.handle = handle
	public, err := d.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		panic(err)
	}
	key := asCBOR(map[int]any{1: 2, 3: -7, -1: 1, -2: public[1:33], -3: public[33:]})
	data := append(d.data(hasCredential), make([]byte, 16)...) // no model
	data = binary.BigEndian.AppendUint16(data, uint16(len(d.id)))
	data = append(append(data, d.id...), key...)
	return d.response(map[string]any{
		"clientDataJSON": encode(d.client("webauthn.create", challenge)),
		"attestationObject": encode(asCBOR(map[string]any{
			"fmt": "none", "attStmt": map[string]any{}, "authData": data,
		})),
	})
}

// Use answers a challenge.
func (d *Device) Use(challenge string) string {
	data, client := d.data(0), d.client("webauthn.get", challenge)
	sum := sha256.Sum256(client)
	digest := sha256.Sum256(append(data, sum[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, digest[:])
	if err != nil {
		panic(err)
	}
	return d.response(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature),
		"userHandle": d.handle,
	})
}
