package auth

import (
	"encoding/base64"
	"fmt"
	"time"

	"punchcard/platform/db"
)

// allKeys lists the signing keys, oldest first.
func allKeys(tx *db.Tx) ([]signingKey, error) {
	rows, err := keyTable.All(tx, `SELECT * FROM signing_keys ORDER BY created_at, kid`)
	all := make([]signingKey, len(rows))
	for i, row := range rows {
		if row.secret, err = base64.StdEncoding.DecodeString(row.text); err != nil {
			return nil, fmt.Errorf("signing key %s: %w", row.id, err)
		}
		all[i] = row.signingKey
	}
	return all, err
}

// storedKey is a key with its secret as it is stored.
type storedKey struct {
	signingKey
	text string
}

var keyTable = db.NewTable("signing_keys", "kid", func(k *storedKey) db.Row {
	return db.Row{"kid", &k.id, "secret", &k.text, "created_at", db.Time(&k.createdAt)}
})

// insertKey adds a key, unless there is one with the same id.
func insertKey(tx *db.Tx, k *signingKey) error {
	_, err := keyTable.InsertNew(tx, &storedKey{*k, base64.StdEncoding.EncodeToString(k.secret)})
	return err
}

func deleteKey(tx *db.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM signing_keys WHERE kid = ?`, id)
	return err
}

var sessionTable = db.NewTable("sessions", "session_id", func(s *session) db.Row {
	return db.Row{
		"session_id", &s.id, "role", &s.role, "user_id", &s.userID, "store_id", &s.storeKey, "network", &s.network,
		"access_until", db.Time(&s.accessUntil), "expires_at", db.Time(&s.expiresAt), "started_at", db.Time(&s.startedAt),
		"used_at", db.Time(&s.usedAt), "agent", &s.agent, "browser", &s.browser, "factor_at", db.Time(&s.factorAt),
		"provider_id", &s.provider.ID, "provider_session", &s.provider.Session, "till_id", &s.tillID,
		"identified_at", db.Time(&s.provider.AskedAt), "address", &s.address,
	}
})

func insertSession(tx *db.Tx, s *session) error {
	return sessionTable.Insert(tx, s)
}

// lockSession reads a session with a row lock, which also protects its refresh tokens.
func lockSession(tx *db.Tx, id string) (session, bool, error) {
	return sessionTable.One(tx, `SELECT * FROM sessions WHERE session_id = ? FOR UPDATE`, id)
}

// sessionOfToken finds the session of a refresh token, without a lock.
func sessionOfToken(tx *db.Tx, hash string) (session, bool, error) {
	return sessionTable.One(tx, `SELECT * FROM sessions
		WHERE session_id = (SELECT session_id FROM refresh_tokens WHERE token_hash = ?)`, hash)
}

// sessionsOf lists the sessions of a user that have not ended and can be renewed, the last used first.
func sessionsOf(tx *db.Tx, userID string, limit int) ([]session, error) {
	return sessionTable.All(tx, `SELECT * FROM sessions
		WHERE user_id = ? AND ended_at IS NULL AND expires_at > ?
		ORDER BY used_at DESC, session_id DESC LIMIT ?`, userID, tx.ServerNow().UnixMicro(), limit)
}

// CountSessions counts the sessions of a user that have not ended and can be renewed.
func CountSessions(tx *db.Tx, userID string) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM sessions
		WHERE user_id = ? AND ended_at IS NULL AND expires_at > ?`, userID, tx.ServerNow().UnixMicro())
}

// sessionsOfProvider lists the ids of the sessions that began with a session at a provider.
func sessionsOfProvider(tx *db.Tx, providerID, providerSession string) ([]string, error) {
	return db.AllValues[string](tx, `SELECT session_id FROM sessions
		WHERE provider_id = ? AND provider_session = ? AND provider_session <> '' AND ended_at IS NULL
		ORDER BY session_id`, providerID, providerSession)
}

// sessionsOfUserAtProvider lists the ids of the sessions of a user that began at a provider.
func sessionsOfUserAtProvider(tx *db.Tx, providerID, userID string, unnamed bool) ([]string, error) {
	return db.AllValues[string](tx, `SELECT session_id FROM sessions
		WHERE user_id = ? AND provider_id = ? AND (provider_session = '' OR NOT ?) AND ended_at IS NULL
		ORDER BY session_id`, userID, providerID, unnamed)
}

