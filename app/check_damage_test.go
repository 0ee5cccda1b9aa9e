package app_test

import (
	"fmt"
	"slices"
	"strings"
)

// stranger is an id that no row has.
const stranger = "01970000-0000-7000-8000-000000000001"

// rich, lot, spend and bought select rows to damage.
const (
	rich  = `SELECT customer_id FROM accounts WHERE points > 100 ORDER BY customer_id LIMIT 1`
	owner = `SELECT customer_id FROM transfers WHERE transfer_id = $1`
	lot   = `SELECT transfer_id FROM transfers WHERE is_open = TRUE ORDER BY transfer_id LIMIT 1`
	spend = `SELECT transfer_id FROM transfers WHERE type = 'spending' ORDER BY transfer_id LIMIT 1`
	paid  = `SELECT spend_id FROM purchases WHERE spend_id <> '' AND status <> 'cancelled'
		AND reward NOT IN ('cashback', 'percentage_discount_code') ORDER BY coupon_id LIMIT 1`
	bought = `SELECT coupon_id FROM purchases p WHERE spend_id <> '' AND NOT used AND status = 'active'
		AND NOT EXISTS (SELECT 1 FROM purchases o WHERE o.store_id = p.store_id AND o.customer_id = p.customer_id
			AND o.campaign_id = p.campaign_id AND o.coupon_id <> p.coupon_id) -- else the campaign still has its buyer
		ORDER BY coupon_id LIMIT 1`
	sold    = `SELECT campaign_id FROM campaign_counters WHERE sold > 10 ORDER BY campaign_id LIMIT 1`
	coded   = `SELECT campaign_id FROM campaign_codes GROUP BY campaign_id HAVING COUNT(*) > 100 ORDER BY 1 LIMIT 1`
	person  = `SELECT customer_id FROM customers WHERE status = 'active' ORDER BY customer_id LIMIT 1`
	sale    = `SELECT transaction_id FROM transactions WHERE customer_id <> '' ORDER BY transaction_id LIMIT 1`
	till    = `SELECT pos_id FROM points_of_sale ORDER BY pos_id LIMIT 1`
	tier    = `SELECT level_id FROM level_counts ORDER BY customers DESC LIMIT 1`
	group   = `SELECT segment_id FROM segment_figures WHERE members > 0 ORDER BY segment_id LIMIT 1`
	rewards = `SELECT campaign_id FROM campaigns ORDER BY campaign_id LIMIT 1`
)

// set changes a selected row. The rule must name it.
func set(rule, table, key, pick, assignment string, also ...string) damage {
	return damage{rule, also, "", func(h *hand) string {
		id := h.pick(pick)
		h.exec(`UPDATE `+table+` SET `+assignment+` WHERE `+key+` = $1`, id)
		return id
	}}
}

// refer makes a column of a selected row refer to nothing.
func refer(rule, table, key, pick, column string, also ...string) damage {
	return damage{rule, also, "", func(h *hand) string {
		id := h.pick(pick)
		h.exec(`UPDATE `+table+` SET `+column+` = $2 WHERE `+key+` = $1`, id, stranger)
		return id
	}}
}

// insert adds a row that must not exist. The rule must name its id.
func insert(rule, table, columns, id string, values ...any) damage {
	return damage{rule, nil, "", func(h *hand) string {
		places := make([]string, len(values))
		for i := range values {
			places[i] = fmt.Sprintf("$%d", i+1)
		}
		h.exec(`INSERT INTO `+table+` (`+columns+`) VALUES (`+strings.Join(places, ", ")+`)`, values...)
		return id
	}}
}

// ofTransfer changes a transfer. The rule of the ledger must name its owner.
func ofTransfer(pick, assignment string, also ...string) damage {
	return damage{"points.ledger", also, "", func(h *hand) string {
		id := h.pick(pick)
		h.exec(`UPDATE transfers SET `+assignment+` WHERE transfer_id = $1`, id)
		return h.pick(owner, id)
	}}
}

// counterDamage makes the counter of the name one too high.
func counterDamage(rule, name string) damage {
	return damage{rule, nil, "", func(h *hand) string {
		h.exec(`UPDATE row_counts SET counted = counted + 1 WHERE name = $1 AND shard =
			(SELECT MAX(shard) FROM row_counts WHERE name = $1)`, name)
		return name
	}}
}

func damages() []damage {
	return slices.Concat(ledgerDamages(), mergeDamages(), purchaseDamages(), positionDamages(), countDamages(),
		notificationDamages(), messageDamages(), dateDamages(), campaignDamages(), customerDamages(),
		invitationDamages(), accountDamages(), factorDamages(), importDamages(), eventDamages(), transactionDamages(),
		segmentDamages(), webhookDamages(), auditDamages(), otherDamages(), analyticsDamages(), receiptDamages(),
		reportDamages(), mailingDamages(), journeyDamages(), bulkDamages(), keyDamages(), tillDamages(),
		reservationDamages())
}

