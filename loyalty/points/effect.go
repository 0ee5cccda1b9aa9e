package points

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/decimal"
)

// pointsEffect is a change of a balance.
type pointsEffect struct {
	CustomerID string             `json:"customerId"`
	Before     decimal.Hundredths `json:"before"`
	After      decimal.Hundredths `json:"after"`
}

// Effect lists the balances that a dry run changes.
var Effect = &api.Effect{
	Name: "points",
	View: func(customerID string, before, after int64) any {
		return pointsEffect{customerID, decimal.Hundredths(before), decimal.Hundredths(after)}
	},
	MaySee: func(caller *access.Caller, customerID string) bool {
		return caller.ID == customerID || caller.Role == access.Seller || caller.Allowed(access.Customers, access.View)
	},
}
