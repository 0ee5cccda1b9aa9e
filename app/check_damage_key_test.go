package app_test

import "strings"

// keyDamages break the rules of API keys.
func keyDamages() []damage {
	hash, other := strings.Repeat("0", 64), strings.Repeat("1", 64)
	key := func(rule, assignments string) damage {
		return damage{rule, nil, "", func(h *hand) string {
			h.exec(`INSERT INTO api_keys (key_id, maker_id, name, name_order, beginning, secret_hash, former_hash, rotations,
				permissions, stores, addresses, requests_per_minute, created_at, last_used_from)
				SELECT $1, MIN(admin_id), 'k', 'k', 'pck_live_ABCD', $2, '', 0, '{"POS":["VIEW"]}', '[]', '[]', 0, 1, ''
				FROM administrators`, stranger, hash)
			h.exec(`UPDATE api_keys SET `+assignments+` WHERE key_id = $1`, stranger)
			return stranger
		}}
	}
	return []damage{
		key("key.permissions", "permissions = 'oops'"),
		key("key.permissions", `permissions = '{"ADMIN":["MODIFY"]}'`),
		key("key.addresses", `addresses = '["nowhere"]'`),
		key("key.stores", "stores = '[77]'"),
		key("key.stores", "stores = 'oops'"),
		key("key.secret", "beginning = 'ABCD'"),
		key("key.secret", "secret_hash = 'plain'"),
		key("key.rotation", "former_hash = '"+other+"', rotations = 1"),
		key("key.rotation", "former_until = 1"),
		key("key.rotation", "former_hash = '"+other+"', former_until = 1"),
		key("key.limit", "requests_per_minute = -1"),
		key("key.use", "last_used_at = 1"),
	}
}