func ledgerDamages() []damage {
	all := []damage{
		set("points.ledger", "accounts", "customer_id", rich, "lots = '[]'"),
		set("points.ledger", "accounts", "customer_id", rich, "lots = 'oops'"),
		set("points.ledger", "accounts", "customer_id", rich, "last_transfer_id = ''"),
		ofTransfer(lot, "value = value + 1"),
		ofTransfer(lot, "is_open = FALSE"),
		ofTransfer(lot, "state = 'pending', locked_until = 1"),
		ofTransfer(lot, "state = 'canceled'"),
		ofTransfer(lot, "expires_at = 4102444800000000"),
		ofTransfer(lot, "previous_id = transfer_id"),
		ofTransfer(lot, "previous_id = '"+stranger[:35]+"'"),
		ofTransfer(spend, "lots = '[]'"),
		ofTransfer(spend, "lots = 'oops'"),
		ofTransfer(spend, "lots = '[{\"lot\":\""+stranger+"\",\"amount\":100}]'"),
		ofTransfer(paid, "state = 'canceled'", "purchase.refunded"),
		{"points.ledger", []string{"points.transfers"}, "", func(h *hand) string {
			h.repeat("transfers", "type = 'adding'", map[string]any{
				"transfer_id": stranger, "customer_id": stranger, "transaction_id": "",
			})
			return stranger
		}},
		{"points.ledger", nil, "", func(h *hand) string { // nobody looks when the lot expires
			id := h.pick(rich)
			h.exec(`UPDATE transfers SET expires_at = 4102444800000000 WHERE customer_id = $1 AND is_open = TRUE`, id)
			h.exec(`UPDATE accounts SET lots = replace(lots, '}', ',"expires":4102444800000000}') WHERE customer_id = $1`, id)
			return id
		}},
		counterDamage("points.transfers", "transfers.adding"),
		{"points.earned_once", nil, "", func(h *hand) string {
			earned := h.pick(`SELECT transaction_id FROM transfers WHERE transaction_id <> '' AND type = 'adding'
				ORDER BY transfer_id LIMIT 1`)
			other := h.pick(`SELECT transfer_id FROM transfers WHERE type = 'adding' AND customer_id <>
				(SELECT MIN(customer_id) FROM transfers WHERE transaction_id = $1) ORDER BY transfer_id LIMIT 1`, earned)
			h.exec(`UPDATE transfers SET transaction_id = $2 WHERE transfer_id = $1`, other, earned)
			return earned
		}},
		{"points.gifts", []string{"points.transfers"}, "", func(h *hand) string {
			id := h.pick(`SELECT spend_id FROM purchases WHERE spend_id <> '' ORDER BY coupon_id LIMIT 1`)
			h.exec(`UPDATE transfers SET type = 'p2p_spending' WHERE transfer_id = $1`, id)
			h.exec(`UPDATE purchases SET cost = 0, spend_id = '' WHERE spend_id = $1`, id)
			return h.pick(owner, id)
		}},
	}
	for _, sum := range []string{"p2p", "earned", "used", "expired", "locked", "blocked", "transfers"} {
		all = append(all, set("points.ledger", "accounts", "customer_id", rich, sum+" = "+sum+" + 1"))
	}
	all = append(all, set("points.ledger", "accounts", "customer_id", rich, "points = points + 1", "customer.ranks"))
	return all
}

func countDamages() []damage {
	const counted = `SELECT customer_id FROM purchase_counts WHERE bought > 0 ORDER BY 1 LIMIT 1`
	return []damage{
		set("purchase.bought", "purchase_counts", "customer_id", counted, "bought = bought + 1"),
		{"purchase.bought", nil, "", func(h *hand) string {
			id := h.pick(counted)
			h.exec(`DELETE FROM purchase_counts WHERE customer_id = $1`, id)
			return id
		}},
		insert("purchase.bought", "purchase_counts", "store_id, customer_id, campaign_id, bought", stranger,
			1, stranger, stranger, 1),
	}
}

