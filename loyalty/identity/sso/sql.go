package sso

import (
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const providerColumns = "provider_id, name, issuer, client_id, client_secret, scopes, group_claim, grants, enabled, " +
	"created_at"

func (p *Provider) row() []any {
	return []any{
		&p.ID, &p.Name, &p.Issuer, &p.ClientID, &p.clientSecret, db.JSON(&p.Scopes), &p.GroupClaim, db.JSON(&p.Grants),
		&p.Enabled, db.Time(&p.CreatedAt),
	}
}

func insertProvider(tx *db.Tx, p *Provider) error {
	return tx.Insert("sso_providers", providerColumns, "", p.row())
}

func updateProvider(tx *db.Tx, p *Provider) error {
	_, err := tx.Exec(`UPDATE sso_providers SET name = $2, issuer = $3, client_id = $4, client_secret = $5, scopes = $6,
		group_claim = $7, grants = $8, enabled = $9, created_at = $10 WHERE provider_id = $1`, p.row()...)
	return err
}

func deleteProvider(tx *db.Tx, id string) error {
	n, err := tx.Exec(`DELETE FROM sso_providers WHERE provider_id = $1`, id)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

// findProvider finds a provider. It returns fault.ErrNotFound for an unknown id.
func findProvider(tx *db.Tx, id string) (Provider, error) { return readProvider(tx, id, "") }

// lockProvider is findProvider with a row lock.
func lockProvider(tx *db.Tx, id string) (Provider, error) { return readProvider(tx, id, " FOR UPDATE") }

func readProvider(tx *db.Tx, id, ending string) (Provider, error) {
	p, found, err := db.One(tx, (*Provider).row,
		`SELECT `+providerColumns+` FROM sso_providers WHERE provider_id = $1`+ending, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return p, err
}

// allProviders lists all providers by name. There are at most ProviderLimit.
func allProviders(tx *db.Tx) ([]Provider, error) {
	return db.All(tx, (*Provider).row, `SELECT `+providerColumns+` FROM sso_providers ORDER BY name, provider_id`)
}

const identityColumns = "issuer, subject, identity_id, admin_id, linked_at, last_used_at"

func (i *identity) row() []any {
	return []any{&i.issuer, &i.subject, &i.id, &i.adminID, db.Time(&i.linkedAt), db.Time(&i.lastUsedAt)}
}

// insertIdentity adds an identity. inserted is false if the user of the provider is linked already.
func insertIdentity(tx *db.Tx, i *identity) (inserted bool, err error) {
	return tx.InsertNew("sso_identities", identityColumns, i.row())
}

// findIdentity finds a user of a provider. Changes of identities hold admin.LockRoles.
func findIdentity(tx *db.Tx, issuer, subject string) (identity, bool, error) {
	return db.One(tx, (*identity).row, `SELECT `+identityColumns+` FROM sso_identities
		WHERE issuer = $1 AND subject = $2`, issuer, subject)
}

// identitiesOf lists the identities of an administrator. There are at most IdentityLimit.
func identitiesOf(tx *db.Tx, adminID string) ([]identity, error) {
	return db.All(tx, (*identity).row, `SELECT `+identityColumns+` FROM sso_identities
		WHERE admin_id = $1 ORDER BY linked_at, identity_id`, adminID)
}

func useIdentity(tx *db.Tx, i *identity) error {
	_, err := tx.Exec(`UPDATE sso_identities SET last_used_at = $3 WHERE issuer = $1 AND subject = $2`,
		i.issuer, i.subject, tx.ServerNow().UnixMicro())
	return err
}

func deleteIdentity(tx *db.Tx, i *identity) error {
	_, err := tx.Exec(`DELETE FROM sso_identities WHERE issuer = $1 AND subject = $2`, i.issuer, i.subject)
	return err
}

const attemptColumns = "state_hash, browser_hash, provider_id, admin_id, expires_at"

func (a *attempt) row() []any {
	return []any{&a.stateHash, &a.browserHash, &a.providerID, &a.adminID, db.Time(&a.expiresAt)}
}

func insertAttempt(tx *db.Tx, a *attempt) error {
	return tx.Insert("sso_attempts", attemptColumns, "", a.row())
}

func findAttempt(tx *db.Tx, stateHash string) (attempt, bool, error) {
	return db.One(tx, (*attempt).row, `SELECT `+attemptColumns+` FROM sso_attempts WHERE state_hash = $1`, stateHash)
}

// deleteAttempt ends an attempt. Of concurrent callers one gets true.
func deleteAttempt(tx *db.Tx, stateHash string) (ended bool, err error) {
	n, err := tx.Exec(`DELETE FROM sso_attempts WHERE state_hash = $1`, stateHash)
	return n == 1, err
}

func deleteExpiredAttempts(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("sso_attempts", "state_hash",
		db.NewSQL("expires_at <= ? ORDER BY expires_at", tx.ServerNow().UnixMicro()), expiredAtOnce)
}

// useLogout stores the id of a logout token until it is refused anyway. first is false if it was used before.
func useLogout(tx *db.Tx, providerID, tokenID string, until time.Time) (first bool, err error) {
	return tx.InsertNew("sso_logouts", "provider_id, token_hash, expires_at",
		[]any{providerID, hash(tokenID), until.UnixMicro()})
}

func deleteExpiredLogouts(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("sso_logouts", "provider_id, token_hash",
		db.NewSQL("expires_at <= ? ORDER BY expires_at", tx.ServerNow().UnixMicro()), expiredAtOnce)
}

// passwordLogin is the only row of its table.
const passwordLoginID = 1

// readPasswordLogin returns who may sign in with a password.
func readPasswordLogin(tx *db.Tx) (string, error) {
	allowed, found, err := db.One(tx, func(text *string) []any { return []any{text} },
		`SELECT allowed FROM sso_password_login WHERE id = $1`, passwordLoginID)
	if err == nil && !found {
		allowed = Everybody
	}
	return allowed, err
}

func writePasswordLogin(tx *db.Tx, allowed string) error {
	return tx.Insert("sso_password_login", "id, allowed", "ON CONFLICT (id) DO UPDATE SET allowed = excluded.allowed",
		[]any{passwordLoginID, allowed})
}
