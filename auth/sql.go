package auth

import (
	"encoding/base64"
	"fmt"
	"time"

	"punchcard/access"
	"punchcard/platform/db"
)

// allKeys lists the signing keys, the newest last.
func allKeys(tx *db.Tx) ([]signingKey, error) {
	type stored struct {
		signingKey
		text string
	}
	rows, err := db.All(tx, func(s *stored) []any { return []any{&s.id, &s.text, db.Time(&s.createdAt)} },
		`SELECT kid, secret, created_at FROM signing_keys ORDER BY created_at, kid`)
	all := make([]signingKey, len(rows))
	for i, row := range rows {
		if row.secret, err = base64.StdEncoding.DecodeString(row.text); err != nil {
			return nil, fmt.Errorf("signing key %s: %w", row.id, err)
		}
		all[i] = row.signingKey
	}
	return all, err
}

// insertKey adds a key unless another node was faster with the same id.
func insertKey(tx *db.Tx, k *signingKey) error {
	_, err := tx.InsertNew("signing_keys", "kid, secret, created_at",
		[]any{k.id, base64.StdEncoding.EncodeToString(k.secret), db.Time(&k.createdAt)})
	return err
}

func deleteKey(tx *db.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM signing_keys WHERE kid = $1`, id)
	return err
}

const refreshColumns = "token_hash, role, user_id, store_id, expires_at, created_at"

// refreshToken is the right to a new pair, without the token itself.
type refreshToken struct {
	hash      string
	role      access.Role
	userID    string
	storeKey  int64 // 0 for administrators
	expiresAt time.Time
	createdAt time.Time
}

func (t *refreshToken) row() []any {
	return []any{&t.hash, &t.role, &t.userID, &t.storeKey, db.Time(&t.expiresAt), db.Time(&t.createdAt)}
}

func insertRefreshToken(tx *db.Tx, t *refreshToken) error {
	return tx.Insert("refresh_tokens", refreshColumns, "", t.row())
}

func findRefreshToken(tx *db.Tx, hash string) (refreshToken, bool, error) {
	return db.One(tx, (*refreshToken).row, `SELECT `+refreshColumns+` FROM refresh_tokens WHERE token_hash = $1`, hash)
}

// takeRefreshToken deletes the token and returns it; of several takers one finds it.
func takeRefreshToken(tx *db.Tx, hash string) (refreshToken, bool, error) {
	return db.One(tx, (*refreshToken).row,
		`DELETE FROM refresh_tokens WHERE token_hash = $1 RETURNING `+refreshColumns, hash)
}

func deleteRefreshTokens(tx *db.Tx, userID string) error {
	_, err := tx.Exec(`DELETE FROM refresh_tokens WHERE user_id = $1`, userID)
	return err
}

func deleteExpired(tx *db.Tx, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM refresh_tokens WHERE token_hash IN (SELECT token_hash FROM refresh_tokens
		WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)`, tx.Now.UnixMicro(), limit)
}
