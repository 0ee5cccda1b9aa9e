package auditapi

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/feature"
)

// pastView is an entry in the history of a customer.
type pastView struct {
	AuditLogID string     `json:"auditLogId"`
	EventType  string     `json:"eventType"`
	CreatedAt  string     `json:"createdAt"`
	EntityType string     `json:"entityType"`
	EntityID   string     `json:"entityId"`
	Username   string     `json:"username"`
	UserType   string     `json:"userType"`
	Data       audit.Data `json:"data"`
}

// timeline returns at most limit entries about a customer before the one with the id, or the newest ones.
func timeline(r *feature.TimelineReader, before string, limit int) ([]feature.TimelineEntry, error) {
	found, err := audit.OfCustomer(r.Tx, r.CustomerID, before, limit)
	entries := make([]feature.TimelineEntry, len(found))
	for i := range found {
		e := &found[i]
		entries[i] = feature.TimelineEntry{ID: e.ID, At: e.CreatedAt, Older: e.ID, View: pastView{
			AuditLogID: e.ID, EventType: e.Event, CreatedAt: api.Timestamp(e.CreatedAt, time.UTC), EntityType: e.EntityType,
			EntityID: e.EntityID, Username: e.User.Name, UserType: e.User.Type, Data: e.Data,
		}}
	}
	return entries, err
}
