package audit

import "punchcard/platform/db"

var table = db.NewTable("audit_entries", "audit_id", func(e *Entry) db.Row {
	return db.Row{
		"audit_id", &e.ID, "store_id", &e.StoreKey, "created_at", db.Time(&e.CreatedAt), "event_type", &e.Event,
		"entity_type", &e.EntityType, "entity_id", &e.EntityID, "customer_id", &e.CustomerID,
		"user_type", &e.User.Type, "user_id", &e.User.ID, "username", &e.User.Name, "ip", &e.IP,
		"data", db.JSON(&e.Data),
	}
})

// Append writes entries.
func Append(tx *db.Tx, entries ...*Entry) error {
	rows := make([]*Entry, len(entries))
	for i, e := range entries {
		if e.User.Type == "" {
			e.User.Name = NotLogged
		}
		rows[i] = e
		if e.Event == BuyCampaign {
			short := *e
			short.EntityType = ""
			rows[i] = &short
		}
	}
	return table.Insert(tx, rows...)
}
