package admin

import (
	"crypto/subtle"
	"database/sql/driver"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/search"
)

var roleTable = db.NewConfiguration("roles", "role_id", func(r *Role) db.Row {
	return db.Row{
		"role_id", &r.ID, "name", &r.Name, "master", &r.Master, "is_default", &r.Default,
		"permissions", db.JSON(&r.Permissions), "name_order", db.Derived(&r.Name, search.Fold),
	}
})

func insertRoles(tx *db.Tx, roles ...Role) error {
	return roleTable.InsertOr(tx, "ON CONFLICT DO NOTHING", db.Pointers(roles)...)
}

// FindRole finds a role by its id.
func FindRole(tx *db.Tx, id int64) (Role, bool, error) {
	return roleTable.One(tx, `SELECT * FROM roles WHERE role_id = ?`, id)
}

// LockRoles serializes all changes of roles and administrators, which are rare, so that rules about several of them
// can be checked.
func LockRoles(tx *db.Tx) error {
	_, err := tx.Exec(`SELECT role_id FROM roles ORDER BY role_id FOR UPDATE`)
	return err
}

// Exists reports whether there is any administrator.
func Exists(tx *db.Tx) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM administrators LIMIT 1) AS found`)
	return n > 0, err
}

var sortableRoles = api.Order{Tie: "role_id", Columns: map[string]api.Column{
	"id": "role_id", "name": "name_order", "master": "master", "default": "is_default",
}}

// allRoles lists all roles. There are few.
func allRoles(tx *db.Tx, order db.Order) ([]Role, error) {
	return roleTable.All(tx, `SELECT * FROM roles ORDER BY ?`, order)
}

func updateRole(tx *db.Tx, r *Role) error {
	return roleTable.Update(tx, "name, master, is_default, permissions, name_order", r)
}

func unmarkOtherRoles(tx *db.Tx, id int64) error {
	_, err := tx.Exec(`UPDATE roles SET is_default = FALSE WHERE is_default = TRUE AND role_id <> ?`, id)
	return err
}

func deleteRole(tx *db.Tx, id int64) error {
	_, err := tx.Exec(`DELETE FROM roles WHERE role_id = ?`, id)
	return err
}

// holders lists the ids of the administrators with a role, in all stores or in some.
func holders(tx *db.Tx, roleID int64) ([]string, error) {
	return db.AllValues[string](tx, `
		SELECT admin_id FROM administrators WHERE role_id = ?
		UNION SELECT admin_id FROM administrator_roles WHERE role_id = ? ORDER BY admin_id`, roleID, roleID)
}

var table = db.NewTable("administrators", "admin_id", func(a *Administrator) db.Row {
	return db.Row{
		"admin_id", &a.ID, "username", &a.Username, "email", &a.Email, "first_name", &a.FirstName,
		"last_name", &a.LastName, "phone", &a.Phone, "password_hash", &a.PasswordHash, "api_key_hash", &a.apiKeyHash,
		"api_key_end", &a.apiKeyEnd, "external", &a.External, "active", &a.Active,
		"notifications_enabled", &a.NotificationsEnabled, "role_id", roleColumn{&a.RoleID},
		"last_login_at", db.Time(&a.LastLoginAt), "created_at", db.Time(&a.CreatedAt),
		"invited_until", db.Time(&a.InvitedUntil), "only_store", &a.OnlyStore,
		"first_name_order", db.Derived(&a.FirstName, search.Fold), "last_name_order", db.Derived(&a.LastName, search.Fold),
	}
})

func insertAdministrator(tx *db.Tx, a *Administrator) error {
	inserted, err := table.InsertNew(tx, a)
	if err == nil && !inserted {
		return ErrTaken
	}
	return err
}

func updateAdministrator(tx *db.Tx, a *Administrator) error {
	err := table.Update(tx, "email, first_name, last_name, phone, password_hash, api_key_hash, api_key_end, active, "+
		"notifications_enabled, role_id, first_name_order, last_name_order, invited_until", a)
	if err != nil {
		return err
	}
	return replaceStoreRoles(tx, a)
}

// takenFields returns the unique fields whose value another administrator has.
func takenFields(tx *db.Tx, a *Administrator) ([]string, error) {
	return db.AllValues[string](tx, `
		SELECT 'email' FROM administrators WHERE email = ? AND email <> '' AND admin_id <> ?
		UNION ALL SELECT 'key' FROM administrators WHERE api_key_hash = ? AND api_key_hash <> '' AND admin_id <> ?`,
		a.Email, a.ID, a.apiKeyHash, a.ID)
}

// activeMasters counts the active people with all rights who have accepted their invitation, except one.
func activeMasters(tx *db.Tx, except string) (int, error) {
	return db.Value[int](tx, `SELECT COUNT(*) FROM administrators a CROSS JOIN roles r
		WHERE r.role_id = a.role_id AND r.master = TRUE AND a.active = TRUE AND a.external = FALSE
			AND a.password_hash <> '' AND a.admin_id <> ?`, except)
}

// Masters lists the active people with all rights who have an e-mail address.
func Masters(tx *db.Tx) ([]Administrator, error) {
	return table.All(tx, `SELECT * FROM administrators
		WHERE active = TRUE AND external = FALSE AND email <> '' AND password_hash <> ''
			AND role_id IN (SELECT role_id FROM roles WHERE master = TRUE) ORDER BY admin_id`)
}

var sortable = api.Order{Tie: "admin_id", Columns: map[string]api.Column{
	"id": "admin_id", "username": "username", "firstName": "first_name_order", "lastName": "last_name_order",
	"phone": "phone", "email": "email", "isActive": "active", "createAt": "created_at", "external": "external",
}}

// readPage lists administrators and counts them, because there are few.
func readPage(tx *db.Tx, order db.Order, limit, offset int) (found []Administrator, total int, err error) {
	if total, err = db.Value[int](tx, `SELECT COUNT(*) FROM administrators`); err != nil {
		return nil, 0, err
	}
	found, err = table.All(tx, `SELECT * FROM administrators ORDER BY ? LIMIT ? OFFSET ?`, order, limit, offset)
	if err != nil || len(found) == 0 {
		return found, total, err
	}
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	roles, err := storeRolesOf(tx, ids...)
	for i := range found {
		found[i].StoreRoles = roles[found[i].ID]
	}
	return found, total, err
}

// SetPassword replaces an administrator's password, which accepts an invitation; changed is false if it is no longer
// former.
func SetPassword(tx *db.Tx, id, former, hash string) (changed bool, err error) {
	n, err := tx.Exec(`UPDATE administrators SET password_hash = ?, invited_until = NULL
		WHERE admin_id = ? AND password_hash = ?`, hash, id, former)
	return n == 1, err
}

// FindByID finds an administrator, active or not.
func FindByID(tx *db.Tx, id string) (Administrator, bool, error) {
	a, found, err := table.One(tx, `SELECT * FROM administrators WHERE admin_id = ?`, id)
	return withStoreRoles(tx, a, found, err)
}

// FindByLogin finds an administrator, active or not, by user name or else by e-mail address, without regard to case.
func FindByLogin(tx *db.Tx, usernameOrEmail string) (Administrator, bool, error) {
	a, found, err := table.One(tx, `SELECT * FROM administrators
		WHERE username = ? OR (email = ? AND email <> '') ORDER BY username = ? DESC`,
		fold(usernameOrEmail), fold(usernameOrEmail), fold(usernameOrEmail))
	return withStoreRoles(tx, a, found, err)
}

// FindByAPIKey finds an integration, active or not, by its permanent key.
func FindByAPIKey(tx *db.Tx, key string) (Administrator, bool, error) {
	hash := hashKey(key)
	a, found, err := table.One(tx, `SELECT * FROM administrators
		WHERE api_key_hash = ? AND api_key_hash <> ''`, hash)
	if !found || subtle.ConstantTimeCompare([]byte(hash), []byte(a.apiKeyHash)) != 1 {
		return Administrator{}, false, err
	}
	return withStoreRoles(tx, a, true, err)
}

// SetLastLogin records the time of a log-in. same is false, and nothing is recorded, if the administrator is no
// longer active or no longer has the password.
func SetLastLogin(tx *db.Tx, id, passwordHash string) (same bool, err error) {
	n, err := tx.Exec(`UPDATE administrators SET last_login_at = ?
		WHERE admin_id = ? AND password_hash = ? AND active = TRUE`, tx.Now().UnixMicro(), id, passwordHash)
	return n == 1, err
}

// lockAdministrator makes a concurrent SetPassword wait.
func lockAdministrator(tx *db.Tx, id string) error {
	_, err := tx.Exec(`SELECT admin_id FROM administrators WHERE admin_id = ? FOR UPDATE`, id)
	return err
}

func deleteInvited(tx *db.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM administrators WHERE admin_id = ? AND password_hash = ''`, id)
	return err
}

