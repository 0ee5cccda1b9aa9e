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

func (k *Catalogue) showPhoto(r *api.Reading) (none api.File, err error) {
	found, err := k.campaignShown(r)
	if err != nil {
		return none, err
	}
	id := r.PathID("photoId")
	at := slices.IndexFunc(found.Definition.Photos, func(p Image) bool { return p.ID == id })
	if at < 0 {
		return none, fault.ErrNotFound
	}
	return fileOf(r.Call, found, found.Definition.Photos[at], cachePhoto), nil
}

func (k *Catalogue) showIcon(r *api.Reading) (none api.File, err error) {
	found, err := k.campaignShown(r)
	if err != nil {
		return none, err
	}
	if found.Definition.Icon == nil {
		return none, fault.ErrNotFound
	}
	return fileOf(r.Call, found, *found.Definition.Icon, cacheIcon), nil
}

// campaignShown returns the campaign of the path.
func (k *Catalogue) campaignShown(r *api.Reading) (*Campaign, error) {
	id, err := PathID(r.Call)
	if err != nil {
		return nil, err
	}
	found, _, err := k.Find(r.Tx, r.Store.Key, id)
	return found, err
}

func fileOf(c *api.Call, of *Campaign, image Image, caching string) api.File {
	return api.File{MediaType: image.MIMEType, Tag: image.ID, Caching: caching,
		Content: c.Stored(func(tx *db.Tx) ([]byte, error) { return imageContent(tx, of.StoreKey, of.ID, image.ID) })}
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
