package main

// fault is a small mistake in one feature, of the kind that a careful person makes and a review may miss.
type fault struct {
	name   string // of the feature, and what is wrong
	file   string // from the root of the repository
	before string // exact text, which the file has once
	after  string
	breaks string // for users
}

// faults are the mistakes, each in another feature. Some concern only PostgreSQL, and some only the web apps.
var faults = []fault{
	{
		"api-weak-tag", "core/api/conditional.go",
		`sent = strings.TrimPrefix(strings.TrimSpace(sent), "W/")`, `sent = strings.TrimSpace(sent)`,
		"a conditional write is refused after a compressed response",
	},
	{
		"audit-end-of-period", "core/audit/list.go",
		`q.And("created_at < ?", f.To.UnixMicro())`, `q.And("created_at <= ?", f.To.UnixMicro())`,
		"a list of the audit log has an entry of the moment after its end",
	},
	{
		"auth-guesses-not-given-back", "loyalty/identity/auth/guess.go",
		"\t\t\tgiveBack()\n\t\t\treturn nil, err", "\t\t\treturn nil, err",
		"attempts at one name of an account use up those at its other name",
	},
	{
		"bulk-undo-of-nothing", "loyalty/bulk/run.go",
		"AND customer_id > ? AND result = 'done' AND outcome = ''", "AND customer_id > ? AND outcome = ''",
		"undoing an action takes it back from customers whom it did not change",
	},
	{
		"campaign-stale-cache", "loyalty/campaign/catalogue.go",
		"c != nil && c.Version == of.Version {", "c != nil && c.Version <= of.Version {",
		"customers see a campaign as it was before it was changed",
	},
	{
		"cashback-role", "loyalty/cashback/api.go",
		"modify := access.AdministratorWith(access.RewardCampaigns, access.Modify)",
		"modify := access.AdministratorWith(access.RewardCampaigns, access.View)",
		"administrators who may only look exchange points of customers for money",
	},
	{
		"checkout-last-moment", "loyalty/checkout/reservation.go",
		"if r.State == Reserved && !r.ExpiresAt.After(now) {", "if r.State == Reserved && r.ExpiresAt.Before(now) {",
		"a reservation can be confirmed at the moment at which nothing is kept for it",
	},
	{
		"dataimport-two-runs", "loyalty/dataimport/run.go",
		"if err == nil && (i.State != Running || i.owner != r.of.owner) {", "if err == nil && i.State != Running {",
		"two nodes carry out the rest of one import",
	},
	{
		"earning-limit", "loyalty/earning/conditions.go",
		"return !limit.Active || t.uses < limit.Uses", "return !limit.Active || t.uses <= limit.Uses",
		"a rule pays once more than its limit allows",
	},
	{
		"eventlog-personal-data", "loyalty/eventlog/personal.go",
		"{ return caller.Allowed(access.Customers, access.View) }", "{ return caller.Allowed(access.Events, access.View) }",
		"everybody who may read events reads personal data in them",
	},
	{
		"factor-clock", "loyalty/identity/factor/totp.go",
		"at <= present+totpWindow; at++", "at < present+totpWindow; at++",
		"the code of an authenticator app whose clock is ahead is refused",
	},
	{
		"idempotency-late-lock", "platform/idempotency/batch.go",
		"{b.lock(tx, storeKey, keys), find}", "{find, b.lock(tx, storeKey, keys)}",
		"on PostgreSQL a repeated request that waits for the first one takes effect again",
	},
	{
		"invitation-used-again", "loyalty/invitation/invitation.go",
		"err != nil || i.Token != token || i.Status != Invited {", "err != nil || i.Token != token {",
		"several people register by one invitation",
	},
	{
		"journey-matched-before", "loyalty/journey/entry.go",
		"State: Waiting, Reason: f.reason, DueAt: f.dueAt,", "State: Waiting, DueAt: f.dueAt,",
		"customers who matched before a journey was turned on get its message",
	},
	{
		"mailing-agreement", "loyalty/message/message.go",
		"event.Marketing && (!m.Agreed || leaving[m.RecipientID]) {", "event.Marketing && leaving[m.RecipientID] {",
		"customers who did not agree get advertisements",
	},
	{
		"me-used-coupon", "web/me/coupon.tsx",
		"if (state !== 'active' && state !== 'waiting') return", "if (state !== 'waiting') return",
		"a coupon at the counter does not say that it was used",
	},
	{
		"notification-count", "loyalty/notification/inbox.go",
		"map[string]int64{customerID: -n})", "map[string]int64{customerID: -1})",
		"the app shows unread notifications after all were read",
	},
	{
		"points-lock", "loyalty/points/sql.go",
		"` ORDER BY a.customer_id FOR UPDATE OF a`", "` ORDER BY a.customer_id`",
		"on PostgreSQL points are spent twice at the same moment",
	},
	{
		"pos-of-any-store", "loyalty/pos/sql.go",
		"WHERE store_id = ? AND pos_id = ?`, storeKey, id)", "WHERE ? > 0 AND pos_id = ?`, storeKey, id)",
		"a store shows points of sale of another one",
	},
	{
		"purchase-lost-event", "loyalty/purchase/use.go",
		"\tu.entries = append(u.entries, usageChanged(u.store, p)...)\n", "\t_ = usageChanged(u.store, p)\n",
		"web hooks do not report used coupons",
	},
	{
		"rollup-returns", "loyalty/rollup/sales.go",
		"-s.MatchedReceipts, -s.MatchedSales}", "-s.MatchedReceipts, s.MatchedSales}",
		"figures count what is taken back twice in place of leaving it out",
	},
	{
		"search-last-word", "platform/search/sql.go",
		`q.Add(postgresMatches, scope+strings.Join(words, ":* & "+scope)+":*")`,
		`q.Add(postgresMatches, scope+strings.Join(words, ":* & "+scope))`,
		"on PostgreSQL the last word of a search is not found by its beginning",
	},
	{
		"segment-anniversary", "loyalty/segment/criterion_anniversary.go",
		"if day >= first && day < first+calendar.Day(min(days, manyDays)) {",
		"if day >= first && day <= first+calendar.Day(min(days, manyDays)) {",
		"customers whose birthday is a day too late are in the segment",
	},
	{
		"texts-label", "web/i18n/pl.json",
		`"me.used": "Użyto"`, `"me.used": ""`,
		"the Polish app has no text on a used coupon",
	},
	{
		"till-former-till", "loyalty/identity/till/till.go",
		"if err == nil && found {\n\t\terr = revoke(tx, a, storeKey, former.ID)",
		"if err == nil && found && former.EnrolledBy == sellerID {\n\t\terr = revoke(tx, a, storeKey, former.ID)",
		"a device that another seller enrols stays enrolled under its former name, too",
	},
	{
		"till-queue-conflict", "web/till/queue.ts",
		"if (f.kind === 'failed' || f.status === 409) failed.add(next.key)", "if (f.kind === 'failed') failed.add(next.key)",
		"the till drops a sale that the server is still handling",
	},
	{
		"transaction-returned", "loyalty/transaction/assign.go",
		"\tif t.FullyReturned {\n\t\tsums.Count = 0\n\t} else {\n\t\tsums.LastAt = t.PurchasedAt\n\t}\n",
		"\tsums.LastAt = t.PurchasedAt\n",
		"a sale that was returned counts as a purchase of the customer to whom it is assigned",
	},
	{
		"transfer-audit", "loyalty/points/transfer/move.go",
		"\t\t\te.SetCustomer(m.from)\n", "",
		"the audit log does not name the customer whose points were given away",
	},
	{
		"ui-merge-clash", "web/ui/merge.ts",
		"result.clashes.push(...inner.clashes.map((path) => `${name}.${path}`))", "result.clashes.push(...inner.clashes)",
		"the editor marks the wrong fields when two people changed the same one",
	},
	{
		"webhook-again", "loyalty/webhook/retry.go",
		"\tcase !d.Finished():\n\t\treturn nil, ErrUnfinished\n", "",
		"a delivery that is still tried is sent once more",
	},
}
