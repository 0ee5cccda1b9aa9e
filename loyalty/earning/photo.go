package earning

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

func photoEndpoints() []api.Endpoint {
	const path = rulePath + "/photo"
	modify := access.AdministratorWith(access.EarningRules, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: access.Public(), Handle: getPhoto,
			Summary: "Show the photo of an earning rule", Response: api.Media("image/*")},
		{Method: "POST", Path: path, Access: modify, Handle: postPhoto,
			Summary: "Give an earning rule a photo", Form: func(g *form.Group) { g.Group("photo").File("file", form.NotBlank) }},
		{Method: "DELETE", Path: path, Access: modify, Handle: deletePhoto,
			Summary: "Take the photo of an earning rule away"},
	}
}

// cachePhoto makes clients revalidate the photo each time.
const cachePhoto = "public, no-cache"

// getPhoto serves the photo of a rule.
func getPhoto(c *api.Call) error {
	var r *Rule
	err := c.Read(func(tx *db.Tx) (err error) {
		r, err = Find(tx, c.Store.Key, pathID(c))
		return err
	})
	if err != nil {
		return err
	}
	if r.Photo.ID == "" {
		return fault.ErrNotFound
	}
	return picture.Serve(c.Request, r.Photo.MIMEType, r.Photo.ID, cachePhoto, func() (content []byte, err error) {
		err = c.Read(func(tx *db.Tx) error {
			content, err = photoContent(tx, r)
			return err
		})
		return content, err
	})
}

// postPhoto sets the photo of a rule.
func postPhoto(c *api.Call) error {
	err := c.Read(func(tx *db.Tx) error { // an unknown rule is reported before an invalid file
		_, err := Find(tx, c.Store.Key, pathID(c))
		return err
	})
	if err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	node := body.Child("photo")
	g := form.Read(node)
	photo, err := picture.Read(c.Context(), g, node, "file")
	if err == nil {
		err = g.Err()
	}
	if err != nil {
		return err
	}
	if err := c.Write(func(tx *db.Tx) error { return setPhoto(tx, c.Store, pathID(c), *photo) }); err != nil {
		return err
	}
	return c.Done()
}

// deletePhoto deletes the photo of a rule. Repeating it has no further effect.
func deletePhoto(c *api.Call) error {
	err := c.Write(func(tx *db.Tx) error { return updatePhoto(tx, c.Store.Key, pathID(c), Photo{}) })
	if err != nil {
		return err
	}
	return c.Done()
}

// setPhoto replaces the photo of a rule.
func setPhoto(tx *db.Tx, s *store.Store, id string, photo picture.Picture) error {
	stored := Photo{tx.NewID(), photo.MIMEType}
	if err := updatePhoto(tx, s.Key, id, stored); err != nil {
		return err
	}
	return insertPhoto(tx, s.Key, id, stored.ID, photo.Bytes)
}
