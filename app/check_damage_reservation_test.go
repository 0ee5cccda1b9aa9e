package app_test

// reservationDamages break a consistent reservation of a coupon, which was cancelled, or is open.
func reservationDamages() []damage {
	add := func(h *hand, store int64, state, ended, basket string) {
		h.exec(`INSERT INTO reservations (store_id, reservation_id, customer_id, caller_id, pos_id, state, created_at,
				expires_at, ended_at, document_number, transaction_id, basket, checkout, outcome)
			VALUES ($1, $2, '', 'somebody', '', $3, 1, 4102444800000000, `+ended+`, '', '', $4, '{}', '{}')`,
			store, stranger, state, basket)
	}
	broken := func(rule, change string) damage {
		return damage{rule, nil, "", func(h *hand) string {
			add(h, 1, "cancelled", "1", "{}")
			h.exec(`UPDATE reservations SET ` + change)
			return stranger
		}}
	}
	open := func(basket string, do func(h *hand)) damage {
		return damage{"reservation.holds", nil, "", func(h *hand) string {
			add(h, 1, "reserved", "NULL", basket)
			do(h)
			return stranger
		}}
	}
	const (
		coupon   = `SELECT MIN(coupon_id) FROM purchases WHERE used = FALSE AND status = 'active'`
		holdOf   = `{"id":"` + stranger + `","ends":4102444800000000}`
		keeping  = `UPDATE purchases SET held_until = 4102444800000000, held_by = '` + stranger + `' WHERE coupon_id = (`
		campaign = `INSERT INTO campaign_holds (store_id, campaign_id, ends_at, reservation_id, quantity)
			SELECT store_id, campaign_id, 4102444800000000, '` + stranger + `', 1 FROM campaigns LIMIT 1`
	)
	nothing := func(*hand) {}
	return []damage{
		{"store.of.reservations", nil, "", func(h *hand) string {
			add(h, strayStore, "cancelled", "1", "{}")
			return stranger
		}},
		broken("reservation.state", "state = 'lost'"),
		broken("reservation.customer", "customer_id = reservation_id"),
		broken("reservation.ended", "ended_at = NULL"),
		broken("reservation.ended", "document_number = 'R-1'"),
		{"reservation.transaction", nil, "", func(h *hand) string {
			add(h, 1, "confirmed", "1", "{}")
			h.exec(`UPDATE reservations SET document_number = 'R-1', transaction_id = reservation_id`)
			return stranger
		}},
		broken("reservation.basket", "basket = 'oops'"),
		broken("reservation.checkout", "checkout = 'oops'"),
		broken("reservation.outcome", "outcome = 'oops'"),
		open(`{"coupons":[{"couponId":"`+stranger+`"}]}`, nothing),
		open(`{"rewards":[{"campaignId":"`+stranger+`","cost":1}]}`, nothing),
		open(`{}`, func(h *hand) { h.exec(keeping + coupon + `)`) }),
		open(`{}`, func(h *hand) { h.exec(campaign) }),
		open(`{}`, func(h *hand) {
			h.exec(`UPDATE accounts SET holds = '[` + holdOf + `]', next_due_at = 1 WHERE customer_id = (` + rich + `)`)
		}),
		{"points.ledger", nil, "", func(h *hand) string {
			id := h.pick(rich)
			h.exec(`UPDATE accounts SET next_due_at = 1, holds = '[{"id":"x","ends":1,"parts":[{"lot":"x","amount":1}]}]'
				WHERE customer_id = $1`, id)
			return id
		}},
	}
}
