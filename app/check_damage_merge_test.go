package app_test

// mergeDamages break the rules of customers who were merged.
func mergeDamages() []damage {
	const another = `SELECT customer_id FROM customers WHERE status = 'active' ORDER BY customer_id DESC LIMIT 1`
	merge := func(h *hand, target, merged string, undone any) {
		h.exec(`INSERT INTO customer_merges (store_id, merge_id, kept_id, merged_id, merged_at, merged_by, undone_at,
			undone_by, points, coupons, receipts, record) VALUES (1, $1, $2, $3, 1, '', $4, '', 0, 0, 0, 'null')`,
			stranger, target, merged, undone)
	}
	into := func(rule string, also ...string) damage {
		return damage{rule, also, "", func(h *hand) string {
			id := h.pick(rich)
			h.exec(`UPDATE customers SET merged_into = $2 WHERE customer_id = $1`, id, h.pick(another))
			return id
		}}
	}
	return []damage{
		{"merge.target", nil, "", func(h *hand) string { merge(h, stranger, h.pick(person), 1); return stranger }},
		{"merge.merged", nil, "", func(h *hand) string { merge(h, h.pick(person), stranger, 1); return stranger }},
		into("merge.open", "customer.merged", "merge.account"),
		into("merge.account", "customer.merged", "merge.open"),
		into("customer.merged", "merge.account", "merge.open"),
		{"customer.lead", nil, "", func(h *hand) string {
			h.exec(`INSERT INTO customer_leads (store_id, field, contact, customer_id, verified)
				VALUES (1, 'email', 'gone@example.com', $1, $2)`, h.pick(person), true)
			return "gone@example.com"
		}},
		{"points.merges", []string{"points.ledger", "points.transfers"}, "", func(h *hand) string {
			h.exec(`UPDATE transfers SET type = 'merge_adding', other_customer_id = $2 WHERE transfer_id = $1`,
				h.pick(lot), stranger)
			return stranger
		}},
		{"points.carried", []string{"points.ledger"}, "", func(h *hand) string {
			h.exec(`UPDATE accounts SET carried_earned = 1 WHERE customer_id = $1`, h.pick(rich))
			return ""
		}},
	}
}
