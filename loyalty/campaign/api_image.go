package campaign

import (
	"slices"
	"strings"

	"punchcard/api"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/picture"
)

// The photo at an address never changes, but the brand icon can.
const (
	cachePhoto = "public, max-age=86400"
	cacheIcon  = "public, no-cache"
)

// getPhoto serves a photo.
func (k *Catalogue) getPhoto(c *api.Call) error {
	found, err := k.campaignOfPath(c)
	if err != nil {
		return err
	}
	id := strings.ToLower(c.PathValue("photoId"))
	at := slices.IndexFunc(found.Definition.Photos, func(p Image) bool { return p.ID == id })
	if at < 0 {
		return fault.ErrNotFound
	}
	return serve(c, found, found.Definition.Photos[at], cachePhoto)
}

// getIcon serves the brand icon.
func (k *Catalogue) getIcon(c *api.Call) error {
	found, err := k.campaignOfPath(c)
	if err != nil {
		return err
	}
	if found.Definition.Icon == nil {
		return fault.ErrNotFound
	}
	return serve(c, found, *found.Definition.Icon, cacheIcon)
}

func serve(c *api.Call, of *Campaign, image Image, caching string) error {
	return picture.Serve(c.Request, image.MIMEType, image.ID, caching, func() (content []byte, err error) {
		err = c.Read(func(tx *db.Tx) error {
			content, err = imageContent(tx, of.StoreKey, of.ID, image.ID)
			return err
		})
		return content, err
	})
}

// postPhoto adds a photo. The details of the campaign show its id.
func (k *Catalogue) postPhoto(c *api.Call) error {
	return k.upload(c, "photo", k.AddPhoto, func() error { return c.OK([]string{}) })
}

// postIcon sets the brand icon.
func (k *Catalogue) postIcon(c *api.Call) error {
	return k.upload(c, "brand_icon", k.SetIcon, c.NoContent)
}

func describeUpload(name string) func(g *form.Group) {
	return func(g *form.Group) { g.Group(name).File("file", form.NotBlank) }
}

func (k *Catalogue) upload(c *api.Call, name string,
	keep func(tx *db.Tx, s *store.Store, id string, p picture.Picture) error, respond func() error) error {
	found, err := k.campaignOfPath(c)
	if err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, name)
	image, err := picture.Read(c.Context(), group, body.Child(name), "file")
	if err == nil {
		err = group.Err()
	}
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error { return keep(tx, c.Store, found.ID, *image) }, respond)
}

// deletePhoto deletes a photo.
func (k *Catalogue) deletePhoto(c *api.Call) error {
	id, err := PathID(c)
	if err != nil {
		return err
	}
	photoID := strings.ToLower(c.PathValue("photoId"))
	return c.Write(func(tx *db.Tx) error { return k.RemovePhoto(tx, c.Store, id, photoID) }, c.NoContent)
}

// deleteIcon deletes the brand icon.
func (k *Catalogue) deleteIcon(c *api.Call) error {
	id, err := PathID(c)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error { return k.RemoveIcon(tx, c.Store, id) }, c.NoContent)
}
