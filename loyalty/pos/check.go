package pos

import "punchcard/platform/check"

// PointsOfSale are the rows that other rooms refer to.
var PointsOfSale = check.Table{Name: "points_of_sale", ID: "pos_id"}

// What the transactions of each point of sale must add up to.
const (
	AmountFigures check.Figures = `SELECT store_id, pos_id AS id, transactions_amount AS figure FROM points_of_sale`
	CountFigures  check.Figures = `SELECT store_id, pos_id AS id, transactions_count AS figure FROM points_of_sale`
)

// Rules are what always holds of points of sale.
func Rules() []check.Rule {
	return []check.Rule{check.JSON[Location]("pos.location", PointsOfSale, "location")}
}
