package till

import (
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/pos"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Feature returns enrolled tills. See docs/behaviour/cashier-pin.md.
func Feature(a *auth.Auth) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Tills",
			Description: "Devices on which sellers switch by a PIN."},
		Endpoints: Endpoints(a),
		Rules:     Rules(),
		Tables:    []check.Table{tills},
		Limits: []feature.Limit{
			{Name: "pinTries", Value: seller.MaxPINTries, Unit: "tries"},
			{Name: "sellersAtTill", Value: seller.MaxNamesAtTill, Unit: "sellers"},
			feature.Seconds("tillDevice", DeviceLife, ""),
		},
		Objects: map[string]audit.Object{"till": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			found, _, err := findTill(tx, of.Key, id)
			return found, err
		}},
	}
}

var tills = check.Table{Name: "tills", ID: "till_id"}

// Rules returns the invariants of enrolled tills.
func Rules() []check.Rule {
	return []check.Rule{
		check.Refers("till.pos", tills, "pos_id", pos.PointsOfSale),
		check.Refers("till.seller", tills, "enrolled_by", seller.Sellers),
		check.Rows("till.secret", `SELECT store_id, till_id, secret_hash, 'a hash' FROM tills
			WHERE LENGTH(secret_hash) <> 64`),
	}
}
