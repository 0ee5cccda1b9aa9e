package audit

import "punchcard/platform/db"

const columns = `audit_id, store_id, created_at, event_type, entity_type, entity_id, customer_id, user_type, user_id,
	username, ip, data`

// Append writes entries.
func Append(tx *db.Tx, entries ...*Entry) error {
	rows := make([][]any, len(entries))
	for i, e := range entries {
		entityType := e.EntityType
		if e.Event == BuyCampaign {
			entityType = ""
		}
		if e.User.Type == "" {
			e.User.Name = NotLogged
		}
		rows[i] = []any{e.ID, e.StoreKey, e.CreatedAt.UnixMicro(), e.Event, entityType, e.EntityID, e.CustomerID,
			e.User.Type, e.User.ID, e.User.Name, e.IP, db.JSON(&e.Data)}
	}
	return tx.Insert("audit_entries", columns, "", rows...)
}

func (e *Entry) row() []any {
	return []any{&e.ID, &e.StoreKey, db.Time(&e.CreatedAt), &e.Event, &e.EntityType, &e.EntityID, &e.CustomerID,
		&e.User.Type, &e.User.ID, &e.User.Name, &e.IP, db.JSON(&e.Data)}
}
