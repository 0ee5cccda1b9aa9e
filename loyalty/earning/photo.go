package earning

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/photo"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

var photos = photo.Owner{
	Kind: "earning_rule",
	Find: func(c *api.Call, tx *db.Tx) (string, error) {
		r, err := Find(tx, c.Store.Key, pathID(c))
		return r.ID, err
	},
	Lock: func(c *api.Call, tx *db.Tx) (string, error) { return lock(tx, c.Store.Key, pathID(c)) },
}

func photoEndpoints() []api.Endpoint {
	const path = rulePath + "/photo"
	modify := access.AdministratorWith(access.EarningRules, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: access.Public(), Handle: getPhoto,
			Summary: "Show the photo of an earning rule", Response: api.Media("image/*")},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Handle: postPhoto,
			Summary: "Set the photo of an earning rule", Form: photo.Describe("photo"),
			Audit: api.Audited("UpdateEarningRulePhoto", "earningRule"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: path, Access: modify, Factor: api.Everyday, Handle: deletePhoto,
			Summary: "Remove the photo of an earning rule",
			Audit:   api.Audited("DeleteEarningRulePhoto", "earningRule")},
	}
}

func getPhoto(c *api.Call) error    { return photos.Get(c) }
func postPhoto(c *api.Call) error   { return photos.Post(c) }
func deletePhoto(c *api.Call) error { return photos.Delete(c) }

// lock locks a rule and returns its id.
func lock(tx *db.Tx, storeKey int64, id string) (string, error) {
	locked, err := db.Value[string](tx,
		`SELECT rule_id FROM earning_rules WHERE store_id = $1 AND rule_id = $2 FOR UPDATE`, storeKey, id)
	if err == nil && locked == "" {
		err = fault.ErrNotFound
	}
	return locked, err
}
