package webpush_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"punchcard/platform/webpush"
	"punchcard/platform/webpush/webpushtest"
)

// Each payload up to the limit arrives as it was, and no other browser can read it.
func TestEncrypt(t *testing.T) {
	browser, other := webpushtest.NewBrowser(t), webpushtest.NewBrowser(t)
	keys, err := webpush.ParseKeys(browser.P256dh, browser.Auth)
	if err != nil {
		t.Fatal(err)
	}
	for _, payload := range []string{"", "x", `{"title":"Żółć"}`, strings.Repeat("a", webpush.MaxPayload)} {
		body, err := webpush.Encrypt(keys, []byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		got, err := browser.Decrypt(body)
		if err != nil || string(got) != payload {
			t.Errorf("%d bytes of %d, %v", len(got), len(payload), err)
		}
		if len(body) > 4096 {
			t.Errorf("a body of %d bytes", len(body))
		}
		if _, err := other.Decrypt(body); err == nil {
			t.Error("another browser reads it")
		}
		again, err := webpush.Encrypt(keys, []byte(payload))
		if err != nil || bytes.Equal(body, again) {
			t.Errorf("the same salt twice, %v", err)
		}
	}
	if _, err := webpush.Encrypt(keys, make([]byte, webpush.MaxPayload+1)); err == nil {
		t.Error("a payload that does not fit is encrypted")
	}
}

// The example of RFC 8291, section 5, is decrypted by the browser of the tests, which the other tests rely on.
func TestBrowserReadsTheExample(t *testing.T) {
	decode := func(text string) []byte {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	private, err := ecdh.P256().NewPrivateKey(decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
	if err != nil {
		t.Fatal(err)
	}
	browser := webpushtest.BrowserOf(private, decode("BTBZMqHH6r4Tts7J_aSIgg"))
	got, err := browser.Decrypt(decode("DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6" +
		"e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_" +
		"Qulcy4a-fN"))
	if err != nil || string(got) != "When I grow up, I want to be a watermelon" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestParseKeys(t *testing.T) {
	b := webpushtest.NewBrowser(t)
	short := make([]byte, 15)
	_, _ = rand.Read(short)
	for _, keys := range [][2]string{
		{"", b.Auth}, {b.P256dh, ""}, {b.P256dh[:80], b.Auth}, {b.Auth, b.P256dh}, {"!" + b.P256dh[1:], b.Auth},
		{b.P256dh, base64.RawURLEncoding.EncodeToString(short)}, {strings.Repeat("B", 87), b.Auth},
	} {
		if _, err := webpush.ParseKeys(keys[0], keys[1]); err == nil {
			t.Errorf("accepted: %q", keys)
		}
	}
}

// A push service accepts the token for its own origin only, and only while it is valid. A stored key signs alike.
func TestAuthorization(t *testing.T) {
	made, err := webpush.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	private, err := made.Private()
	if err != nil {
		t.Fatal(err)
	}
	key, err := webpush.ParseKey(private)
	if err != nil {
		t.Fatal(err)
	}
	public, err := made.Public()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)
	header, err := key.Authorization("https://push.example.net:8443/a/b?c", "mailto:loyalty@example.com", now)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		origin string
		at     time.Time
		ok     bool
	}{
		{"https://push.example.net:8443", now, true}, {"https://push.example.net", now, false},
		{"https://push.example.net:8443", now.Add(13 * time.Hour), false},
	} {
		claims, err := webpushtest.Verify(header, public, c.origin, c.at)
		if (err == nil) != c.ok || c.ok && claims["sub"] != "mailto:loyalty@example.com" {
			t.Errorf("%s at %v: %v, %v", c.origin, c.at, claims, err)
		}
	}
}
