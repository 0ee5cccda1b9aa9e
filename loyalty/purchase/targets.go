package purchase

import (
	"slices"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
)

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

// isMeantFor reports whether a campaign targets customers of the level or of one of the segments.
func isMeantFor(c *campaign.Campaign, levelID string, segments []customer.Segment) bool {
	return c.TargetsLevel(levelID) || slices.ContainsFunc(segments, func(in customer.Segment) bool {
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
