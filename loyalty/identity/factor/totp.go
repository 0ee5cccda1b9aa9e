package factor

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" // all apps use it, and HMAC does not depend on collisions
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"

	"punchcard/platform/db"
)

const (
	// TOTPPeriod is how long a code of an authenticator app counts (RFC 6238). The code before and the one after count
	// too, because clocks differ.
	TOTPPeriod  = 30 * time.Second
	totpDigits  = 6
	totpModulus = 1_000_000
	totpWindow  = 1  // steps before and after the present one
	secretBytes = 20 // of a key, as RFC 4226 recommends
)

var base32Text = base32.StdEncoding.WithPadding(base32.NoPadding)

// TOTP is an authenticator app of an account.
type TOTP struct {
	Account
	secret      string
	lastStep    int64
	attempts    int64     // wrong codes since triedAt, and since the last right one
	triedAt     time.Time // zero for none
	CreatedAt   time.Time
	ConfirmedAt time.Time // zero until its first code
}

// Begin makes a secret that counts after Confirm. Called again before that, it makes another one. The error is
// ErrTOTPExists if the account has an app.
func Begin(tx *db.Tx, a Account) (secret string, err error) {
	key := make([]byte, secretBytes)
	_, _ = rand.Read(key) // never returns an error
	t := TOTP{Account: a, secret: base32Text.EncodeToString(key), CreatedAt: tx.ServerNow()}
	begun, err := putTOTP(tx, &t)
	if err == nil && !begun {
		err = ErrTOTPExists
	}
	return t.secret, err
}

// TOTPAddress is the text of the QR code that authenticator apps read.
func TOTPAddress(issuer, name, secret string) string {
	address := url.URL{
		Scheme: "otpauth", Host: "totp", Path: "/" + issuer + ":" + name,
		RawQuery: url.Values{"secret": {secret}, "issuer": {issuer}}.Encode(),
	}
	return address.String()
}

// Confirm puts the secret of Begin to use, with its first code.
func Confirm(tx *db.Tx, a Account, code string) error {
	t, found, err := findTOTP(tx, a)
	if err != nil {
		return err
	}
	if !found || !t.ConfirmedAt.IsZero() {
		return ErrNoTOTP
	}
	step, matches := t.stepOf(code, tx.ServerNow())
	if !matches {
		return ErrWrong
	}
	confirmed, err := confirmTOTP(tx, &t, step)
	if err == nil && !confirmed {
		err = ErrNoTOTP
	}
	return err
}

// UseCode accepts a code of the account's app. Each code counts once, on all nodes.
func UseCode(tx *db.Tx, a Account, code string) error {
	t, found, err := findTOTP(tx, a)
	if err != nil {
		return err
	}
	if !found || t.ConfirmedAt.IsZero() {
		return ErrWrong
	}
	step, matches := t.stepOf(code, tx.ServerNow())
	if !matches {
		return ErrWrong
	}
	used, err := useStep(tx, a, step)
	if err == nil && !used {
		err = ErrWrong
	}
	return err
}

// stepOf returns the time step that the code belongs to. It compares with every step of the window.
func (t *TOTP) stepOf(code string, now time.Time) (step int64, matches bool) {
	key, err := base32Text.DecodeString(t.secret)
	if err != nil {
		return 0, false
	}
	present := now.Unix() / int64(TOTPPeriod/time.Second)
	for at := present - totpWindow; at <= present+totpWindow; at++ {
		if subtle.ConstantTimeCompare([]byte(codeAt(key, at)), []byte(code)) == 1 {
			step, matches = at, true
		}
	}
	return step, matches
}

// codeAt is the code of a time step (RFC 4226, 5.3).
func codeAt(key []byte, step int64) string {
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, step) // a hash never returns an error
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0xf
	number := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", totpDigits, number%totpModulus)
}
