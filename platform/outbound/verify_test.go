package outbound

import (
	"encoding/base64"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The message, secret and signature that standardwebhooks.com shows.
func TestVerifyTakesTheSampleOfTheStandard(t *testing.T) {
	const secret, message = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"test": 2432232314}`
	header := http.Header{HeaderID: {"msg_p5jXN8AQM9LWM0D4loKWxJek"}, HeaderTimestamp: {"1614265330"},
		HeaderSignature: {"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}}
	if !Verify(header, []byte(message), time.Unix(1614265330, 0), secret) {
		t.Error("it is refused")
	}
}

func TestVerify(t *testing.T) {
	secret, other, now, message := NewSecret(), NewSecret(), time.Unix(1_900_000_000, 0), []byte(`{"orderId":"1_2"}`)
	signed := func(at time.Time, secrets ...string) http.Header {
		header, err := Sign("msg_1", at, message, secrets...)
		if err != nil {
			t.Fatal(err)
		}
		return header
	}
	with := func(name, value string) http.Header {
		header := maps.Clone(signed(now, secret))
		header.Set(name, value)
		return header
	}
	right := signed(now, secret).Get(HeaderSignature)
	for name, c := range map[string]struct {
		header http.Header
		want   bool
	}{
		"as signed":               {signed(now, secret), true},
		"the other secret":        {signed(now, other), false},
		"both secrets, rotating":  {signed(now, other, secret), true},
		"the other way round":     {signed(now, secret, other), true},
		"five minutes ago":        {signed(now.Add(-Tolerance), secret), true},
		"longer ago":              {signed(now.Add(-Tolerance-time.Second), secret), false},
		"five minutes ahead":      {signed(now.Add(Tolerance), secret), true},
		"further ahead":           {signed(now.Add(Tolerance+time.Second), secret), false},
		"no header":               {http.Header{}, false},
		"no id":                   {with(HeaderID, ""), false},
		"another id":              {with(HeaderID, "msg_2"), false},
		"another moment":          {with(HeaderTimestamp, "1900000001"), false},
		"no moment":               {with(HeaderTimestamp, ""), false},
		"a moment far away":       {with(HeaderTimestamp, strconv.Itoa(math.MinInt64)), false},
		"no signature":            {with(HeaderSignature, ""), false},
		"another version":         {with(HeaderSignature, strings.Replace(right, "v1,", "v1a,", 1)), false},
		"the beginning of it":     {with(HeaderSignature, right[:len(right)-1]), false},
		"others beside the right": {with(HeaderSignature, "v1a,xxx "+right+" v1,yyy"), true},
	} {
		if Verify(c.header, message, now, secret) != c.want {
			t.Errorf("%s: %t", name, !c.want)
		}
	}
	if Verify(signed(now, secret), []byte(`{"orderId":"1_3"}`), now, secret) {
		t.Error("another message is taken")
	}
	if Verify(signed(now, secret), message, now, "") {
		t.Error("no secret signs anything")
	}
}

func TestIsSecret(t *testing.T) {
	of := func(length int) string { return secretPrefix + base64.StdEncoding.EncodeToString(make([]byte, length)) }
	for text, want := range map[string]bool{
		NewSecret(): true, of(24): true, of(64): true, of(23): false, of(65): false, "": false, "whsec_": false,
		"open sesame": false, "whsec_not base64 at all, but quite long": false,
		strings.TrimPrefix(of(32), secretPrefix): false,
	} {
		if IsSecret(text) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
}