func positionDamages() []damage {
	return []damage{
		{"purchase.positions", nil, "", func(h *hand) string {
			id := h.pick(`SELECT campaign_id FROM purchases p WHERE NOT EXISTS (SELECT 1 FROM campaign_codes c
				WHERE c.campaign_id = p.campaign_id AND c.position > 1) ORDER BY coupon_id LIMIT 1`)
			h.exec(`UPDATE purchases SET position = position + 1000 WHERE campaign_id = $1 AND position > 1`, id)
			h.placePurchases()
			return id
		}},
		{"purchase.sold_twice", nil, "sqlite", func(h *hand) string { // an index prevents it on PostgreSQL
			id := h.pick(`SELECT campaign_id FROM purchases p WHERE NOT EXISTS (SELECT 1 FROM campaign_codes c
				WHERE c.campaign_id = p.campaign_id AND c.position > 1) AND position = 3 ORDER BY coupon_id LIMIT 1`)
			h.exec(`UPDATE purchases SET position = 1 WHERE campaign_id = $1 AND position = 2`, id)
			h.placePurchases()
			return id
		}},
		{"purchase.places", nil, "sqlite", func(h *hand) string {
			id := h.pick(bought)
			h.placePurchases()
			h.exec(`DELETE FROM recent_positions WHERE coupon_id = $1`, id)
			return id
		}},
		{"purchase.places", nil, "sqlite", func(h *hand) string {
			id := h.pick(bought)
			h.exec(`INSERT INTO recent_positions (store_id, campaign_id, position, coupon_id)
				SELECT store_id, campaign_id, position, coupon_id FROM purchases WHERE coupon_id = $1`, id)
			return id
		}},
	}
}

func purchaseDamages() []damage {
	elsewhere := refer("purchase.campaign", "purchases", "coupon_id", bought, "campaign_id",
		"purchase.bought", "purchase.customers", "purchase.made", "purchase.positions", "purchase.sold")
	return []damage{
		{elsewhere.rule, elsewhere.also, "", func(h *hand) string {
			defer h.placePurchases()
			return elsewhere.do(h)
		}},
		refer("purchase.customer", "purchases", "coupon_id", bought, "customer_id",
			"purchase.bought", "purchase.paid"),
		refer("purchase.transaction", "purchases", "coupon_id", bought, "transaction_id"),
		refer("purchase.used_pos", "purchases", "coupon_id", bought, "used_pos_id"),
		set("purchase.sold", "campaign_counters", "campaign_id", sold, "sold = sold - 1"),
		set("purchase.made", "campaign_counters", "campaign_id", sold, "next_position = next_position + 1"),
		{"purchase.refunded", []string{"points.ledger"}, "", func(h *hand) string {
			h.exec(`UPDATE transfers SET state = 'canceled' WHERE transfer_id = $1`, h.pick(paid))
			return h.pick(`SELECT coupon_id FROM purchases WHERE spend_id = $1`, h.pick(paid))
		}},
		set("purchase.customers", "campaign_counters", "campaign_id", sold, "customers = customers + 1"),
		set("purchase.code", "purchases", "coupon_id", `SELECT p.coupon_id FROM purchases p JOIN campaign_codes c
			ON c.store_id = p.store_id AND c.campaign_id = p.campaign_id AND c.position = p.position
			ORDER BY p.coupon_id LIMIT 1`, "code = 'stolen'"),
		set("purchase.limit", "campaigns", "campaign_id", `SELECT c.campaign_id FROM campaigns c
			JOIN campaign_counters k ON k.campaign_id = c.campaign_id
			WHERE NOT c.unlimited AND k.sold > 20 ORDER BY c.campaign_id LIMIT 1`, "usage_limit = 1, version = 1",
			"campaign.versions"),
		{"purchase.limit_per_user", []string{"campaign.versions"}, "", func(h *hand) string {
			const most = ` FROM purchases GROUP BY campaign_id, customer_id ORDER BY COUNT(*) DESC, campaign_id LIMIT 1`
			campaign, customer := h.pick(`SELECT campaign_id`+most), h.pick(`SELECT customer_id`+most)
			h.exec(`UPDATE campaigns SET unlimited = FALSE, version = 1, usage_limit = 1000000,
				limit_per_user = (SELECT COUNT(*) - 1 FROM purchases WHERE campaign_id = $1 AND customer_id = $2)
				WHERE campaign_id = $1`, campaign, customer)
			return customer
		}},
		set("purchase.paid", "purchases", "coupon_id", bought, "cost = cost - 1"),
		set("purchase.paid", "purchases", "coupon_id", bought, "spend_id = ''"),
		{"purchase.paid_once", nil, "", func(h *hand) string {
			row := `SELECT spend_id FROM purchases p WHERE spend_id <> '' AND EXISTS (SELECT 1 FROM purchases o
				WHERE o.customer_id = p.customer_id AND o.cost = p.cost AND o.spend_id <> p.spend_id)
				ORDER BY coupon_id LIMIT 1`
			id := h.pick(row)
			h.exec(`UPDATE purchases SET spend_id = $1 WHERE coupon_id = (SELECT coupon_id FROM purchases o
				WHERE spend_id <> $1 AND spend_id <> '' AND EXISTS (SELECT 1 FROM purchases p WHERE p.spend_id = $1
				AND o.customer_id = p.customer_id AND o.cost = p.cost) ORDER BY coupon_id LIMIT 1)`, id)
			return id
		}},
		insert("cashback.purchase", "cashbacks", "store_id, customer_id, coupon_id, points, point_value, reward_amount, "+
			"provider, state, code, message, created_at, updated_at", stranger,
			1, stranger, stranger, 100, 1, 1, "", 0, "", "", 1, 1),
		insert("cashback.message", "cashback_messages", "store_id, message_id, customer_id, coupon_id, amount, state, "+
			"attempts, created_at, status, error", stranger, 1, stranger, stranger, stranger, 1, "sent", 1, 1, 200, ""),
		{"cashback.purchase", nil, "", func(h *hand) string {
			id := h.pick(bought)
			h.exec(`INSERT INTO cashbacks (store_id, customer_id, coupon_id, points, point_value, reward_amount, provider,
				state, code, message, created_at, updated_at) SELECT store_id, customer_id, coupon_id, cost, 1, 1, '',
				2, '', '', 1, 1 FROM purchases WHERE coupon_id = $1`, id)
			return id
		}},
	}
}

