package app_test

import "strings"

// tillDamages break the rules of enrolled tills and PINs.
func tillDamages() []damage {
	hash, seller := strings.Repeat("0", 64), `SELECT MIN(seller_id) FROM sellers`
	insertTill := func(rule string, store int, pos, hash, by string) damage {
		return insert(rule, "tills", "store_id, till_id, name, pos_id, secret_hash, enrolled_by, enrolled_at", stranger,
			store, stranger, "Front", pos, hash, by, 1)
	}
	return []damage{
		insertTill("till.pos", 1, stranger, hash, ""),
		insertTill("till.seller", 1, "", hash, stranger),
		insertTill("till.secret", 1, "", "plain", ""),
		insertTill("store.of.tills", strayStore, "", hash, ""),
		set("seller.pin", "sellers", "seller_id", seller, "pin_tries = 6"),
		set("seller.pin", "sellers", "seller_id", seller, "pin_hash = '2580'"),
	}
}
