package campaign

import (
	"time"
	"unicode/utf8"

	"punchcard/core/store"
	"punchcard/platform/db"
)

// copyEnding is added to the names of a copy.
const copyEnding = " (copy)"

// Duplicate adds a copy of a campaign that is switched off, with its pictures, and returns its id. The copy has no
// codes of its own, except for the code that all customers get of a single coupon.
func (k *Catalogue) Duplicate(tx *db.Tx, s *store.Store, id string) (string, error) {
	original, _, err := k.Find(tx, s.Key, id)
	if err != nil {
		return "", err
	}
	draft := Draft{Campaign: *original}
	draft.Active, draft.ArchivedAt = false, time.Time{}
	if draft.SingleCoupon && draft.Definition.SingleCode != "" {
		draft.Codes = []string{draft.Definition.SingleCode}
	}
	texts := make([]Translation, len(draft.Definition.Translations))
	for i, t := range draft.Definition.Translations {
		texts[i] = t
		if t.Name != "" {
			texts[i].Name = copyName(t.Name)
		}
	}
	draft.Definition.Translations = texts
	draft.Definition.Photos, draft.Definition.Icon = nil, nil
	for _, photo := range original.Definition.Photos {
		draft.Definition.Photos = append(draft.Definition.Photos, Image{tx.NewID(), photo.Name, photo.MIMEType})
	}
	if icon := original.Definition.Icon; icon != nil {
		draft.Definition.Icon = &Image{tx.NewID(), icon.Name, icon.MIMEType}
	}
	made, err := Create(tx, s, draft)
	if err != nil {
		return "", err
	}
	for i, photo := range original.Definition.Photos {
		if err := copyImage(tx, s.Key, id, photo.ID, made, draft.Definition.Photos[i].ID); err != nil {
			return "", err
		}
	}
	if icon := original.Definition.Icon; icon != nil {
		err = copyImage(tx, s.Key, id, icon.ID, made, draft.Definition.Icon.ID)
	}
	return made, err
}

// copyName returns the name of a copy, of which the end of a long original is missing.
func copyName(name string) string {
	for utf8.RuneCountInString(name)+len(copyEnding) > nameLimit {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name + copyEnding
}

// copyImage copies the bytes of an image to another campaign.
func copyImage(tx *db.Tx, storeKey int64, fromCampaign, fromID, toCampaign, toID string) error {
	_, err := tx.Exec(`INSERT INTO campaign_images (store_id, campaign_id, image_id, content)
		SELECT store_id, ?, ?, content FROM campaign_images
		WHERE store_id = ? AND campaign_id = ? AND image_id = ?`, toCampaign, toID, storeKey, fromCampaign, fromID)
	return err
}
