package verification

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/keytext"
)

// The purposes of tokens and of requests for messages. A temporary password has no token.
const (
	activation = "activation"
	reset      = "reset"
	contact    = "contact"
	invitation = "invitation" // of an administrator
	temporary  = "temporary_password"
)

// The errors of links and codes that are not valid. Pages say by the code of the error what to do.
var (
	errUnknownLink = fault.New(fault.NotFound, "link_unknown", "")
	errExpiredLink = fault.New(fault.NotFound, "link_expired", "")
	errUsedLink    = fault.New(fault.NotFound, "link_used", "")
	errBadCode     = fault.New(fault.Refused, "bad_code", "This code is not valid or has expired.")
)

// codeDigits is the length of a code.
const codeDigits = 6

var codes = big.NewInt(1_000_000)

// token is a stored token or code, of which only the hash is known.
type token struct {
	hash        string
	purpose     string
	role        access.Role
	storeKey    int64
	userID      string
	contactHash string
	isCode      bool
	attempts    int64
	expiresAt   time.Time
	usedAt      time.Time // zero if unused
}

// issueToken stores a new token of the user and returns it. Links to any other contact than the one it is sent to do
// not need it.
func issueToken(tx *db.Tx, u *user, purpose, sentTo string) (plain string, err error) {
	return issueTokenFor(tx, u, purpose, sentTo, TokenLife)
}

// issueTokenFor is issueToken with a life of its own.
func issueTokenFor(tx *db.Tx, u *user, purpose, sentTo string, life time.Duration) (plain string, err error) {
	if err := makeRoom(tx, u.id, purpose, false); err != nil {
		return "", err
	}
	plain = rand.Text()
	t := u.token(purpose, sentTo)
	t.hash, t.expiresAt = hashToken(plain), tx.ServerNow().Add(life)
	return plain, insertToken(tx, &t)
}

// issueCode stores a new code of the user and returns it. No two codes that activate customers of a store are equal.
func issueCode(tx *db.Tx, u *user, purpose, sentTo string) (plain string, err error) {
	if err := makeRoom(tx, u.id, purpose, true); err != nil {
		return "", err
	}
	t := u.token(purpose, sentTo)
	t.isCode, t.expiresAt = true, tx.ServerNow().Add(CodeLife)
	for range 10 {
		number, err := rand.Int(rand.Reader, codes)
		if err != nil {
			return "", err
		}
		plain = fmt.Sprintf("%0*d", codeDigits, number)
		t.hash = hashCode(purpose, u.storeKey, u.id, plain)
		if inserted, err := insertNewToken(tx, &t); err != nil || inserted {
			return plain, err
		}
	}
	return "", db.ErrBusy // hundreds of thousands of codes are valid; some expire soon
}

func (u *user) token(purpose, sentTo string) token {
	return token{
		purpose: purpose, role: u.role, storeKey: u.storeKey, userID: u.id, contactHash: hashContact(u.id, sentTo),
	}
}

// live returns nil if the link of the token works now.
func (t *token) live(now time.Time) error {
	switch {
	case !t.usedAt.IsZero():
		return errUsedLink
	case !now.Before(t.expiresAt):
		return errExpiredLink
	}
	return nil
}

// isLiveCode reports whether the token is a code that works now.
func (t *token) isLiveCode(now time.Time) bool {
	return t.isCode && t.live(now) == nil && t.attempts <= CodeAttempts
}

// sentTo reports whether the token was sent to the user's contact.
func (t *token) sentTo(contact string) bool {
	return contact != "" && t.contactHash == hashContact(t.userID, contact)
}

func hashToken(plain string) string { return hash("token", plain) }

// hashCode returns the hash of a code. Codes that activate are found without the customer, so their hash has no user.
func hashCode(purpose string, storeKey int64, userID, plain string) string {
	if purpose == activation {
		userID = ""
	}
	return hash("code", purpose, strconv.FormatInt(storeKey, 10), userID, plain)
}

func hashContact(userID, contact string) string {
	return hash("contact", userID, keytext.Fold(contact))
}

// hash returns the SHA-256 of texts, in hexadecimal.
func hash(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// isCode reports whether the text has the form of a code.
func isCode(text string) bool {
	return len(text) == codeDigits && strings.Trim(text, "0123456789") == ""
}