// sessionsAtTill lists the ids of the sessions that began with a PIN at a till and have not ended.
func sessionsAtTill(tx *db.Tx, tillID string) ([]string, error) {
	return db.AllValues[string](tx, `SELECT session_id FROM sessions
		WHERE till_id = ? AND till_id <> '' AND ended_at IS NULL ORDER BY session_id`, tillID)
}

// lockSessions locks all sessions of a user in the order of their ids.
func lockSessions(tx *db.Tx, userID string) error {
	_, err := tx.Exec(`SELECT session_id FROM sessions WHERE user_id = ?
		ORDER BY session_id FOR UPDATE`, userID)
	return err
}

func updateSession(tx *db.Tx, s *session) error {
	return sessionTable.Update(tx, "network, access_until, expires_at, used_at, agent, browser, address", s)
}

// findSession reads a session without a lock.
func findSession(tx *db.Tx, id string) (session, bool, error) {
	return sessionTable.One(tx, `SELECT * FROM sessions WHERE session_id = ?`, id)
}

// noteFactor records that a second factor was used in a session.
func noteFactor(tx *db.Tx, id string) error {
	_, err := tx.Exec(`UPDATE sessions SET factor_at = ? WHERE session_id = ?`, tx.ServerNow().UnixMicro(), id)
	return err
}

func endSession(tx *db.Tx, id string) error {
	_, err := tx.Exec(`UPDATE sessions SET ended_at = ?, expires_at = access_until, address = '' WHERE session_id = ?`,
		tx.ServerNow().UnixMicro(), id)
	return err
}

func endSessions(tx *db.Tx, userID, except string) error {
	_, err := tx.Exec(`UPDATE sessions SET ended_at = ?, expires_at = access_until, address = ''
		WHERE user_id = ? AND ended_at IS NULL AND session_id <> ?`, tx.ServerNow().UnixMicro(), userID, except)
	return err
}

// eachEnded visits the ended sessions whose access tokens may not have expired.
func eachEnded(tx *db.Tx, now time.Time, visit func(id string)) error {
	return sessionTable.Each(tx, func(s session) { visit(s.id) },
		`SELECT session_id FROM sessions WHERE ended_at IS NOT NULL AND access_until > ?`, now.UnixMicro())
}

// knowsNetwork returns whether a session of the user came from the network.
func knowsNetwork(tx *db.Tx, userID string, network int64) (known bool, err error) {
	_, known, err = sessionTable.One(tx,
		`SELECT session_id FROM sessions WHERE user_id = ? AND network = ? LIMIT 1`, userID, network)
	return known, err
}

// refreshToken is a stored refresh token, of which only the hash is known.
type refreshToken struct {
	hash      string
	sessionID string
	expiresAt time.Time
	usedAt    time.Time // time of the first use; zero if unused
	uses      int64
}

var refreshTable = db.NewTable("refresh_tokens", "token_hash", func(t *refreshToken) db.Row {
	return db.Row{
		"token_hash", &t.hash, "session_id", &t.sessionID, "expires_at", db.Time(&t.expiresAt),
		"used_at", db.Time(&t.usedAt), "uses", &t.uses,
	}
})

func insertRefreshToken(tx *db.Tx, t *refreshToken) error {
	return refreshTable.Insert(tx, t)
}

func findRefreshToken(tx *db.Tx, hash string) (refreshToken, bool, error) {
	return refreshTable.One(tx, `SELECT * FROM refresh_tokens WHERE token_hash = ?`, hash)
}

func markUsed(tx *db.Tx, hash string) error {
	_, err := tx.Exec(`UPDATE refresh_tokens SET used_at = COALESCE(used_at, ?), uses = uses + 1 WHERE token_hash = ?`,
		tx.ServerNow().UnixMicro(), hash)
	return err
}

func deleteRefreshTokens(tx *db.Tx, userID string) error {
	_, err := tx.Exec(`DELETE FROM refresh_tokens
		WHERE session_id IN (SELECT session_id FROM sessions WHERE user_id = ?)`, userID)
	return err
}

func deleteTokensOf(tx *db.Tx, sessionID string) error {
	_, err := tx.Exec(`DELETE FROM refresh_tokens WHERE session_id = ?`, sessionID)
	return err
}

func deleteExpiredTokens(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("refresh_tokens", "token_hash",
		db.NewSQL("expires_at <= ? ORDER BY expires_at", tx.ServerNow().UnixMicro()), expiredAtOnce)
}

func deleteExpiredSessions(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("sessions", "session_id",
		db.NewSQL("expires_at <= ? ORDER BY expires_at", tx.ServerNow().UnixMicro()), expiredAtOnce)
}
