package seller

import (
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
	}
}