func notificationDamages() []damage {
	return []damage{
		{"notification.kind", nil, "", func(h *hand) string {
			h.exec(`INSERT INTO inboxes (store_id, customer_id, total, unread) VALUES (1, $1, 1, 1)`, stranger)
			h.exec(`INSERT INTO notifications (store_id, customer_id, notification_id, kind, subject_id, details, created_at)
				VALUES (1, $1, $1, 'oops', '', '{}', 1)`, stranger)
			return stranger
		}},
		insert("notification.total", "inboxes", "store_id, customer_id, total, unread", stranger, 1, stranger, 1, 0),
		insert("notification.unread", "inboxes", "store_id, customer_id, total, unread", stranger, 1, stranger, 0, 1),
		insert("notification.notified", "announcements", "store_id, campaign_id, state, basis, after_id, total, done, "+
			"notified, started_at", stranger, 1, stranger, "finished", "1", "", 1, 1, 1, 1),
	}
}

func dateDamages() []damage {
	all := []damage{set("purchase.moment", "purchases", "coupon_id", `SELECT MIN(coupon_id) FROM purchases`,
		"purchased_at = purchased_at - 1")}
	for _, assignment := range []string{
		"status = 'sleeping'", "used = TRUE", "used_at = 1", "status = 'inactive', active_since = NULL",
		"status = 'expired', active_to = NULL", "status = 'inactive', used = TRUE, used_at = 1, active_since = 1",
		"returned_amount = 1", "active_to = purchased_at - 1, active_since = NULL", "points_before = cost - 1",
	} {
		all = append(all, set("purchase.dates", "purchases", "coupon_id", bought, assignment))
	}
	return all
}

func campaignDamages() []damage {
	all := []damage{
		set("campaign.archived", "campaigns", "campaign_id", sold, "active = TRUE, archived_at = 1"),
		set("campaign.total_limit_period", "campaigns", "campaign_id", sold, "total_limit_period = 'decade'"),
		set("campaign.limit_period", "campaigns", "campaign_id", sold, "limit_period = 'decade'"),
		set("campaign.versions", "campaign_counters", "campaign_id", sold, "version = version + 1"),
		set("campaign.positions", "campaign_counters", "campaign_id", sold, "next_position = next_position - 1",
			"purchase.made"),
		{"campaign.codes", []string{"campaign.loose_codes"}, "", func(h *hand) string {
			id := h.pick(coded)
			h.exec(`UPDATE campaign_codes SET code = (SELECT MAX(code) FROM campaign_codes c
				WHERE c.campaign_id = campaign_codes.campaign_id) WHERE campaign_id = $1 AND position = (SELECT MAX(position) - 1
				FROM campaign_codes c WHERE c.campaign_id = campaign_codes.campaign_id)`, id)
			return id
		}},
		{"campaign.code_keys", nil, "", func(h *hand) string {
			id := h.pick(coded)
			h.exec(`UPDATE campaign_codes SET code = code || $2 WHERE campaign_id = $1 AND position =
				(SELECT MAX(position) FROM campaign_codes c WHERE c.campaign_id = campaign_codes.campaign_id)`, id, "\u200b")
			return id
		}},
		set("campaign.loose_codes", "campaign_codes", "campaign_id", coded, "loose = 'oops'"),
		{"campaign.lists", nil, "", func(h *hand) string {
			id := h.pick(coded)
			h.exec(`UPDATE campaign_codes SET list_number = 1 WHERE campaign_id = $1 AND position = 2`, id)
			return id
		}},
		{"campaign.batches", nil, "", func(h *hand) string {
			h.exec(`INSERT INTO campaign_code_batches (store_id, campaign_id, batch_id, state, prefix, length, requested,
				added, created_at) VALUES (1, $1, $2, 'running', '', 8, 1, 2, 1)`, h.pick(coded), stranger)
			return stranger
		}},
		set("campaign.stock", "campaign_counters", "campaign_id", coded, "last_position = last_position + 1"),
		{"campaign.counted", []string{"campaign.versions", "purchase.made", "purchase.sold"}, "", func(h *hand) string {
			h.repeat("campaign_counters", "sold > 0", map[string]any{
				"campaign_id": stranger, "customers": 0, "last_position": 0,
			})
			return stranger
		}},
		set("campaign.reward", "campaigns", "campaign_id", rewards, "reward = 'oops'"),
		set("campaign.definition", "campaigns", "campaign_id", rewards, "definition = 'oops'"),
		set("campaign.search", "search_documents", "object_id", rewards, "name = ' other'"),
		{"campaign.search", nil, "", func(h *hand) string {
			id := h.pick(rewards)
			if h.db.Engine() == "sqlite" {
				h.exec(`DELETE FROM search_words WHERE rowid = (SELECT number FROM search_documents WHERE object_id = $1)`, id)
			}
			h.exec(`DELETE FROM search_documents WHERE object_id = $1`, id)
			return id
		}},
		insert("campaign.searched", "search_documents", "store_id, kind, object_id, name, words", stranger,
			1, "campaign", stranger, " a", " b"),
	}
	for table, values := range map[string][2]string{
		"campaign_codes":      {", position, list_number, code, loose", ", -1, 1, 'X', 'X'"},
		"campaign_targets":    {", target_id", ", 'X'"},
		"campaign_categories": {", category_id", ", 'X'"}, "campaign_labels": {", label_key, label_value", ", 'X', 'Y'"},
		"campaign_code_batches": {", batch_id, state, prefix, length, requested, added, created_at, finished_at",
			", 'X', 'finished', '', 8, 1, 1, 1, 1"},
		"campaign_names":  {", locale, name, name_order", ", 'en', 'X', 'x'"},
		"campaign_images": {", image_id, content", ", 'X', ''"},
	} {
		all = append(all, damage{"campaign.of." + table, nil, "", func(h *hand) string {
			h.exec(`INSERT INTO `+table+` (store_id, campaign_id`+values[0]+`) VALUES (1, $1`+values[1]+`)`, stranger)
			return stranger
		}})
	}
	return all
}

