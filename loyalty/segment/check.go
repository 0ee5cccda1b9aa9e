package segment

import (
	"punchcard/loyalty/customer"
	"punchcard/platform/check"
)

// Rules returns the invariants of segments and their members.
func (svc *Service) Rules() []check.Rule {
	segments := check.Table{Name: "segments", ID: "segment_id"}
	rules := []check.Rule{
		check.Refers("segment.membership", check.Table{Name: "segment_members", ID: "customer_id"}, "segment_id", segments),
		check.Refers("segment.counted", check.Table{Name: "segment_figures", ID: "segment_id"}, "segment_id", segments),
		check.Refers("segment.listed", check.Table{Name: "segment_lists", ID: "customer_id"}, "segment_id", segments),
		check.Refers("segment.member", check.Table{Name: "segment_members", ID: "segment_id",
			Only: `EXISTS (SELECT 1 FROM segments s WHERE s.store_id = r.store_id AND s.segment_id = r.segment_id
				AND NOT s.deleted AND r.since <= s.generation AND (r.until IS NULL OR r.until > s.generation))`},
			"customer_id", customer.NotDeleted),
		check.JSON[Basis]("segment.basis", segments, "basis"),
		check.JSON[Basis]("segment.next_basis", segments, "next_basis"),
		svc.KnownTypes(),
	}
	for _, of := range []struct{ prefix, generation string }{{"", "s.generation"}, {"next_", "s.generation + 1"}} {
		for _, f := range []struct{ name, sum string }{
			{"members", "COUNT(*)"}, {"transactions", "SUM(m.transactions)"}, {"amount", "SUM(m.amount)"},
		} {
			rules = append(rules, check.Equal("segment."+of.prefix+f.name,
				check.Totals(`SELECT store_id, segment_id AS id, `+of.prefix+f.name+` AS total FROM segment_figures`),
				check.Totals(`SELECT m.store_id, m.segment_id AS id, `+f.sum+` AS total
					FROM segments s JOIN segment_members m ON m.store_id = s.store_id AND m.segment_id = s.segment_id
					AND m.since <= `+of.generation+` AND (m.until IS NULL OR m.until > `+of.generation+`)
					WHERE NOT s.deleted GROUP BY m.store_id, m.segment_id`)))
		}
	}
	return rules
}

// KnownTypes returns the invariant that all criteria are of known types and decode. The server does not start if it
// is violated.
func (svc *Service) KnownTypes() check.Rule {
	return check.Decodes("segment.parts", check.Table{Name: "segments", ID: "segment_id"}, "parts",
		func(text []byte) error { return storedParts{new([]Part), svc}.UnmarshalJSON(text) })
}
