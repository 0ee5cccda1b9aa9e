package level

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/photo"
	"punchcard/platform/db"
)

var photos = photo.Owner{
	Kind: "level",
	Find: func(c *api.Call, tx *db.Tx) (string, error) {
		l, err := Of(c, tx)
		if err != nil {
			return "", err
		}
		return l.ID, nil
	},
	Lock: func(c *api.Call, tx *db.Tx) (string, error) {
		_, l, err := lockLevels(tx, c.Store.Key, c.PathID("level"))
		if err != nil {
			return "", err
		}
		return l.ID, nil
	},
}

func photoEndpoints() []api.Endpoint {
	const path = "/api/{storeCode}/level/{level}/photo"
	modify := access.AdministratorWith(access.Levels, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: access.Public(), Do: photos.Get(),
			Summary: "Show the photo of a level"},
		{Method: "POST", Path: path, Access: modify, Factor: api.Everyday, Do: photos.Upload(),
			Summary: "Set the photo of a level",
			Audit:   api.Audited("UpdateLevelPhoto", "level"), NoDryRun: api.Uploads},
		{Method: "DELETE", Path: path, Access: modify, Factor: api.Everyday, Do: api.Act(photos.Remove),
			Summary: "Remove the photo of a level", Audit: api.Audited("DeleteLevelPhoto", "level")},
	}
}

// photosOf returns the photos of levels, by the ids of the levels.
func photosOf(tx *db.Tx, storeKey int64, levels ...Level) (map[string]photo.Photo, error) {
	ids := make([]string, len(levels))
	for i := range levels {
		ids[i] = levels[i].ID
	}
	return photos.Kind.Of(tx, storeKey, ids...)
}
