package customer

import (
	"slices"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// LabelLimit is the maximum number of labels of a customer.
const LabelLimit = 1000

// SetLabels replaces the labels of a locked customer and records an event. Equal labels change nothing.
func SetLabels(tx *db.Tx, s *store.Store, c *Customer, labels []Label) error {
	if slices.Equal(c.Labels, labels) {
		return nil
	}
	if !c.AnonymizedAt.IsZero() {
		return ErrAnonymized
	}
	before := *c
	c.Labels = labels
	if err := Save(tx, c); err != nil {
		return err
	}
	return event.Append(tx, s.Key, detailsUpdated(s, &before, c, tx.Now()))
}
