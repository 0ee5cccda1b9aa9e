package customer

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer/device"
	"punchcard/loyalty/photo"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/picture"
)

// Avatars are the pictures of customers.
const Avatars photo.Kind = "customer"

// AvatarPath returns the path at which the avatar of a customer can be read.
func AvatarPath(s *store.Store, id string) string {
	return "/api/" + s.Code + "/customer/" + id + "/avatar"
}

// SetAvatar replaces the avatar of a locked customer.
func SetAvatar(tx *db.Tx, s *store.Store, c *Customer, avatar picture.Picture) error {
	if !c.AnonymizedAt.IsZero() {
		return ErrAnonymized
	}
	if err := Avatars.Set(tx, s.Key, c.ID, avatar); err != nil {
		return err
	}
	if err := Save(tx, c); err != nil {
		return err
	}
	return event.Append(tx, s.Key, event.Entry{AggregateID: c.ID, Fact: customerAvatarWasSet{
		Ref{c.ID}, AvatarPath(s, c.ID), avatar.MIMEType, eventTime(s, tx.Now()),
	}})
}

// RemoveAvatar removes the avatar of a locked customer. Repeating it has no further effect.
func RemoveAvatar(tx *db.Tx, s *store.Store, c *Customer) error {
	removed, err := Avatars.Remove(tx, s.Key, c.ID)
	if err != nil || !removed {
		return err
	}
	if err := Save(tx, c); err != nil {
		return err
	}
	return event.Append(tx, s.Key, event.Entry{
		AggregateID: c.ID, Fact: customerAvatarWasRemoved{Ref{c.ID}, eventTime(s, tx.Now())},
	})
}

// removeAppData removes what the customer's app stored beside the profile: the avatar and the devices.
func (c *Customer) removeAppData(tx *db.Tx) error {
	if _, err := Avatars.Remove(tx, c.StoreKey, c.ID); err != nil {
		return err
	}
	return device.Remove(tx, c.StoreKey, c.ID)
}