// roleColumn stores 0, for no role in all stores, as NULL.
type roleColumn struct{ id *int64 }

// Value returns the id, and NULL for 0.
func (c roleColumn) Value() (driver.Value, error) {
	if *c.id == 0 {
		return nil, nil
	}
	return *c.id, nil
}

// Scan reads what Value returns.
func (c roleColumn) Scan(source any) error {
	*c.id, _ = source.(int64)
	return nil
}

// storeRolesOf lists the roles in stores of administrators, by their ids.
func storeRolesOf(tx *db.Tx, adminIDs ...string) (map[string][]StoreRole, error) {
	roles := map[string][]StoreRole{}
	q := db.NewSQL(`SELECT admin_id, store_id, role_id FROM administrator_roles WHERE admin_id IN ?
		ORDER BY admin_id, store_id`, db.List(adminIDs))
	err := storeRoles.Each(tx, func(r heldRole) { roles[r.adminID] = append(roles[r.adminID], r.StoreRole) }, "?", q)
	return roles, err
}

// heldRole is the role of an administrator in a store.
type heldRole struct {
	adminID string
	StoreRole
}

var storeRoles = db.NewTable("administrator_roles", "store_id, admin_id", func(r *heldRole) db.Row {
	return db.Row{"store_id", &r.StoreKey, "admin_id", &r.adminID, "role_id", &r.RoleID}
})

// replaceStoreRoles stores the roles of an administrator in stores in place of those that are stored.
func replaceStoreRoles(tx *db.Tx, a *Administrator) error {
	if err := deleteStoreRoles(tx, a.ID); err != nil || len(a.StoreRoles) == 0 {
		return err
	}
	rows := make([]*heldRole, len(a.StoreRoles))
	for i, role := range a.StoreRoles {
		rows[i] = &heldRole{a.ID, role}
	}
	return storeRoles.Insert(tx, rows...)
}

func deleteStoreRoles(tx *db.Tx, adminID string) error {
	_, err := tx.Exec(`DELETE FROM administrator_roles WHERE admin_id = ?`, adminID)
	return err
}
