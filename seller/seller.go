// Package seller holds the people who sell at a store's tills.
package seller

import (
	"strings"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ErrTaken says that another seller of the store has the e-mail address.
var ErrTaken = fault.New(fault.Refused, "This value is already used.")

// Seller serves the customers of one store. A deleted one stays for what he did, but is never shown.
type Seller struct {
	StoreKey            int64
	ID                  string
	Email               string // lower case; logs in
	FirstName, LastName string
	Phone               string
	PasswordHash        string
	POSID               string
	Active, Deleted     bool
	AllowPointTransfer  bool
	LastLoginAt         time.Time
	CreatedAt           time.Time
}

// New is what a seller is made of.
type New struct {
	Email               string
	FirstName, LastName string
	Phone               string
	PasswordHash        string
	POSID               string
	Active              bool
	AllowPointTransfer  bool
}

// Create adds a seller to a store. An e-mail address that another seller of the store has is ErrTaken.
func Create(tx *db.Tx, storeKey int64, in New) (Seller, error) {
	s := Seller{
		StoreKey: storeKey, ID: tx.NewID(), Email: fold(in.Email),
		FirstName: in.FirstName, LastName: in.LastName, Phone: in.Phone,
		PasswordHash: in.PasswordHash, POSID: in.POSID,
		Active: in.Active, AllowPointTransfer: in.AllowPointTransfer, CreatedAt: tx.Now,
	}
	return s, insert(tx, &s)
}

// fold makes e-mail addresses comparable: case and surrounding spaces do not count.
func fold(email string) string { return strings.ToLower(strings.TrimSpace(email)) }
