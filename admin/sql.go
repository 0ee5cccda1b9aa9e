package admin

import (
	"crypto/subtle"

	"punchcard/platform/db"
)

const roleColumns = "role_id, name, master, is_default, permissions"

func (r *Role) row() []any {
	return []any{&r.ID, &r.Name, &r.Master, &r.Default, db.JSON(&r.Permissions)}
}

func insertRoles(tx *db.Tx, roles ...Role) error {
	rows := make([][]any, len(roles))
	for i := range roles {
		rows[i] = roles[i].row()
	}
	return tx.Insert("roles", roleColumns, "ON CONFLICT DO NOTHING", rows...)
}

// FindRole finds a role by its id.
func FindRole(tx *db.Tx, id int64) (Role, bool, error) {
	return db.One(tx, (*Role).row, `SELECT `+roleColumns+` FROM roles WHERE role_id = $1`, id)
}

const columns = `admin_id, username, email, first_name, last_name, phone, password_hash, api_key_hash,
	external, active, notifications_enabled, role_id, last_login_at, created_at`

func (a *Administrator) row() []any {
	return []any{
		&a.ID, &a.Username, &a.Email, &a.FirstName, &a.LastName, &a.Phone, &a.PasswordHash, &a.apiKeyHash,
		&a.External, &a.Active, &a.NotificationsEnabled, &a.RoleID, db.Time(&a.LastLoginAt), db.Time(&a.CreatedAt),
	}
}

func insert(tx *db.Tx, a *Administrator) error {
	inserted, err := tx.InsertNew("administrators", columns, a.row())
	if err == nil && !inserted {
		return ErrTaken
	}
	return err
}

// FindByID finds an administrator, active or not.
func FindByID(tx *db.Tx, id string) (Administrator, bool, error) {
	return db.One(tx, (*Administrator).row, `SELECT `+columns+` FROM administrators WHERE admin_id = $1`, id)
}

// FindByLogin finds an administrator, active or not, by user name, else by e-mail address. Case does
// not count.
func FindByLogin(tx *db.Tx, usernameOrEmail string) (Administrator, bool, error) {
	return db.One(tx, (*Administrator).row, `SELECT `+columns+` FROM administrators
		WHERE username = $1 OR (email = $1 AND email <> '') ORDER BY username = $1 DESC`, fold(usernameOrEmail))
}

// FindByAPIKey finds an integration, active or not, by its permanent key.
func FindByAPIKey(tx *db.Tx, key string) (Administrator, bool, error) {
	hash := hashKey(key)
	a, found, err := db.One(tx, (*Administrator).row, `SELECT `+columns+` FROM administrators
		WHERE api_key_hash = $1 AND api_key_hash <> ''`, hash)
	if !found || subtle.ConstantTimeCompare([]byte(hash), []byte(a.apiKeyHash)) != 1 {
		return Administrator{}, false, err
	}
	return a, true, err
}

// SetLastLogin notes that the administrator logs in now.
func SetLastLogin(tx *db.Tx, id string) error {
	_, err := tx.Exec(`UPDATE administrators SET last_login_at = $2 WHERE admin_id = $1`, id, tx.Now.UnixMicro())
	return err
}
