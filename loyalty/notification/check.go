package notification

import (
	"strings"

	"punchcard/platform/check"
)

// Rules returns the consistency rules of notifications: their kinds, the counters of inboxes, and
// the customers notified of each campaign.
func Rules() []check.Rule {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = "'" + k.name + "'"
	}
	return []check.Rule{
		check.Rows("notification.kind", `SELECT store_id, notification_id, kind, 'a known kind' FROM notifications
			WHERE kind NOT IN (`+strings.Join(names, ", ")+`)`),
		check.Equal("notification.total", `SELECT store_id, customer_id AS id, total AS total FROM inboxes`,
			`SELECT store_id, customer_id AS id, COUNT(*) AS total FROM notifications GROUP BY store_id, customer_id`),
		check.Equal("notification.unread", `SELECT store_id, customer_id AS id, unread AS total FROM inboxes`,
			`SELECT store_id, customer_id AS id, COUNT(*) AS total FROM notifications WHERE read_at IS NULL
			GROUP BY store_id, customer_id`),
		check.Equal("notification.notified", `SELECT store_id, campaign_id AS id, notified AS total FROM announcements`,
			`SELECT store_id, campaign_id AS id, COUNT(*) AS total FROM announced WHERE notified
			GROUP BY store_id, campaign_id`),
	}
}