func customerDamages() []damage {
	broken := func(column string) damage {
		return set("customer."+column, "customers", "customer_id", person, column+" = 'oops'")
	}
	return []damage{
		refer("customer.level", "customers", "customer_id", person, "level_id", "customer.in_level"),
		refer("customer.manual_level", "customers", "customer_id", person, "manual_level_id"),
		refer("customer.pos", "customers", "customer_id", person, "pos_id"),
		refer("customer.seller", "customers", "customer_id", person, "seller_id"),
		insert("customer.avatar", "photos", "store_id, owner_kind, owner_id, photo_id, name, media_type, content", stranger,
			1, "customer", stranger, stranger, "", "image/png", []byte("x")),
		insert("customer.push_token", "customer_push_tokens", "store_id, token, customer_id, registered_at", "device",
			1, "device", stranger, 1),
		insert("customer.push_subscription", "push_subscriptions",
			"store_id, subscription_id, customer_id, endpoint, p256dh, auth, subscribed_at", "browser",
			1, "browser", stranger, "https://push.example.net/1", "p", "a", 1),
		insert("customer.of_note", "customer_notes", "store_id, customer_id, note_id, text, created_by, created_at", stranger,
			1, stranger, stranger, "Likes tea", "admin", 1),
		insert("customer.view", "customer_views", "store_id, view_id, owner_id, owner_name, shared, name, query, created_at",
			stranger, 1, stranger, "", "", false, "Mine", "[]", 1),
		insert("store.of.customer_views", "customer_views",
			"store_id, view_id, owner_id, owner_name, shared, name, query, created_at", stranger, strayStore, stranger, "", "",
			false, "Mine", "{}", 1),
		{"customer.account", nil, "", func(h *hand) string {
			h.repeat("customers", "status = 'active'", map[string]any{
				"customer_id": stranger, "email": "", "phone": "", "loyalty_card": "", "phone_key": "", "loyalty_card_key": "",
				"status": "deleted", "level_id": "",
			})
			return stranger
		}},
		set("customer.anonymous", "customers", "customer_id", person, "anonymized_at = 1"),
		{"customer.of_account", nil, "", func(h *hand) string {
			h.repeat("accounts", "transfers = 0", map[string]any{"customer_id": stranger})
			return stranger
		}},
		set("customer.in_level", "level_counts", "level_id", tier, "customers = customers - 1"),
		set("customer.status", "customers", "customer_id", person, "status = 'asleep'"),
		broken("address"), broken("company"), broken("labels"),
		insert("customer.searched", "search_documents", "store_id, kind, object_id, name, words", stranger,
			1, "customer", stranger, " a", " b"),
		set("customer.search", "customers", "customer_id", person, "first_name = 'Renamed'", "customer.keys"),
		insert("customer.ranked", "customer_ranks", "store_id, customer_id, points, spent, last_purchase_at", stranger,
			1, stranger, 0, 0, 0),
		set("customer.ranks", "customer_ranks", "customer_id", person, "spent = spent + 1"),
		set("customer.ranks", "customers", "customer_id", person, "status = 'deleted'",
			"customer.searched", "customer.status", "segment.member", "transaction.customer_amount",
			"transaction.customer_count", "transaction.last_sale"),
		{"search.words", nil, "sqlite", func(h *hand) string {
			id := h.pick(`SELECT object_id FROM search_documents ORDER BY number LIMIT 1`)
			h.exec(`DELETE FROM search_words WHERE rowid = (SELECT MIN(number) FROM search_documents)`)
			return id
		}},
	}
}

