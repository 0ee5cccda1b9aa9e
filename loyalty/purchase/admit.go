package purchase

import (
	"slices"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// admit checks everything of a purchase but limits, points and codes, in the order of
// docs/behaviour/purchase.md#order-of-checks. Vouchers for a sale are sold one at a time, so the quantity
// of the request is ignored.
func (s *sale) admit(b *Buy, c *campaign.Campaign, buyer *customer.Buyer) error {
	ofSale := c.Reward.Worth != nil
	if ofSale {
		b.Quantity = 1
	}
	switch {
	case !c.Reward.Buyable:
		return fault.ErrInvalid
	case !c.ActiveAt(s.tx.Now()):
		return fault.ErrNotFound
	case !b.Administrator && (!c.VisibleAt(s.tx.Now()) || !s.isMeantFor(c, buyer)):
		return fault.ErrNotFound
	case ofSale && b.TransactionID == "":
		return ErrTransactionRequired
	case ofSale && b.TransactionValue == nil:
		return ErrInvalidTransaction
	case b.Quantity < 1:
		return ErrInvalidQuantity
	}
	return nil
}

// readSegments reads the segments of the buyers whose level is not enough to decide whether a campaign targets them.
func (s *sale) readSegments() (err error) {
	var unsure []string
	for i := range s.buys {
		b := &s.buys[i]
		c, buyer := s.campaigns[b.CampaignID], s.buyers[b.CustomerID]
		if c != nil && buyer != nil && !b.Administrator && len(c.Definition.Segments) > 0 &&
			!c.TargetsLevel(buyer.LevelID) {
			unsure = append(unsure, b.CustomerID)
		}
	}
	s.segments, err = segment.OfCustomers(s.tx, s.store.Key, db.Distinct(unsure)...)
	return err
}

func (s *sale) isMeantFor(c *campaign.Campaign, buyer *customer.Buyer) bool {
	return c.TargetsLevel(buyer.LevelID) || slices.ContainsFunc(s.segments[buyer.ID], func(in customer.Segment) bool {
		return slices.Contains(c.Definition.Segments, in.ID)
	})
}

// Targets returns the targets of campaigns that the customer has: everybody, and the ids of the level and segments.
func Targets(tx *db.Tx, storeKey int64, buyer *customer.Buyer) ([]string, error) {
	segments, err := segment.OfCustomers(tx, storeKey, buyer.ID)
	return targets(buyer.LevelID, segments[buyer.ID]), err
}

func targets(levelID string, segments []customer.Segment) []string {
	ids := []string{campaign.EverybodyTarget}
	for _, in := range segments {
		ids = append(ids, in.ID)
	}
	if levelID != "" {
		ids = append(ids, levelID)
	}
	return ids
}
