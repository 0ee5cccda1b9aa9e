package seller

import (
	"punchcard/loyalty/pos"
	"punchcard/platform/check"
)

// Sellers are the rows that other rooms refer to, deleted ones included.
var Sellers = check.Table{Name: "sellers", ID: "seller_id"}

// Rules are what always holds of sellers.
func Rules() []check.Rule {
	return []check.Rule{check.Refers("seller.pos", Sellers, "pos_id", pos.PointsOfSale)}
}
