package app_test

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
