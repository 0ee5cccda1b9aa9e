package app_test

import "punchcard/app/servertest"

// accountDamages break the rules of secrets that were sent and of contacts that wait.
func accountDamages() []damage {
	token := func(rule, id, purpose, role string, store int) damage {
		return insert(rule, "verification_tokens", "token_hash, purpose, role, store_id, user_id, contact_hash, is_code, "+
			"attempts, expires_at", id, stranger, purpose, role, store, stranger, "", false, 0, 1)
	}
	waiting := func(rule, id, field string, also ...string) damage {
		d := insert(rule, "contact_changes", "store_id, customer_id, field, value, requested_at", id,
			1, stranger, field, "a@example.com", 1)
		d.also = also
		return d
	}
	ofStore := func(rule, grants, scopes, sellers string) damage {
		return insert(rule, "sso_store_providers", "provider_id, store_id, name, issuer, client_id, client_secret, "+
			"group_claim, enabled, created_at, grants, scopes, seller_grants", stranger,
			stranger, 1, "", "", "", "", "", true, 0, grants, scopes, sellers)
	}
	lost := token("account.purpose", stranger, "lost", "ROLE_SELLER", 1)
	lost.also = []string{"account.seller"}
	return []damage{
		lost,
		token("account.role", stranger, "reset", "ROLE_GUEST", 1),
		token("account.administrator", "reset", "reset", "ROLE_ADMIN", 0),
		token("account.seller", "reset", "reset", "ROLE_SELLER", 1),
		token("account.customer", "contact", "contact", "ROLE_PARTICIPANT", 1),
		waiting("account.contact", stranger, "pigeon", "account.contact_of"),
		waiting("account.contact_of", "email", "email"),
		{"sso.grants", nil, "", func(h *hand) string { return h.addProvider("oops", "[]", "[]") }},
		{"sso.scopes", nil, "", func(h *hand) string { return h.addProvider("[]", "oops", "[]") }},
		{"sso.store_grants", nil, "", func(h *hand) string { return h.addProvider("[]", "[]", "oops") }},
		set("admin.only_store", "administrators", "admin_id", `SELECT MIN(admin_id) FROM administrators
			WHERE role_id IS NOT NULL`, "only_store = 1"),
		ofStore("sso.store.grants", "oops", "[]", "[]"),
		ofStore("sso.store.scopes", "[]", "oops", "[]"),
		ofStore("sso.store.seller_grants", "[]", "[]", "oops"),
	}
}

// factorDamages break the rules of second factors.
func factorDamages() (all []damage) {
	for name, one := range map[string]struct {
		table, columns string
		more           []any
	}{
		"totp": {"factor_totps", "secret, last_step, created_at", []any{"", 0, 1}},
		"passkey": {"factor_passkeys", "passkey_id, name, credential_id, rp_id, public_key, sign_count, backup_eligible, " +
			"created_at", []any{stranger, "", stranger, "", "", 0, false, 1}},
	} {
		for rule, role := range map[string]string{
			"role": "ROLE_GUEST", "administrator": "ROLE_ADMIN", "seller": "ROLE_SELLER", "customer": "ROLE_PARTICIPANT",
		} {
			id := role
			if rule == "role" {
				id = stranger
			}
			store := 1
			if rule == "administrator" {
				store = 0
			}
			all = append(all, insert("factor."+name+"."+rule, one.table, "store_id, user_id, role, "+one.columns, id,
				append([]any{store, stranger, role}, one.more...)...))
		}
	}
	return all
}

// importDamages break the rules of imports.
func importDamages() []damage {
	const columns = "store_id, import_id, kind, state, format, file_name, bytes, dry_run, records, done, failed, error, " +
		"created_by, created_at, owner, finished_at, error_code, content_hash, options"
	now := servertest.StartOfTests.UnixMicro()
	one := func(rule, state string, records, done, failed int, ended any) damage {
		return insert(rule, "imports", columns, stranger, 1, stranger, "customers", state, "csv", "a.csv", 1, false,
			records, done, failed, "", "{}", now, "", ended, "", "", "{}")
	}
	refused := func(rule, id string, record int, also ...string) damage {
		d := insert(rule, "import_errors", "store_id, import_id, record, line, identifier, identifier_key, message, "+
			"problems", id,
			1, stranger, record, 1, "", "", "Refused", "[]")
		d.also = also
		return d
	}
	beyond := one("import.error", "running", 5, 1, 1, nil)
	add, more := beyond.do, refused("", "", 2).do
	beyond.do = func(h *hand) string {
		add(h)
		more(h)
		return stranger
	}
	effect := func(rule, id, outcome string, also ...string) damage {
		d := insert(rule, "import_effects", "store_id, import_id, record, object_id, former, version, outcome", id, 1,
			stranger, 1, stranger, "", 1, outcome)
		d.also = also
		return d
	}
	undone := one("import.undone", "undone", 1, 1, 0, 1)
	whole, first := undone.do, effect("", "", "undone").do
	undone.do = func(h *hand) string {
		whole(h)
		first(h)
		return stranger
	}
	ofNoStore := one("store.of.imports", "waiting", 0, 0, 0, nil)
	ofNoStore.do = func(h *hand) string {
		h.exec(`INSERT INTO imports (`+columns+`) VALUES ($1, $2, 'customers', 'waiting', 'csv', '', 1, FALSE, 0, 0, 0, '',
			'{}', $3, '', NULL, '', '', '{}')`, strayStore, stranger, now)
		return stranger
	}
	return []damage{
		one("import.state", "lost", 0, 0, 0, nil),
		one("import.ended", "running", 5, 1, 0, 1),
		one("import.ended", "failed", 5, 1, 0, nil),
		one("import.progress", "running", 5, 6, 0, nil),
		one("import.progress", "finished", 5, 4, 0, 1),
		one("import.failed", "finished", 5, 5, 1, 1),
		beyond, undone,
		effect("import.of_effect", "1", ""),
		effect("import.outcome", "1", "lost", "import.of_effect"),
		refused("import.of_error", "1", 1),
		insert("import.of_file", "import_parts", "store_id, import_id, number, content", "0", 1, stranger, 0, []byte("x")),
		ofNoStore,
	}
}
