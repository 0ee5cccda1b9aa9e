package earning

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/photo"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

var photos = photo.Owner{
	Kind: "earning_rule",
	Find: func(c *api.Call, tx *db.Tx) (string, error) {
		r, err := Find(tx, c.Store.Key, c.PathID("earningRule"))
		return r.ID, err
	},
	Lock: func(c *api.Call, tx *db.Tx) (string, error) { return lock(tx, c.Store.Key, c.PathID("earningRule")) },
}

func photoEndpoints() []api.Endpoint {
	const path = rulePath + "/photo"
	modify := access.AdministratorWith(access.EarningRules, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: access.Public(), Do: photos.Get(),
			Summary: "Show the photo of an earning rule"},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Do: photos.Upload(),
			Summary: "Set the photo of an earning rule",
			Audit:   api.Audited("UpdateEarningRulePhoto", "earningRule"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: path, Access: modify, Factor: api.Everyday, Do: api.Act(photos.Remove),
			Summary: "Remove the photo of an earning rule",
			Audit:   api.Audited("DeleteEarningRulePhoto", "earningRule")},
	}
}

// lock locks a rule and returns its id.
func lock(tx *db.Tx, storeKey int64, id string) (string, error) {
	locked, err := db.Value[string](tx,
		`SELECT rule_id FROM earning_rules WHERE store_id = ? AND rule_id = ? FOR UPDATE`, storeKey, id)
	if err == nil && locked == "" {
		err = fault.ErrNotFound
	}
	return locked, err
}
