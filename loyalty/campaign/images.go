package campaign

import (
	"slices"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/picture"
)

// PhotoLimit is the maximal number of photos of a campaign.
const PhotoLimit = 100

// ErrPhotoLimit is returned when a campaign that has PhotoLimit photos gets another.
var ErrPhotoLimit = fault.New(fault.Refused, "too_many_photos",
	"The campaign has as many photos as it can have: %d.").With(PhotoLimit)

// AddPhoto appends a photo to those of a campaign.
func (k *Catalogue) AddPhoto(tx *db.Tx, s *store.Store, id string, photo picture.Picture) error {
	c, counters, err := k.lock(tx, s.Key, id)
	if err != nil {
		return err
	}
	if len(c.Definition.Photos) >= PhotoLimit {
		return ErrPhotoLimit
	}
	if err := c.addPhoto(tx, photo); err != nil {
		return err
	}
	return writeCampaign(tx, c, counters)
}

func (c *Campaign) addPhoto(tx *db.Tx, photo picture.Picture) error {
	added, err := c.insertImage(tx, photo)
	c.Definition.Photos = append(slices.Clone(c.Definition.Photos), added)
	return err
}

// RemovePhoto removes one photo of a campaign.
func (k *Catalogue) RemovePhoto(tx *db.Tx, s *store.Store, id, photoID string) error {
	c, counters, err := k.lock(tx, s.Key, id)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(c.Definition.Photos, func(p Image) bool { return p.ID == photoID })
	if at < 0 {
		return fault.ErrNotFound
	}
	c.Definition.Photos = slices.Delete(c.Definition.Photos, at, at+1)
	if err := c.deleteImage(tx, photoID); err != nil {
		return err
	}
	return writeCampaign(tx, c, counters)
}

// SetIcon replaces the brand icon of a campaign.
func (k *Catalogue) SetIcon(tx *db.Tx, s *store.Store, id string, icon picture.Picture) error {
	c, counters, err := k.lock(tx, s.Key, id)
	if err != nil {
		return err
	}
	if err := c.removeIcon(tx); err != nil {
		return err
	}
	added, err := c.insertImage(tx, icon)
	if err != nil {
		return err
	}
	c.Definition.Icon = &added
	return writeCampaign(tx, c, counters)
}

// RemoveIcon removes the brand icon of a campaign. Repeating it has no further effect.
func (k *Catalogue) RemoveIcon(tx *db.Tx, s *store.Store, id string) error {
	c, counters, err := k.lock(tx, s.Key, id)
	if err != nil || c.Definition.Icon == nil {
		return err
	}
	if err := c.removeIcon(tx); err != nil {
		return err
	}
	return writeCampaign(tx, c, counters)
}

func (c *Campaign) removeIcon(tx *db.Tx) error {
	icon := c.Definition.Icon
	if icon == nil {
		return nil
	}
	c.Definition.Icon = nil
	return c.deleteImage(tx, icon.ID)
}

func (c *Campaign) insertImage(tx *db.Tx, p picture.Picture) (Image, error) {
	added := Image{tx.NewID(), p.Name, p.MIMEType}
	return added, imageTable.Insert(tx, &storedImage{c.StoreKey, c.ID, added.ID, p.Bytes})
}

type storedImage struct {
	storeKey       int64
	campaignID, id string
	content        []byte
}

var imageTable = db.NewTable("campaign_images", "store_id, campaign_id, image_id", func(i *storedImage) db.Row {
	return db.Row{"store_id", &i.storeKey, "campaign_id", &i.campaignID, "image_id", &i.id, "content", &i.content}
})

func (c *Campaign) deleteImage(tx *db.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM campaign_images WHERE store_id = ? AND campaign_id = ? AND image_id = ?`,
		c.StoreKey, c.ID, id)
	return err
}

// imageContent returns the bytes of an image.
func imageContent(tx *db.Tx, storeKey int64, campaignID, id string) ([]byte, error) {
	content, err := db.Value[[]byte](tx, `SELECT content FROM campaign_images
		WHERE store_id = ? AND campaign_id = ? AND image_id = ?`, storeKey, campaignID, id)
	if err == nil && content == nil {
		err = fault.ErrNotFound
	}
	return content, err
}
