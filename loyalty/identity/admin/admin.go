// Package admin holds the people and programs that run the platform, and their roles.
package admin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// MinAPIKey is how many characters a permanent key has at least. Keys are random, so that a fast
// hash of them can be stored and searched for.
const MinAPIKey = 16

// The reasons for which an administrator cannot be added.
var (
	ErrTaken    = fault.New(fault.Refused, "administrator_value_taken", "This value is already used.")
	ErrShortKey = fault.New(fault.Refused, "api_key_too_short",
		"This key is too short. It should have 16 characters or more.")
)

var errCredentials = errors.New("admin: an administrator has either a password or a permanent key")

// Administrator is a person who logs in with a password, or an integration with a permanent key.
type Administrator struct {
	ID                   string
	Username             string // lower case; the id where none was given
	Email                string // lower case, empty for none; logs in too
	FirstName, LastName  string
	Phone                string
	PasswordHash         string // empty for an external one
	apiKeyHash           string // empty for one who logs in
	apiKeyEnd            string // the last characters of the key, by which its owner knows it again
	External             bool   // an integration: it has a permanent key and never logs in
	Active               bool
	NotificationsEnabled bool
	RoleID               int64
	LastLoginAt          time.Time
	CreatedAt            time.Time
}

// New is what an administrator is made of: PasswordHash for a person, APIKey for an integration.
type New struct {
	Username, Email      string
	FirstName, LastName  string
	Phone                string
	PasswordHash, APIKey string
	Active               bool
	NotificationsEnabled bool
	RoleID               int64
}

// Create adds an administrator. A user name, e-mail address or key that another one has is ErrTaken.
func Create(tx *db.Tx, in New) (Administrator, error) {
	a := Administrator{
		ID: tx.NewID(), Username: fold(in.Username), Email: fold(in.Email),
		FirstName: in.FirstName, LastName: in.LastName, Phone: in.Phone,
		PasswordHash: in.PasswordHash, External: in.APIKey != "",
		Active: in.Active, NotificationsEnabled: in.NotificationsEnabled, RoleID: in.RoleID, CreatedAt: tx.Now(),
	}
	if (in.PasswordHash == "") == (in.APIKey == "") {
		return Administrator{}, errCredentials
	}
	if a.External {
		if utf8.RuneCountInString(in.APIKey) < MinAPIKey {
			return Administrator{}, ErrShortKey
		}
		a.setKey(in.APIKey)
	}
	if a.Username == "" {
		a.Username = a.ID
	}
	return a, insert(tx, &a)
}

// shownKeyEnd is how many characters of a permanent key are kept to be shown.
const shownKeyEnd = 4

func (a *Administrator) setKey(key string) {
	runes := []rune(key)
	a.apiKeyHash, a.apiKeyEnd = hashKey(key), string(runes[len(runes)-shownKeyEnd:])
}

// fold makes names comparable: case and surrounding spaces do not count.
func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func hashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}
