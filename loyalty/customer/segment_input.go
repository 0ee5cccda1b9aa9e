package customer

import (
	"slices"
	"time"

	"punchcard/platform/db"
)

// Traits are the fields of a customer that segment criteria read.
type Traits struct {
	ID        string
	Status    string
	LevelID   string
	BirthDate string // YYYY-MM-DD, empty when unknown
	CreatedAt time.Time
	Purchases Purchases // only Count, Amount and LastAt
	Labels    []Label
	Locale    string // of messages; empty for the default

	Agreements [len(Agreements)]bool
}

var traitView = db.NewView(table, func(t *Traits) db.Row {
	return db.Row{
		"customer_id", &t.ID, "status", &t.Status, "level_id", &t.LevelID, "birth_date", &t.BirthDate,
		"created_at", db.Time(&t.CreatedAt), "transactions_count", &t.Purchases.Count,
		"transactions_amount", &t.Purchases.Amount, "last_transaction_at", db.Time(&t.Purchases.LastAt),
		"labels", db.JSON(&t.Labels), "locale", &t.Locale, "agreement1", &t.Agreements[0],
		"agreement2", &t.Agreements[1], "agreement3", &t.Agreements[2],
	}
})

// IsActive reports the same as Customer.IsActive.
func (t *Traits) IsActive() bool { return t.Status == Active }

// TraitsAfter reads customers of a store that follow an id, in the order of ids, deleted ones included.
func TraitsAfter(tx *db.Tx, storeKey int64, after string, limit int) ([]Traits, error) {
	return traitView.All(tx, `SELECT * FROM customers
		WHERE store_id = ? AND customer_id > ? ORDER BY customer_id LIMIT ?`, storeKey, after, limit)
}

// TraitsOf reads customers by their distinct ids, deleted ones included. Unknown ones are missing from the result.
func TraitsOf(tx *db.Tx, storeKey int64, ids ...string) ([]Traits, error) {
	return traitView.All(tx, `SELECT c.* FROM ? AS v (store, id)
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id`,
		tx.Among(storeKey, ids...))
}

// LockTraits locks customers in the order of their ids, deleted ones included. The ids must be distinct;
// unknown ones are missing from the result.
func LockTraits(tx *db.Tx, storeKey int64, ids ...string) (locked []Traits, err error) {
	err = tx.Run(LockingTraits(tx, storeKey, ids, &locked))
	return locked, err
}

// LockingTraits returns the query of LockTraits, which appends the customers to a list.
func LockingTraits(tx *db.Tx, storeKey int64, ids []string, to *[]Traits) db.Query {
	return traitView.Select(func(t Traits) { *to = append(*to, t) }, `SELECT c.*
		FROM ? AS v (store, id)
		CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id
		ORDER BY c.customer_id FOR UPDATE OF c`, tx.Among(storeKey, ids...))
}

// nameBatchSize is how many names one query looks up.
const nameBatchSize = 256

// Named maps each name to the ids of the customers who have it as id, e-mail address, phone or loyalty card, or to whom
// it leads. Deleted customers are left out.
func Named(tx *db.Tx, storeKey int64, names []string) (map[string][]string, error) {
	type match struct{ key, id string }
	byKey := map[string][]string{}
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = matchKey(name)
	}
	for part := range slices.Chunk(db.Distinct(keys), nameBatchSize) {
		for _, column := range []string{"customer_id", "email", "phone_key", "loyalty_card_key"} {
			err := db.EachOf(tx, part, func(m *match) []any { return []any{&m.key, &m.id} }, func(m match) {
				if !slices.Contains(byKey[m.key], m.id) {
					byKey[m.key] = append(byKey[m.key], m.id)
				}
			}, `SELECT `+column+`, customer_id FROM customers
				WHERE store_id = ? AND `+column+` = $key`+present(column)+` AND status <> 'deleted'`, storeKey)
			if err != nil {
				return nil, err
			}
		}
		var rest []string
		for _, key := range part {
			if len(byKey[key]) == 0 {
				rest = append(rest, key)
			}
		}
		for _, merged := range leadsFrom {
			err := db.EachOf(tx, rest, func(m *match) []any { return []any{&m.key, &m.id} }, func(m match) {
				byKey[m.key] = append(byKey[m.key], m.id)
			}, `SELECT $key, merged_into FROM (`+merged+`= $key) AS led`, storeKey)
			if err != nil {
				return nil, err
			}
		}
	}
	found := make(map[string][]string, len(names))
	for i, name := range names {
		found[name] = byKey[keys[i]]
	}
	return found, nil
}
