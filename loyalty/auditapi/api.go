// Package auditapi has the endpoints of the audit log.
package auditapi

import (
	"encoding/json"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Log serves the audit log.
type Log struct {
	Deferred *audit.Deferred
	// CustomerNames returns the user names of customers of a store, by their ids.
	CustomerNames func(tx *db.Tx, storeKey int64, ids ...string) (map[string]string, error)
}

// Endpoints returns the endpoints of docs/behaviour/audit.md.
func (l *Log) Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Audit, access.View)
	modify := access.AdministratorWith(access.Audit, access.Modify)
	const path = "/api/audit/log"
	filters := api.Filters(func(q *form.Node) *form.Node { _, _ = readFilter(q); return q })
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view,
			Do:      api.Read(api.InCall(api.PageQuery(sortable, filters), l.readQuery), l.list),
			Summary: "List the entries of the audit log"},
		{Method: "GET", Path: path + "/export", Access: view, Summary: "Export the audit log",
			Do: api.ExportPages("audit_log", exportColumns, l.export, filters)},
		{Method: "GET", Path: path + "/archive", Access: view, Do: api.Show(listArchives),
			Summary: "List the archives of the audit log"},
		{Method: "POST", Path: path + "/archive", Access: modify, Factor: api.Everyday,
			Do:      api.Write(api.BodyInCall("archive", l.readDay, describeDay), makeArchive),
			Summary: "Archive older entries of the audit log",
			Audit:   api.Audited("ArchiveAuditLog", "audit"), NoDryRun: api.RunsJobs},
		{Method: "GET", Path: path + "/archive/{filename}", Access: view, Handle: l.readArchive,
			Summary: "Read an archive of the audit log", Response: api.Media("application/xml")},
	}
}

// sortable are the columns that the list can be sorted by.
var sortable = map[string]bool{"createdAt": true}

type entryList struct {
	Logs  []entryView `json:"logs"`
	Total int         `json:"total"`
}

// entryView is the JSON of an entry.
type entryView struct {
	AuditLogID logID           `json:"auditLogId"`
	CreatedAt  string          `json:"createdAt"`
	EventType  string          `json:"eventType"`
	EntityType string          `json:"entityType"`
	EntityID   string          `json:"entityId"`
	Username   string          `json:"username"`
	UserType   string          `json:"userType"`
	UserID     string          `json:"userId"`
	IP         string          `json:"ip"`
	Data       json.RawMessage `json:"data"`
	StoreCode  string          `json:"storeCode,omitempty"`
	CustomerID string          `json:"customerId,omitempty"` // whom the entry is about
}

type logID struct {
	AuditLogID string `json:"auditLogId"`
}

// readFilter reads the filters of the list and of the export. Dates are days of UTC, both included.
func readFilter(query *form.Node) (f audit.Filter, ok bool) {
	text := func(name string) string { return query.Child(name).Text() }
	f = audit.Filter{
		ID: strings.ToLower(text("auditLogId")), Event: text("eventType"), EntityType: text("entityType"),
		EntityID: text("entityId"), CustomerID: strings.ToLower(text("customerId")), Username: text("username"),
	}
	if form.IsUUID(f.EntityID) {
		f.EntityID = strings.ToLower(f.EntityID)
	}
	ok = true
	day := func(name string) (t time.Time) {
		if text(name) != "" {
			var valid bool
			t, valid = form.ParseDate(text(name))
			ok = ok && valid
		}
		return t
	}
	f.From = day("createdAtFrom")
	if f.To = day("createdAtTo"); !f.To.IsZero() {
		f.To = (calendar.DayOf(f.To, time.UTC) + 1).UTC()
	}
	return f, ok
}

func filterOf(c *api.Call) (audit.Filter, error) {
	query, err := c.Query()
	if err != nil {
		return audit.Filter{}, err
	}
	f, ok := readFilter(query)
	if !ok {
		return f, fault.ErrInvalid
	}
	return f, nil
}

// wanted are the filters and the page of a list.
type wanted struct {
	audit.Filter
	api.Page
}

// readQuery reads the query of the list, and flushes the entries that are not in the log yet.
func (l *Log) readQuery(c *api.Call) (in wanted, err error) {
	if in.Page, err = c.Page(); err != nil {
		return in, err
	}
	if in.Filter, err = filterOf(c); err != nil {
		return in, err
	}
	return in, l.Deferred.Flush(c.Context())
}

func (l *Log) list(r *api.Reading, in wanted) (entryList, error) {
	oldest := in.Sort == "createdAt" && !in.Descending
	found, total, err := audit.List(r.Tx, in.Filter, oldest, in.Limit, in.Offset)
	if err != nil {
		return entryList{}, err
	}
	logs, err := l.views(r.Call, r.Tx, found)
	return entryList{logs, total}, err
}

// views returns the views of entries. Callers who may not view customers get no personal data of theirs.
func (l *Log) views(c *api.Call, tx *db.Tx, entries []audit.Entry) ([]entryView, error) {
	if err := l.nameCustomers(tx, entries); err != nil {
		return nil, err
	}
	views := make([]entryView, len(entries))
	for i := range entries {
		e := &entries[i]
		if !c.Caller.Allowed(access.Customers, access.View) {
			e.HidePersonal()
		}
		data, err := json.Marshal(&e.Data)
		if err != nil {
			return nil, err
		}
		s, found, err := c.Stores().ByKey(c.Context(), e.StoreKey)
		if err != nil {
			return nil, err
		}
		views[i] = entryView{
			AuditLogID: logID{e.ID}, CreatedAt: api.Timestamp(e.CreatedAt, time.UTC), EventType: e.Event,
			EntityType: e.EntityType, EntityID: e.EntityID, Username: e.User.Name, UserType: e.User.Type,
			UserID: e.User.ID, IP: e.IP, Data: data, CustomerID: e.CustomerID,
		}
		if found {
			views[i].StoreCode = s.Code
		}
	}
	return views, nil
}

// nameCustomers sets the user names of customers, which the entries of their purchases leave out.
func (l *Log) nameCustomers(tx *db.Tx, entries []audit.Entry) error {
	byStore := map[int64][]string{}
	for i := range entries {
		if e := &entries[i]; e.User.Type == "customer" && e.User.Name == "" && e.Event == audit.BuyCampaign {
			byStore[e.StoreKey] = append(byStore[e.StoreKey], e.User.ID)
		}
	}
	for key, ids := range byStore {
		names, err := l.CustomerNames(tx, key, db.Distinct(ids)...)
		if err != nil {
			return err
		}
		for i := range entries {
			if e := &entries[i]; e.StoreKey == key && e.User.Name == "" {
				e.User.Name = names[e.User.ID]
			}
		}
	}
	return nil
}
