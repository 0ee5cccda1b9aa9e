// Package admin manages administrators, who are people or integrations, and their roles:
// docs/behaviour/administrators.md.
package admin

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"
	"unicode/utf8"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/keytext"
)

// MinAPIKey is the minimum length of a permanent key in characters. Keys are random, so a fast hash of them is stored
// and looked up.
const MinAPIKey = 16

// Errors of adding an administrator.
var (
	ErrTaken    = fault.New(fault.Refused, "administrator_value_taken", "This value is already used.")
	ErrShortKey = fault.New(fault.Refused, "api_key_too_short",
		"This key is too short. It should have 16 characters or more.")
)

var errCredentials = errors.New("admin: an administrator has a password, a permanent key or an invitation")

// Administrator is a person who logs in with a password, or an integration with a permanent key.
type Administrator struct {
	ID                   string
	Username             string // lower case; the id where none was given
	Email                string // lower case, empty for none; logs in too
	FirstName, LastName  string
	Phone                string
	PasswordHash         string // empty for an external one
	apiKeyHash           string // empty for one who logs in
	apiKeyEnd            string // the last characters of the key, which are shown
	External             bool   // an integration, which has a permanent key and cannot log in
	Active               bool
	NotificationsEnabled bool
	RoleID               int64       // in all stores; 0 for one with StoreRoles
	StoreRoles           []StoreRole // in the order of stores
	OnlyStore            int64       // key of the store whose identity provider made the account; 0 for others
	InvitedUntil         time.Time   // when the link of an invitation expires; zero if none was sent
	LastLoginAt          time.Time
	CreatedAt            time.Time
}

// New is the data of a new administrator: with a PasswordHash for a person, with an APIKey for an integration, and with
// neither for an invited person.
type New struct {
	Username, Email      string
	FirstName, LastName  string
	Phone                string
	PasswordHash, APIKey string
	Active               bool
	NotificationsEnabled bool
	RoleID               int64
	StoreRoles           []StoreRole
	OnlyStore            int64     // of a person whom the identity provider of a store signs in
	InvitedUntil         time.Time // of a person who is to choose a password
}

// Create adds an administrator. It returns ErrTaken if another one has the user name, e-mail
// address or key.
func Create(tx *db.Tx, in New) (Administrator, error) {
	a := Administrator{
		ID: tx.NewID(), Username: fold(in.Username), Email: fold(in.Email),
		FirstName: in.FirstName, LastName: in.LastName, Phone: in.Phone,
		PasswordHash: in.PasswordHash, External: in.APIKey != "",
		Active: in.Active, NotificationsEnabled: in.NotificationsEnabled, RoleID: in.RoleID,
		StoreRoles: in.StoreRoles, InvitedUntil: in.InvitedUntil, CreatedAt: tx.Now(),
	}
	credentials := 0
	for _, given := range []bool{in.PasswordHash != "", in.APIKey != "", !in.InvitedUntil.IsZero()} {
		if given {
			credentials++
		}
	}
	if credentials != 1 {
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
	if err := insertAdministrator(tx, &a); err != nil {
		return Administrator{}, err
	}
	return a, replaceStoreRoles(tx, &a)
}

// shownKeyEnd is the number of characters of a permanent key that are stored and shown.
const shownKeyEnd = 4

func (a *Administrator) setKey(key string) {
	runes := []rune(key)
	a.apiKeyHash, a.apiKeyEnd = hashKey(key), string(runes[len(runes)-shownKeyEnd:])
}

// Name returns the name by which others know the administrator: the e-mail address, if there is one.
func (a *Administrator) Name() string { return cmp.Or(a.Email, a.Username) }

// Caller returns the caller of the administrator's requests, with the permissions of their roles.
func (a *Administrator) Caller(tx *db.Tx) (access.Caller, error) {
	role, inStores, err := a.Permissions(tx)
	caller := access.Caller{
		Role: access.Administrator, ID: a.ID, Username: a.Username, Master: role.Master, Permanent: a.External,
		Stores: inStores,
	}
	if !role.Master {
		caller.Permissions = role.Permissions
	}
	return caller, err
}

// fold normalizes a name, of which neither case nor surrounding spaces count.
func fold(name string) string { return keytext.Fold(name) }

func hashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}
