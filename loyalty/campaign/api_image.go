package campaign

import (
	"slices"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
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
	id := c.PathID("photoId")
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

// addPhoto adds a photo. The details of the campaign show its id.
func (k *Catalogue) addPhoto(w *api.Writing, of *Campaign, p *picture.Picture) ([]string, error) {
	return []string{}, k.AddPhoto(w.Tx, w.Store, of.ID, *p)
}

func (k *Catalogue) setIcon(w *api.Writing, of *Campaign, p *picture.Picture) (api.NoContent, error) {
	return api.NoContent{}, k.SetIcon(w.Tx, w.Store, of.ID, *p)
}

func (k *Catalogue) removePhoto(w *api.Writing) (none api.NoContent, err error) {
	id, err := PathID(w.Call)
	if err != nil {
		return none, err
	}
	return none, k.RemovePhoto(w.Tx, w.Store, id, w.PathID("photoId"))
}

func (k *Catalogue) removeIcon(w *api.Writing) (none api.NoContent, err error) {
	id, err := PathID(w.Call)
	if err != nil {
		return none, err
	}
	return none, k.RemoveIcon(w.Tx, w.Store, id)
}
