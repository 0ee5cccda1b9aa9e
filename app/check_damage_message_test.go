package app_test

import "punchcard/app/servertest"

func messageDamages() []damage {
	message := func(rule, queue, state string, due, finished any, details string) damage {
		return insert(rule, "messages", "store_id, queue, message_id, event, role, recipient_id, address, language, "+
			"details, subject, content, state, attempts, created_at, due_at, status, error, finished_at", stranger,
			1, queue, stranger, "oloy.customer.birthday", "customer", stranger, "a@example.com", "",
			details, "", "", state, 0, 1, due, 0, "", finished)
	}
	return []damage{
		message("message.state", "email", "lost", nil, 1, "null"),
		message("message.state", "email", "waiting", nil, nil, "{}"),
		message("message.state", "email", "dead", 1, 1, "{}"),
		message("message.state", "email", "sent", nil, nil, "null"),
		message("message.queue", "pigeon", "waiting", 1, nil, "{}"),
		message("message.erased", "sms_marketing", "sent", nil, 1, `{"first_name":"Anna"}`),
		message("message.erased", "push", "dropped", nil, 1, `{"first_name":"Anna"}`),
	}
}

func mailingDamages() []damage {
	const columns = "store_id, mailing_id, name, state, content, part, after_id, visited, recipients, clicked, results, " +
		"settled, created_by, created_at, finished_at"
	now := servertest.StartOfTests.UnixMicro()
	one := func(rule, state string, recipients int, ended any) damage {
		return insert(rule, "mailings", columns, stranger, 1, stranger, "Spring", state, "{}", 0, "", 0, recipients, 0, "{}",
			false, "{}", now, ended)
	}
	ofNoStore := one("store.of.mailings", "draft", 0, nil)
	ofNoStore.do = func(h *hand) string {
		h.exec(`INSERT INTO mailings (`+columns+`) VALUES ($1, $2, 'Spring', 'draft', '{}', 0, '', 0, 0, 0, '{}', FALSE, '{}',
			$3, NULL)`, strayStore, stranger, now)
		return stranger
	}
	return []damage{
		ofNoStore, one("mailing.state", "lost", 0, nil), one("mailing.ended", "running", 0, 1),
		one("mailing.ended", "finished", 0, nil), one("mailing.counts", "running", 1, nil),
		insert("mailing.of_recipient", "marketing_recipients",
			"store_id, source_id, customer_id, occasion, entry_id, token, sent_at", stranger, 1, stranger, stranger, "", "",
			"x", 1),
	}
}
