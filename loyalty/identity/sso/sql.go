package sso

import (
	"cmp"
	"time"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

var (
	// installationProviders has the providers of the installation, and storeProviders those of all stores.
	installationProviders = db.NewTable("sso_providers", "provider_id", func(p *Provider) db.Row {
		return append(p.row(), "store_grants", db.JSON(&p.StoreGrants))
	})
	storeProviders = db.NewTable("sso_store_providers", "store_id, provider_id", func(p *Provider) db.Row {
		return append(p.row(), "seller_grants", db.JSON(&p.SellerGrants), "store_id", &p.StoreKey)
	})
)

func (p *Provider) row() db.Row {
	return db.Row{
		"provider_id", &p.ID, "name", &p.Name, "issuer", &p.Issuer, "client_id", &p.ClientID,
		"client_secret", &p.clientSecret, "scopes", db.JSON(&p.Scopes), "group_claim", &p.GroupClaim,
		"grants", db.JSON(&p.Grants), "enabled", &p.Enabled, "created_at", db.Time(&p.CreatedAt),
	}
}

// providersOf returns the table of the providers of a store, or of the installation for 0, and the condition of its
// rows.
func providersOf(storeKey int64) (*db.Table[Provider], *db.SQL) {
	if storeKey == 0 {
		return installationProviders, db.NewSQL("TRUE")
	}
	return storeProviders, db.NewSQL("store_id = ?", storeKey)
}

func insertProvider(tx *db.Tx, p *Provider) error {
	in, _ := providersOf(p.StoreKey)
	return in.Insert(tx, p)
}

// isTaken reports whether a provider of the installation or of a store has an id.
func isTaken(tx *db.Tx, id string) (bool, error) {
	return db.Value[bool](tx, `SELECT EXISTS (SELECT 1 FROM sso_providers WHERE provider_id = ?)
		OR EXISTS (SELECT 1 FROM sso_store_providers WHERE provider_id = ?)`, id, id)
}

func deleteProvider(tx *db.Tx, storeKey int64, id string) error {
	in, of := providersOf(storeKey)
	n, err := tx.Exec(`DELETE FROM `+in.Name+` WHERE ? AND provider_id = ?`, of, id)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

// findProvider finds a provider. It returns fault.ErrNotFound for an unknown id.
func findProvider(tx *db.Tx, storeKey int64, id string) (Provider, error) {
	in, of := providersOf(storeKey)
	p, found, err := in.One(tx, `SELECT * FROM `+in.Name+` WHERE ? AND provider_id = ?`, of, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return p, err
}

// allProviders lists all providers of a store, or of the installation for 0, by name. There are at most ProviderLimit.
func allProviders(tx *db.Tx, storeKey int64) ([]Provider, error) {
	in, of := providersOf(storeKey)
	return in.All(tx, `SELECT * FROM `+in.Name+` WHERE ? ORDER BY name, provider_id`, of)
}

var (
	installationIdentities = db.NewTable("sso_identities", "issuer, subject", func(i *identity) db.Row {
		return append(i.row(), "admin_id", &i.userID)
	})
	storeIdentities = db.NewTable("sso_store_identities", "store_id, role, issuer, subject", func(i *identity) db.Row {
		return append(i.row(), "user_id", &i.userID, "store_id", &i.storeKey, "role", &i.role)
	})
)

func (i *identity) row() db.Row {
	return db.Row{
		"issuer", &i.issuer, "subject", &i.subject, "identity_id", &i.id, "linked_at", db.Time(&i.linkedAt),
		"last_used_at", db.Time(&i.lastUsedAt),
	}
}

// identitiesIn returns the table of the identities of a store, or of the installation for 0.
func identitiesIn(storeKey int64) *db.Table[identity] {
	if storeKey == 0 {
		return installationIdentities
	}
	return storeIdentities
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
	return identitiesIn(i.storeKey).InsertNew(tx, i)
}

// findIdentity finds a user of a provider. Changes of identities hold lockAccounts.
func findIdentity(tx *db.Tx, p *Provider, role access.Role, subject string) (identity, bool, error) {
	in, wanted := identitiesIn(p.StoreKey), p.identity(role, subject)
	found, known, err := in.One(tx, `SELECT * FROM `+in.Name+` WHERE ?`, wanted.key())
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
	return in.All(tx, `SELECT * FROM `+in.Name+` WHERE ? ORDER BY linked_at, identity_id`, of)
}

func useIdentity(tx *db.Tx, i *identity) error {
	i.lastUsedAt = tx.ServerNow()
	return identitiesIn(i.storeKey).Update(tx, "last_used_at", i)
}

func deleteIdentity(tx *db.Tx, i *identity) error {
	return identitiesIn(i.storeKey).Delete(tx, i)
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
	return logoutTable.InsertNew(tx, &logout{providerID, hash(tokenID), until})
}

// logout is a logout token that was used.
type logout struct {
	providerID, tokenHash string
	expiresAt             time.Time
}

var logoutTable = db.NewTable("sso_logouts", "provider_id, token_hash", func(l *logout) db.Row {
	return db.Row{"provider_id", &l.providerID, "token_hash", &l.tokenHash, "expires_at", db.Time(&l.expiresAt)}
})

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
	allowed, err := db.Value[string](tx, query, key)
	return cmp.Or(allowed, Everybody), err
}

func writePasswordLogin(tx *db.Tx, storeKey int64, allowed string) error {
	if storeKey == 0 {
		return passwordLogin.Put(tx, &passwordLogins{passwordLoginID, allowed})
	}
	return storePasswordLogin.Put(tx, &passwordLogins{storeKey, allowed})
}

// passwordLogins is the setting of who may sign in with a password.
type passwordLogins struct {
	key     int64 // passwordLoginID or the store
	allowed string
}

var (
	passwordLogin = db.NewTable("sso_password_login", "id", func(p *passwordLogins) db.Row {
		return db.Row{"id", &p.key, "allowed", &p.allowed}
	})
	storePasswordLogin = db.NewTable("sso_store_password_login", "store_id", func(p *passwordLogins) db.Row {
		return db.Row{"store_id", &p.key, "allowed", &p.allowed}
	})
)
