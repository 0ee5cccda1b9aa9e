package customer

import (
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/search"
)

var (
	// Customers are the rows that other features refer to, deleted ones included.
	Customers = check.Table{Name: "customers", ID: "customer_id"}
	// NotDeleted are the customers who are not deleted.
	NotDeleted = check.Table{Name: "customers", ID: "customer_id", Only: "status <> 'deleted'"}
	merged     = check.Table{Name: "customers", ID: "customer_id", Only: "merged_into <> ''"}
	// withAppData are the customers who may have an avatar and devices.
	withAppData = check.Table{Name: "customers", ID: "customer_id",
		Only: "(status <> 'deleted' OR merged_into <> '') AND anonymized_at IS NULL"}
)

// The sums that the transactions of each customer who is not deleted must equal.
const (
	CountTotals check.Totals = `SELECT store_id, customer_id AS id, transactions_count AS total
		FROM customers WHERE status <> 'deleted'`
	AmountTotals check.Totals = `SELECT store_id, customer_id AS id, transactions_amount AS total
		FROM customers WHERE status <> 'deleted'`
	LastPurchases check.Totals = `SELECT store_id, customer_id AS id, last_transaction_at AS total
		FROM customers WHERE status <> 'deleted' AND last_transaction_at IS NOT NULL`
)

// MergedQuery selects store_id, customer_id and merged_into of the customers who are merged.
const MergedQuery = `SELECT store_id, customer_id, merged_into FROM customers WHERE merged_into <> ''`

// Rules returns the invariants of customers.
func Rules() []check.Rule {
	return []check.Rule{
		check.Refers("customer.level", Customers, "level_id", level.Levels),
		check.Refers("customer.manual_level", Customers, "manual_level_id", level.Levels),
		check.Refers("customer.pos", Customers, "pos_id", pos.PointsOfSale),
		check.Refers("customer.seller", Customers, "seller_id", seller.Sellers),
		check.Refers("customer.account", Customers, "customer_id", points.Accounts),
		check.Refers("customer.of_account", points.Accounts, "customer_id", Customers),
		check.Equal("customer.in_level", level.CustomersTotals, `SELECT store_id, level_id AS id, COUNT(*) AS total
			FROM customers WHERE level_id <> '' GROUP BY store_id, level_id`),
		check.Rows("customer.status", `SELECT store_id, customer_id, status, 'new, active, blocked, or deleted and unnamed'
			FROM customers WHERE status NOT IN ('new', 'active', 'blocked', 'deleted')
			OR status = 'deleted' AND (email <> '' OR phone <> '' OR loyalty_card <> '' AND merged_into = ''
				OR level_id <> '')`),
		check.Rows("customer.merged", `SELECT m.store_id, m.customer_id, m.status,
			'deleted, merged into another customer who is not merged' FROM customers m
			LEFT JOIN customers k ON k.store_id = m.store_id AND k.customer_id = m.merged_into
			WHERE m.merged_into <> '' AND (m.status <> 'deleted' OR COALESCE(k.merged_into, 'none') <> ''
				OR m.merged_into = m.customer_id)`),
		check.Refers("customer.lead", check.Table{Name: "customer_leads", ID: "contact"}, "customer_id", merged),
		check.Rows("customer.anonymous", `SELECT store_id, customer_id, 'anonymous and named, or not switched off',
			'neither' FROM customers WHERE anonymized_at IS NOT NULL AND (status NOT IN ('blocked', 'deleted')
			OR email || phone || loyalty_card || first_name || last_name || birth_date || password_hash <> ''
			OR first_name_order || last_name_order || first_name_key || last_name_key <> ''
			OR city_key || postal_key || phone_key || loyalty_card_key <> '')`),
		Avatars.Rule("customer.avatar", withAppData),
		check.Refers("customer.push_token", check.Table{Name: "customer_push_tokens", ID: "token"}, "customer_id",
			withAppData),
		check.Refers("customer.push_subscription", check.Table{Name: "push_subscriptions", ID: "subscription_id"},
			"customer_id", withAppData),
		check.JSON[Address]("customer.address", Customers, "address"),
		check.JSON[Company]("customer.company", Customers, "company"),
		check.JSON[[]Label]("customer.labels", Customers, "labels"),
		check.Refers("customer.searched", search.Documents(SearchKind), "object_id", NotDeleted),
		check.Fold("customer.search", checkSearch),
		check.Refers("customer.ranked", ranks, "customer_id", Customers),
		check.Fold("customer.ranks", checkRanks),
	}
}

// KeyRules returns the rules that need the settings of the stores.
func KeyRules() []check.Rule { return []check.Rule{check.Fold("customer.keys", checkKeys)} }

// checkSearch compares the search index with the customers.
func checkSearch(tx *db.Tx, found func(store int64, id, is, want string)) error {
	type row struct {
		Customer
		name, words string
	}
	return db.Each(tx, func(r *row) []any {
		return []any{&r.StoreKey, &r.ID, &r.FirstName, &r.LastName, &r.Email, &r.Phone, &r.PhoneKey, &r.LoyaltyCard,
			db.Text(&r.name), db.Text(&r.words)}
	}, func(r row) {
		document := r.document()
		if name, words := document.Columns(); name != r.name || words != r.words {
			found(r.StoreKey, r.ID, "found by other words", "by those of the customer")
		}
	}, `SELECT c.store_id, c.customer_id, first_name, last_name, email, phone, phone_key, loyalty_card, d.name, d.words
		FROM customers c LEFT JOIN (`+search.DocumentsOf(SearchKind)+`) d
		ON d.store_id = c.store_id AND d.object_id = c.customer_id WHERE status <> 'deleted'`)
}
