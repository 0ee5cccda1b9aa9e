// Package setup opens an installation that has no administrator yet. Who has the link that the start of the server
// prints becomes the first administrator, and names the store: docs/behaviour/setup.md.
package setup

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"punchcard/loyalty/identity/admin"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Username is the user name of the first administrator.
const Username = "admin"

// LinkLife is how long a link is valid.
const LinkLife = 24 * time.Hour

// errLink refuses a link that is unknown, expired or used.
var errLink = fault.New(fault.Refused, "setup_link_not_valid",
	"This link is no longer valid. Restart the server, or run punchcard admin setup-link, for a new one.")

// NewLink stores a further link, and returns its token. Each start adds one, so that the links of several nodes are
// valid side by side. Only a hash is stored.
func NewLink(tx *db.Tx) (token string, err error) {
	if _, err := tx.Exec(`DELETE FROM setup_links WHERE expires_at < ?`, tx.Now().UnixMicro()); err != nil {
		return "", err
	}
	token = rand.Text()
	return token, links.Insert(tx, &link{hash(token), tx.Now().Add(LinkLife)})
}

type link struct {
	tokenHash string
	expiresAt time.Time
}

var links = db.NewTable("setup_links", "token_hash", func(l *link) db.Row {
	return db.Row{"token_hash", &l.tokenHash, "expires_at", db.Time(&l.expiresAt)}
})

func hash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// checkLink returns fault.ErrNotFound if there is an administrator, and errLink if the link is not valid.
func checkLink(tx *db.Tx, token string) error {
	exists, err := admin.Exists(tx)
	if err != nil {
		return err
	}
	if exists {
		return fault.ErrNotFound
	}
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM setup_links WHERE token_hash = ? AND expires_at >= ?`,
		hash(token), tx.Now().UnixMicro())
	if err == nil && n == 0 {
		err = errLink
	}
	return err
}

// useLink is checkLink that also ends all links. Of several calls at the same time, on any node, one succeeds: the
// others find no links left once it has committed.
func useLink(tx *db.Tx, token string) error {
	if err := checkLink(tx, token); err != nil {
		return err
	}
	n, err := tx.Exec(`DELETE FROM setup_links`)
	if err == nil && n == 0 {
		err = errLink
	}
	return err
}
