package outbound

import (
	"net/http"
	"net/url"
	"testing"
	"time"
)

// FuzzVerify sends any headers: only the signature that Sign makes for the message is accepted.
func FuzzVerify(f *testing.F) {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	now := time.Unix(1614265330, 0)
	f.Add("msg_1", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "{}")
	f.Add("", "-1", "v1, v1,= v2,", "")
	f.Add("msg_1", "9223372036854775807", " ", "x")
	f.Fuzz(func(t *testing.T, id, timestamp, signature, message string) {
		header := http.Header{}
		header.Set(HeaderID, id)
		header.Set(HeaderTimestamp, timestamp)
		header.Set(HeaderSignature, signature)
		if !Verify(header, []byte(message), now, secret) {
			return
		}
		// The hash cannot be guessed by chance, so a message is accepted only if the fuzzer was given its signature.
		if id != "msg_p5jXN8AQM9LWM0D4loKWxJek" || message != `{"test": 2432232314}` {
			t.Fatalf("accepted: %q %q %q %q", id, timestamp, signature, message)
		}
	})
}

// FuzzURL reads any address: one that is accepted can be requested, and names a host without credentials.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/hook?a=1", "http://[::1]:8080/", "http://user@example.com", "https://example.com#x",
		"http://127.1/", "http://0x7f000001/", "http://example.com:99999/", "http://localhost./", "ftp://example.com",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !isCallable(text) {
			return
		}
		request, err := http.NewRequest(http.MethodPost, text, nil)
		if err != nil {
			t.Fatalf("%q cannot be requested: %v", text, err)
		}
		u, err := url.Parse(text)
		if err != nil || u.User != nil || request.URL.Host == "" || len(text) > MaxURL {
			t.Fatalf("%q is accepted", text)
		}
	})
}
