package apikey

import (
	"crypto/subtle"
	"time"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/search"
)

var table = db.NewTable("api_keys", "key_id", func(k *Key) db.Row {
	return db.Row{
		"key_id", &k.ID, "maker_id", &k.MakerID, "name", &k.Name, "beginning", &k.Beginning, "secret_hash", &k.secretHash,
		"former_hash", &k.formerHash, "former_until", db.Time(&k.FormerUntil), "rotations", &k.rotations,
		"permissions", db.JSON(&k.Permissions), "stores", db.JSON(&k.Stores), "addresses", db.JSON(&k.Addresses),
		"requests_per_minute", &k.PerMinute, "created_at", db.Time(&k.CreatedAt), "expires_at", db.Time(&k.ExpiresAt),
		"last_used_at", db.Time(&k.LastUsedAt), "last_used_from", &k.LastUsedFrom, "name_order", db.Derived(&k.Name,
			search.Fold),
	}
})

func insertKey(tx *db.Tx, k *Key) error {
	return table.Insert(tx, k)
}

func updateKey(tx *db.Tx, k *Key) error {
	return table.Update(tx, "name, name_order, beginning, secret_hash, former_hash, former_until, rotations, "+
		"permissions, stores, addresses, requests_per_minute, expires_at", k)
}

func deleteKey(tx *db.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM api_keys WHERE key_id = ?`, id)
	return err
}

// Find finds a key by its id.
func Find(tx *db.Tx, id string) (Key, bool, error) {
	return table.One(tx, `SELECT * FROM api_keys WHERE key_id = ?`, id)
}

func lockKey(tx *db.Tx, id string) (Key, bool, error) {
	return table.One(tx, `SELECT * FROM api_keys WHERE key_id = ? FOR UPDATE`, id)
}

// FindBySecret finds a key by its present or former secret, valid or not, with the number of rotations before that
// secret.
func FindBySecret(tx *db.Tx, secret string) (k Key, rotations int64, found bool, err error) {
	wanted := hash(secret)
	k, found, err = table.One(tx, `SELECT * FROM api_keys
		WHERE secret_hash = ? OR (former_hash = ? AND former_hash <> '')`, wanted, wanted)
	equal := func(stored string) bool { return subtle.ConstantTimeCompare([]byte(wanted), []byte(stored)) == 1 }
	switch {
	case equal(k.secretHash):
		return k, k.rotations, found, err
	case equal(k.formerHash):
		return k, k.rotations - 1, found, err
	}
	return Key{}, 0, false, err
}

func countOf(tx *db.Tx, makerID string) (int, error) {
	return db.Value[int](tx, `SELECT COUNT(*) FROM api_keys WHERE maker_id = ?`, makerID)
}

var sortable = api.Order{Tie: "key_id", Columns: map[string]api.Column{
	"name": "name_order", "createdAt": "created_at", "expiresAt": "expires_at", "lastUsedAt": "last_used_at",
}}

// readPage lists the keys of an administrator, or those of all if makerID is empty, and counts them: each administrator
// has few.
func readPage(tx *db.Tx, makerID string, page api.Page) (found []Key, total int, err error) {
	q := db.NewSQL("FROM api_keys")
	if makerID != "" {
		q.Add(" WHERE maker_id = ?", makerID)
	}
	if total, err = db.Value[int](tx, `?`, q.Select("COUNT(*)")); err != nil {
		return nil, 0, err
	}
	found, err = table.All(tx, `?`, page.AddTo(q.Select("*"), sortable))
	return found, total, err
}

// noteUse stores the last use of a key, unless a node stored one less than apart before it.
func noteUse(tx *db.Tx, id string, at time.Time, from string, apart time.Duration) error {
	_, err := tx.Exec(`UPDATE api_keys SET last_used_at = ?, last_used_from = ?
		WHERE key_id = ? AND (last_used_at IS NULL OR last_used_at <= ?)`,
		at.UnixMicro(), from, id, at.Add(-apart).UnixMicro())
	return err
}
