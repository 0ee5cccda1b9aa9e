package seller

import (
	"fmt"

	"punchcard/loyalty/pos"
	"punchcard/platform/check"
)

// Sellers is the table of sellers, deleted ones included, that other features refer to.
var Sellers = check.Table{Name: "sellers", ID: "seller_id"}

// Rules are the rules that punchcard check verifies for sellers.
func Rules() []check.Rule {
	return []check.Rule{
		check.Refers("seller.pos", Sellers, "pos_id", pos.PointsOfSale),
		check.Written("seller.email", Sellers, "email", fold),
		check.Rows("seller.pin", fmt.Sprintf(`SELECT store_id, seller_id, pin_tries, 'a hash, and 0 to %d tries' FROM sellers
			WHERE pin_tries < 0 OR pin_tries > %[1]d OR pin_hash <> '' AND pin_hash NOT LIKE '$argon2id$%%'`, MaxPINTries)),
	}
}