func invitationDamages() []damage {
	// invited adds an invitation that is not counted. Its referrer, recipient, status and time of registration are SQL.
	invited := func(rule, found, values string, also ...string) damage {
		return damage{rule, also, "", func(h *hand) string {
			h.exec(`INSERT INTO invitations (store_id, invitation_id, recipient_email, recipient_phone, recipient_phone_key,
				joined_email, joined_phone_key, token, rewarded, referrer_points, recipient_points, created_at, referrer_id,
				recipient_id, status, registered_at) VALUES (1, '` + stranger +
				`', '', '', '', '', '', '', FALSE, 0, 0, 1, ` + values + `)`)
			return found
		}}
	}
	const somebody, nobody = "(" + person + ")", "'" + stranger + "'"
	return []damage{
		invited("invitation.referrer", stranger, nobody+", '', 'invited', NULL", "invitation.count"),
		invited("invitation.recipient", stranger, somebody+", "+nobody+", 'registered', 1", "invitation.count"),
		invited("invitation.status", stranger, somebody+", '', 'oops', NULL", "invitation.life", "invitation.count"),
		invited("invitation.life", stranger, somebody+", '', 'registered', NULL", "invitation.count"),
		invited("invitation.count", "invitations invited", somebody+", '', 'invited', NULL"),
		refer("invitation.of_customer", "customers", "customer_id", person, "invitation_id"),
	}
}

func eventDamages() []damage {
	const some = `SELECT MIN(id) FROM events`
	return []damage{
		{"event.ids", nil, "", func(h *hand) string {
			h.exec(`DELETE FROM events WHERE id = 3`)
			return "4"
		}},
		{"event.ids", nil, "", func(h *hand) string {
			h.exec(`DELETE FROM events WHERE id = 1`)
			return "2"
		}},
		set("event.cursors", "event_cursors", "name", `SELECT 'numbering'`, "last_id = 1000000"),
		set("event.payloads", "events", "id", some, "payload = 'oops'"),
		set("event.payloads", "events", "id", some, "payload = '[]'"),
		set("event.payloads", "events", "id", some, "type = 'Oops'"),
		{"event.payloads", nil, "postgres", func(h *hand) string {
			h.exec(`INSERT INTO event_queue (queue_id, store_id, recorded_at, size, aggregate_ids, types, payloads, traced)
				VALUES (77, 1, 1, 1, '{""}', '{Oops}', '{"{}"}', '{f}')`)
			return "77"
		}},
	}
}

func transactionDamages() []damage {
	broken := func(column string) damage {
		return set("transaction."+column, "transactions", "transaction_id", sale, column+" = 'oops'")
	}
	return []damage{
		refer("transaction.customer", "transactions", "transaction_id", sale, "customer_id",
			"transaction.customer_amount", "transaction.customer_count", "transaction.last_sale"),
		refer("transaction.pos", "transactions", "transaction_id", sale, "pos_id",
			"transaction.pos_amount", "transaction.pos_count"),
		refer("transaction.revised", "transactions", "transaction_id", sale, "revised_id"),
		insert("transaction.labelled", "transaction_labels", "store_id, label_key, label_value, transaction_id", stranger,
			1, "a", "b", stranger),
		refer("transaction.transfer", "transfers", "transfer_id", lot, "transaction_id"),
		refer("transaction.revised_transfer", "transfers", "transfer_id", lot, "revised_transaction_id"),
		counterDamage("transaction.count", "transactions"),
		set("transaction.returned", "transactions", "transaction_id", sale, "returned = 1",
			"transaction.customer_amount", "transaction.pos_amount"),
		set("transaction.customer_count", "customers", "customer_id", person,
			"transactions_count = transactions_count + 1"),
		set("transaction.customer_amount", "customers", "customer_id", person,
			"transactions_amount = transactions_amount - 1", "customer.ranks"),
		set("transaction.last_sale", "customers", "customer_id", person, "last_transaction_at = last_transaction_at + 1",
			"customer.ranks"),
		set("transaction.pos_count", "points_of_sale", "pos_id", till, "transactions_count = transactions_count + 1"),
		set("transaction.pos_amount", "points_of_sale", "pos_id", till, "transactions_amount = transactions_amount + 1"),
		broken("customer_data"), broken("items"), broken("labels"), broken("excluded"),
	}
}

