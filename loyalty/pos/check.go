package pos

import (
	"punchcard/platform/check"
	"punchcard/platform/keytext"
)

// PointsOfSale is the table that rows of other packages refer to.
var PointsOfSale = check.Table{Name: "points_of_sale", ID: "pos_id"}

// The stored totals of each point of sale, which its transactions must add up to.
const (
	AmountTotals check.Totals = `SELECT store_id, pos_id AS id, transactions_amount AS total FROM points_of_sale`
	CountTotals  check.Totals = `SELECT store_id, pos_id AS id, transactions_count AS total FROM points_of_sale`
)

// Rules returns the invariants of points of sale.
func Rules() []check.Rule {
	return []check.Rule{
		check.JSON[Location]("pos.location", PointsOfSale, "location"),
		check.Written("pos.identifier", PointsOfSale, "identifier", keytext.Clean),
	}
}
