package admin

import (
	"encoding/json"

	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Administrators is the table of administrators, as one of no store.
var Administrators = check.Table{
	Name: "(SELECT 0 AS store_id, admin_id FROM administrators) administrators", ID: "admin_id",
}

// Rules are the rules that punchcard check verifies for administrators and roles.
func Rules() []check.Rule {
	return []check.Rule{
		check.Rows("admin.default_role", `SELECT 0, 'default', COUNT(*), 1 FROM roles WHERE is_default = TRUE
			HAVING COUNT(*) <> 1 AND (SELECT COUNT(*) FROM roles) > 0`),
		check.Fold("admin.permissions", checkPermissions),
		check.Rows("admin.only_store", `SELECT only_store, admin_id, 'a role elsewhere', 'none' FROM administrators a
			WHERE only_store <> 0 AND (role_id IS NOT NULL OR EXISTS (SELECT 1 FROM administrator_roles r
				WHERE r.admin_id = a.admin_id AND r.store_id <> a.only_store))`),
	}
}

// checkPermissions reads all roles. There are few.
func checkPermissions(tx *db.Tx, found func(store int64, id, is, want string)) error {
	type row struct{ id, text string }
	return db.Each(tx, func(r *row) []any { return []any{db.Text(&r.id), &r.text} }, func(r row) {
		if err := json.Unmarshal([]byte(r.text), new(map[string][]string)); err != nil {
			found(0, r.id, r.text, "JSON")
		}
	}, `SELECT role_id, permissions FROM roles`)
}