func segmentDamages() []damage {
	all := []damage{
		{"segment.membership", nil, "", func(h *hand) string {
			h.repeat("segment_members", "until IS NULL", map[string]any{"segment_id": stranger})
			return h.pick(`SELECT customer_id FROM segment_members WHERE segment_id = $1`, stranger)
		}},
		{"segment.counted", []string{"segment.members", "segment.next_members"}, "", func(h *hand) string {
			h.exec(`INSERT INTO segment_figures (store_id, segment_id, shard, members, transactions, amount, next_members,
				next_transactions, next_amount) VALUES (1, $1, 0, 1, 0, 0, 1, 0, 0)`, stranger)
			return stranger
		}},
		{"segment.listed", nil, "", func(h *hand) string {
			h.exec(`INSERT INTO segment_lists (store_id, customer_id, criterion_id, segment_id, position)
				VALUES (1, $1, $2, $2, 1)`, h.pick(person), stranger)
			return h.pick(person)
		}},
		{"segment.member", nil, "", func(h *hand) string {
			id := h.pick(group)
			h.exec(`UPDATE segment_members SET customer_id = $2 WHERE segment_id = $1 AND customer_id =
				(SELECT MIN(customer_id) FROM segment_members WHERE segment_id = $1 AND until IS NULL)`, id, stranger)
			return id
		}},
	}
	for _, column := range []string{"basis", "next_basis", "parts"} {
		all = append(all, set("segment."+column, "segments", "segment_id", group, column+" = 'oops'"))
	}
	for _, column := range []string{
		"members", "transactions", "amount", "next_members", "next_transactions", "next_amount",
	} {
		all = append(all, damage{"segment." + column, nil, "", func(h *hand) string {
			id := h.pick(group)
			h.exec(`UPDATE segment_figures SET `+column+` = `+column+` + 1 WHERE segment_id = $1 AND shard =
				(SELECT MIN(shard) FROM segment_figures WHERE segment_id = $1)`, id)
			return id
		}})
	}
	return all
}

func webhookDamages() []damage {
	delivery := func(rule string, id int, kind, state string, due any) damage {
		return damage{rule, nil, "", func(h *hand) string {
			subscribe(h, `[]`)
			if kind == "" {
				kind = h.pick(`SELECT type FROM events WHERE id = $1`, id)
			}
			h.exec(`INSERT INTO webhook_deliveries (store_id, subscription_id, event_id, aggregate_id, type, state, attempts,
				created_at, due_at, status, error) VALUES (1, $1, $2, $1, $3, $4, 0, 1, $5, 0, '')`,
				stranger, id, kind, state, due)
			return fmt.Sprint(id)
		}}
	}
	return []damage{
		{"webhook.subscription", nil, "", func(h *hand) string {
			h.exec(`INSERT INTO webhook_deliveries (store_id, subscription_id, event_id, aggregate_id, type, state, attempts,
				created_at, status, error) SELECT store_id, $1, id, $1, type, 'waiting', 0, 1, 0, ''
				FROM events WHERE id = 2`, stranger)
			return "2"
		}},
		delivery("webhook.event", 3, "Oops", "waiting", nil), delivery("webhook.event", 1000000, "Oops", "waiting", nil),
		delivery("webhook.state", 3, "", "waiting", 1), delivery("webhook.state", 3, "", "delivered", nil),
		delivery("webhook.state", 3, "", "lost", nil),
		{"webhook.event_names", nil, "", func(h *hand) string { subscribe(h, "oops"); return stranger }},
	}
}

func auditDamages() []damage {
	entry := func(rule string, store int, event, entityType, userType, userID, username, data string) damage {
		return insert(rule, "audit_entries", "audit_id, store_id, created_at, event_type, entity_type, entity_id, "+
			"customer_id, user_type, user_id, username, ip, data", stranger,
			stranger, store, 1, event, entityType, "", "", userType, userID, username, "", data)
	}
	archive := func(filename string, entries, createdAt int) damage {
		return insert("audit.archive", "audit_archives", "before_at, filename, entries, created_at", filename,
			0, filename, entries, createdAt)
	}
	return []damage{
		entry("audit.data", 0, "UpdateLevel", "level", "admin", "", "admin", "oops"),
		entry("audit.user", 1, "UpdateLevel", "level", "cat", "", "cat", "{}"),
		entry("audit.user", 1, "UpdateLevel", "level", "", stranger, "<notlogged>", "{}"),
		entry("audit.user", 1, "UpdateLevel", "level", "", "", "admin", "{}"),
		entry("audit.purchase", 1, "BuyCampaign", "purchase", "admin", "", "admin", "{}"),
		archive("audit_log_archive_before_1970_01_02.xml", 1, 1),
		archive("audit_log_archive_before_1970_01_01.xml", 0, 1),
		archive("audit_log_archive_before_1970_01_01.xml", 1, -1),
	}
}

