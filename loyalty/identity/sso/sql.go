package sso

import (
	"time"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const providerColumns = "provider_id, name, issuer, client_id, client_secret, scopes, group_claim, grants, enabled, " +
	"created_at"

// providerTable is where providers are stored: those of the installation, or those of all stores.
type providerTable struct {
	name, columns string
	row           func(p *Provider) []any
	of            *db.SQL // condition of its rows
}

func providersOf(storeKey int64) providerTable {
	if storeKey == 0 {
		return providerTable{
			"sso_providers", providerColumns + ", store_grants", func(p *Provider) []any {
				return append(p.row(), db.JSON(&p.StoreGrants))
			}, db.NewSQL("TRUE"),
		}
	}
	return providerTable{
		"sso_store_providers", providerColumns + ", seller_grants, store_id", func(p *Provider) []any {
			return append(p.row(), db.JSON(&p.SellerGrants), &p.StoreKey)
		}, db.NewSQL("store_id = ?", storeKey),
	}
}

func (p *Provider) row() []any {
	return []any{
		&p.ID, &p.Name, &p.Issuer, &p.ClientID, &p.clientSecret, db.JSON(&p.Scopes), &p.GroupClaim, db.JSON(&p.Grants),
		&p.Enabled, db.Time(&p.CreatedAt),
	}
}

func insertProvider(tx *db.Tx, p *Provider) error {
	in := providersOf(p.StoreKey)
	return tx.Insert(in.name, in.columns, "", in.row(p))
}

// isTaken reports whether a provider of the installation or of a store has an id.
func isTaken(tx *db.Tx, id string) (bool, error) {
	return db.Value[bool](tx, `SELECT EXISTS (SELECT 1 FROM sso_providers WHERE provider_id = ?)
		OR EXISTS (SELECT 1 FROM sso_store_providers WHERE provider_id = ?)`, id, id)
}

func deleteProvider(tx *db.Tx, storeKey int64, id string) error {
	in := providersOf(storeKey)
	n, err := tx.Exec(`DELETE FROM `+in.name+` WHERE ? AND provider_id = ?`, in.of, id)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

// findProvider finds a provider. It returns fault.ErrNotFound for an unknown id.
func findProvider(tx *db.Tx, storeKey int64, id string) (Provider, error) {
	in := providersOf(storeKey)
	p, found, err := db.One(tx, in.row,
		`SELECT `+in.columns+` FROM `+in.name+` WHERE ? AND provider_id = ?`, in.of, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return p, err
}

// allProviders lists all providers of a store, or of the installation for 0, by name. There are at most ProviderLimit.
func allProviders(tx *db.Tx, storeKey int64) ([]Provider, error) {
	in := providersOf(storeKey)
	return db.All(tx, in.row, `SELECT `+in.columns+` FROM `+in.name+` WHERE ? ORDER BY name, provider_id`, in.of)
}

// identityTable is where identities are stored, like providerTable.
type identityTable struct {
	name, columns string
	row           func(i *identity) []any
}

func identitiesIn(storeKey int64) identityTable {
	if storeKey == 0 {
		return identityTable{
			"sso_identities", "issuer, subject, identity_id, admin_id, linked_at, last_used_at", (*identity).row,
		}
	}
	return identityTable{
		"sso_store_identities", "issuer, subject, identity_id, user_id, linked_at, last_used_at, store_id, role",
		func(i *identity) []any { return append(i.row(), &i.storeKey, &i.role) },
	}
}

func (i *identity) row() []any {
	return []any{&i.issuer, &i.subject, &i.id, &i.userID, db.Time(&i.linkedAt), db.Time(&i.lastUsedAt)}
}

// key is the condition of the row of an identity.
func (i *identity) key() *db.SQL {
	if i.storeKey == 0 {
		return db.NewSQL("issuer = ? AND subject = ?", i.issuer, i.subject)
	}
	return db.NewSQL("store_id = ? AND role = ? AND issuer = ? AND subject = ?",
		i.storeKey, string(i.role), i.issuer, i.subject)
}

// insertIdentity adds an identity. inserted is false if the user of the provider is linked already.
func insertIdentity(tx *db.Tx, i *identity) (inserted bool, err error) {
	in := identitiesIn(i.storeKey)
	return tx.InsertNew(in.name, in.columns, in.row(i))
}

// findIdentity finds a user of a provider. Changes of identities hold lockAccounts.
func findIdentity(tx *db.Tx, p *Provider, role access.Role, subject string) (identity, bool, error) {
	in, wanted := identitiesIn(p.StoreKey), p.identity(role, subject)
	found, known, err := db.One(tx, in.row, `SELECT `+in.columns+` FROM `+in.name+` WHERE ?`, wanted.key())
	found.role = role // which the table of the installation does not store
	return found, known, err
}

// identitiesOf lists the identities of an administrator of the installation, or of a seller of a store. There are at
// most IdentityLimit.
func identitiesOf(tx *db.Tx, storeKey int64, userID string) ([]identity, error) {
	in, of := identitiesIn(storeKey), db.NewSQL("admin_id = ?", userID)
	if storeKey != 0 {
		of = db.NewSQL("store_id = ? AND user_id = ?", storeKey, userID)
	}
	return db.All(tx, in.row, `SELECT `+in.columns+` FROM `+in.name+` WHERE ? ORDER BY linked_at, identity_id`, of)
}

func useIdentity(tx *db.Tx, i *identity) error {
	_, err := tx.Exec(`UPDATE `+identitiesIn(i.storeKey).name+` SET last_used_at = ? WHERE ?`,
		tx.ServerNow().UnixMicro(), i.key())
	return err
}

func deleteIdentity(tx *db.Tx, i *identity) error {
	_, err := tx.Exec(`DELETE FROM `+identitiesIn(i.storeKey).name+` WHERE ?`, i.key())
	return err
}

var attemptTable = db.NewTable("sso_attempts", "state_hash", func(a *attempt) db.Row {
	return db.Row{
		"state_hash", &a.stateHash, "browser_hash", &a.browserHash, "provider_id", &a.providerID, "admin_id", &a.userID,
		"expires_at", db.Time(&a.expiresAt), "store_id", &a.storeKey, "role", &a.role,
	}
})

func insertAttempt(tx *db.Tx, a *attempt) error {
	return attemptTable.Insert(tx, a)
}

func findAttempt(tx *db.Tx, stateHash string) (attempt, bool, error) {
	return attemptTable.One(tx, `SELECT * FROM sso_attempts WHERE state_hash = ?`, stateHash)
}

// deleteAttempt ends an attempt. Of concurrent callers one gets true.
func deleteAttempt(tx *db.Tx, stateHash string) (ended bool, err error) {
	n, err := tx.Exec(`DELETE FROM sso_attempts WHERE state_hash = ?`, stateHash)
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

// passwordLoginID is the id of the row with the setting of the installation; there is no other row.
const passwordLoginID = 1

// readPasswordLogin returns which administrators may sign in with a password, or which sellers of a store.
func readPasswordLogin(tx *db.Tx, storeKey int64) (string, error) {
	query, key := `SELECT allowed FROM sso_store_password_login WHERE store_id = ?`, storeKey
	if storeKey == 0 {
		query, key = `SELECT allowed FROM sso_password_login WHERE id = ?`, passwordLoginID
	}
	allowed, found, err := db.One(tx, func(text *string) []any { return []any{text} }, query, key)
	if err == nil && !found {
		allowed = Everybody
	}
	return allowed, err
}

func writePasswordLogin(tx *db.Tx, storeKey int64, allowed string) error {
	if storeKey == 0 {
		return tx.Insert("sso_password_login", "id, allowed", "ON CONFLICT (id) DO UPDATE SET allowed = excluded.allowed",
			[]any{passwordLoginID, allowed})
	}
	return tx.Insert("sso_store_password_login", "store_id, allowed",
		"ON CONFLICT (store_id) DO UPDATE SET allowed = excluded.allowed", []any{storeKey, allowed})
}
