package apikey

import (
	"encoding/json"
	"errors"
	"net/netip"
	"slices"

	"punchcard/core/store"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// keys is the table of keys, as one of no store.
var keys = check.Table{Name: "(SELECT 0 AS store_id, api_keys.* FROM api_keys) api_keys", ID: "key_id"}

// Rules are the rules that punchcard check verifies for keys.
func Rules() []check.Rule {
	return []check.Rule{
		check.Decodes("key.permissions", keys, "permissions", checkPermissions),
		check.JSON[[]netip.Prefix]("key.addresses", keys, "addresses"),
		check.Fold("key.stores", checkStores),
		check.Rows("key.secret", `SELECT 0, key_id, beginning, 'a hash and the beginning of a secret' FROM api_keys
			WHERE (beginning NOT LIKE '`+prefix+`%'
				AND beginning NOT LIKE '`+testPrefix+`%') OR secret_hash = former_hash OR LENGTH(secret_hash) <> 64`),
		check.Rows("key.rotation", `SELECT 0, key_id, former_hash, 'a former secret and when it expires, or none'
			FROM api_keys WHERE (former_hash = '') <> (former_until IS NULL) OR former_hash <> '' AND rotations = 0`),
		check.Rows("key.limit", `SELECT 0, key_id, requests_per_minute, '0 or more' FROM api_keys
			WHERE requests_per_minute < 0`),
		check.Rows("key.use", `SELECT 0, key_id, last_used_from, 'a time and an address, or none' FROM api_keys
			WHERE (last_used_at IS NULL) <> (last_used_from = '')`),
	}
}

var errPermission = errors.New("a permission that no key can have")

// checkPermissions refuses permissions that no key can have.
func checkPermissions(text []byte) error {
	var permissions map[string][]string
	if err := json.Unmarshal(text, &permissions); err != nil {
		return err
	}
	for resource, granted := range permissions {
		for _, a := range granted {
			if !slices.Contains(Grantable(resource), a) {
				return errPermission
			}
		}
	}
	return nil
}

// checkStores finds keys for stores that do not exist.
func checkStores(tx *db.Tx, found func(store int64, id, is, want string)) error {
	stores, err := store.Keys(tx)
	if err != nil {
		return err
	}
	type row struct{ id, text string }
	return db.Each(tx, func(r *row) []any { return []any{&r.id, &r.text} }, func(r row) {
		var listed []int64
		unknown := func(key int64) bool { return !slices.Contains(stores, key) }
		if json.Unmarshal([]byte(r.text), &listed) != nil || slices.ContainsFunc(listed, unknown) {
			found(0, r.id, r.text, "stores that exist")
		}
	}, `SELECT key_id, stores FROM api_keys`)
}