func subscribe(h *hand, eventNames string) {
	h.exec(`INSERT INTO webhook_subscriptions (store_id, subscription_id, url, description, event_names, headers, active,
		deleted, disabled_reason, signed, secret, old_secret, position, created_at, managed)
		VALUES (1, $1, '', '', $2, '{}', FALSE, FALSE, '', FALSE, '', '', 0, 1, FALSE)`, stranger, eventNames)
}

func otherDamages() []damage {
	all := []damage{
		set("earning.type", "earning_rules", "rule_id", `SELECT MIN(rule_id) FROM earning_rules`, "type = 'oops'"),
		set("earning.definition", "earning_rules", "rule_id", `SELECT MIN(rule_id) FROM earning_rules`, "definition = '1'"),
		{"earning.use", nil, "", func(h *hand) string {
			h.exec(`INSERT INTO earning_uses (store_id, customer_id, rule_id, use_id, used_at) VALUES (1, $1, $2, $2, 1)`,
				h.pick(person), stranger)
			return stranger
		}},
		{"earning.used_by", nil, "", func(h *hand) string {
			h.exec(`INSERT INTO earning_uses (store_id, customer_id, rule_id, use_id, used_at) VALUES (1, $1, $2, $1, 1)`,
				stranger, h.pick(`SELECT MIN(rule_id) FROM earning_rules`))
			return stranger
		}},
		insert("earning.once", "earning_once", "store_id, customer_id, event_name, happened_at", "login",
			1, stranger, "login", 1),
		insert("earning.photo", "photos", "store_id, owner_kind, owner_id, photo_id, name, media_type, content", stranger,
			1, "earning_rule", stranger, stranger, "", "image/png", []byte("x")),
		insert("level.photo", "photos", "store_id, owner_kind, owner_id, photo_id, name, media_type, content", stranger,
			1, "level", stranger, stranger, "", "image/png", []byte("x")),
		set("level.special_rewards", "levels", "level_id", tier, "special_rewards = 'oops'"),
		set("level.translations", "levels", "level_id", tier, "translations = 'oops'"),
		set("pos.identifier", "points_of_sale", "pos_id", till, "identifier = identifier || ' '"),
		set("seller.email", "sellers", "seller_id", `SELECT MIN(seller_id) FROM sellers`, "email = email || ' '"),
		set("transaction.document_number", "transactions", "transaction_id",
			`SELECT MIN(transaction_id) FROM transactions`, "document_number = document_number || ' '"),
		set("customer.keys", "customers", "customer_id", rich, "last_name_key = 'oops'"),
		set("pos.location", "points_of_sale", "pos_id", till, "location = 'oops'"),
		insert("template.text", "message_templates",
			"store_id, event, channel, language, subject, content, enabled, changed_at", "oloy.customer.birthday sms en",
			1, "oloy.customer.birthday", "sms", "en", "", "{{ days }}", true, 1),
		refer("seller.pos", "sellers", "seller_id", `SELECT MIN(seller_id) FROM sellers`, "pos_id"),
		set("category.translations", "categories", "category_id", `SELECT MIN(category_id) FROM categories`,
			"translations = 'oops'"),
		{"admin.default_role", nil, "", func(h *hand) string {
			h.exec(`UPDATE roles SET is_default = TRUE`)
			return "default"
		}},
		{"admin.permissions", nil, "", func(h *hand) string {
			h.exec(`UPDATE roles SET permissions = 'oops' WHERE role_id = 1`)
			return "1"
		}},
		insert("store.of.store_files", "store_files",
			"store_id, name, size, file_id, media_type, width, height, content", "logo",
			strayStore, "logo", "", stranger, "image/png", 1, 1, []byte("x")),
		{"store.settings", nil, "", func(h *hand) string { h.exec(`UPDATE stores SET settings = '[]'`); return "1" }},
		{"store.languages", nil, "", func(h *hand) string {
			h.exec(`UPDATE languages SET is_default = FALSE`)
			return "default"
		}},
	}
	for table, id := range map[string]string{
		"accounts": "customer_id", "transfers": "transfer_id", "purchases": "coupon_id", "campaigns": "campaign_id",
		"events": "id", "customers": "customer_id", "transactions": "transaction_id", "levels": "level_id",
		"points_of_sale": "pos_id", "sellers": "seller_id", "categories": "category_id",
	} {
		all = append(all, damage{"store.of." + table, nil, "", func(h *hand) string {
			other := map[string]any{"store_id": strayStore}
			if table == "events" {
				other["id"] = strayStore * 1000
			}
			h.repeat(table, "store_id = 1", other)
			if table == "purchases" {
				h.placePurchases()
			}
			return h.pick(`SELECT `+id+` FROM `+table+` WHERE store_id = $1`, strayStore)
		}})
	}
	return all
}

// strayStore is a key that no store has.
const strayStore = 999
