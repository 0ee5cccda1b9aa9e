package campaign

import (
	"fmt"
	"slices"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/picture"
)

// PhotoLimit is how many photos a campaign can have.
const PhotoLimit = 100

// ErrPhotoLimit refuses a photo past PhotoLimit.
var ErrPhotoLimit = fault.New(fault.Refused,
	fmt.Sprintf("The campaign has as many photos as it can have: %d.", PhotoLimit))

// AddPhoto puts a photo behind those of a campaign.
func AddPhoto(tx *db.Tx, s *store.Store, id string, photo picture.Picture) error {
	c, k, err := lock(tx, s.Key, id)
	if err != nil {
		return err
	}
	if len(c.Definition.Photos) >= PhotoLimit {
		return ErrPhotoLimit
	}
	if err := c.addPhoto(tx, photo); err != nil {
		return err
	}
	return change(tx, c, k)
}

func (c *Campaign) addPhoto(tx *db.Tx, photo picture.Picture) error {
	added, err := c.insertImage(tx, photo)
	c.Definition.Photos = append(slices.Clone(c.Definition.Photos), added)
	return err
}

// RemovePhoto takes one photo of a campaign away.
func RemovePhoto(tx *db.Tx, s *store.Store, id, photoID string) error {
	c, k, err := lock(tx, s.Key, id)
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
	return change(tx, c, k)
}

// SetIcon gives a campaign its brand icon, in place of the one it has.
func SetIcon(tx *db.Tx, s *store.Store, id string, icon picture.Picture) error {
	c, k, err := lock(tx, s.Key, id)
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
	return change(tx, c, k)
}

// RemoveIcon takes the brand icon of a campaign away. Repeating it changes nothing.
func RemoveIcon(tx *db.Tx, s *store.Store, id string) error {
	c, k, err := lock(tx, s.Key, id)
	if err != nil || c.Definition.Icon == nil {
		return err
	}
	if err := c.removeIcon(tx); err != nil {
		return err
	}
	return change(tx, c, k)
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
	return added, tx.Insert("campaign_images", "store_id, campaign_id, image_id, content", "",
		[]any{c.StoreKey, c.ID, added.ID, p.Bytes})
}

func (c *Campaign) deleteImage(tx *db.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM campaign_images WHERE store_id = $1 AND campaign_id = $2 AND image_id = $3`,
		c.StoreKey, c.ID, id)
	return err
}

// imageContent reads the bytes of an image.
func imageContent(tx *db.Tx, storeKey int64, campaignID, id string) ([]byte, error) {
	content, err := db.Value[[]byte](tx, `SELECT content FROM campaign_images
		WHERE store_id = $1 AND campaign_id = $2 AND image_id = $3`, storeKey, campaignID, id)
	if err == nil && content == nil {
		err = fault.ErrNotFound
	}
	return content, err
}
