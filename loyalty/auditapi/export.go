package auditapi

import (
	"encoding/json"
	"encoding/xml"
	"time"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// exportedAtOnce is the number of entries that exports read at a time.
const exportedAtOnce = 500

var exportColumns = api.Titled("Log ID", "Username", "User type", "User ID", "Event type", "Entity type", "Entity ID",
	"Created at", "Additional information", "IP")

// export exports the entries with the filters of the list, the newest first.
func (l *Log) export(c *api.Call) (api.Pages, error) {
	f, err := filterOf(c)
	if err != nil {
		return nil, err
	}
	var place audit.Place
	return func(tx *db.Tx) (table [][]string, err error) {
		var found []audit.Entry
		if found, place, err = audit.After(tx, f, place, exportedAtOnce); err != nil {
			return nil, err
		}
		rows, err := l.rows(c, tx, found)
		for i := range rows {
			v := &rows[i]
			table = append(table, []string{v.AuditLogID.AuditLogID, v.Username, v.UserType, v.UserID, v.EventType,
				v.EntityType, v.EntityID, v.at(), string(v.Data), v.IP})
		}
		return table, err
	}, l.Deferred.Flush(c.Context())
}

// row is an entry in an export, with its time.
type row struct {
	entryView
	createdAt time.Time
}

// at returns the time with a colon in its offset.
func (r *row) at() string { return api.EventTimestamp(r.createdAt, time.UTC) }

func (l *Log) rows(c *api.Call, tx *db.Tx, found []audit.Entry) ([]row, error) {
	views, err := l.views(c, tx, found)
	rows := make([]row, len(views))
	for i := range views {
		rows[i] = row{views[i], found[i].CreatedAt}
	}
	return rows, err
}

type archiveList struct {
	Archives []string `json:"archives"`
	Total    int      `json:"total"`
}

func listArchives(r *api.Reading) (archiveList, error) {
	all, err := audit.Archives(r.Tx)
	list := archiveList{make([]string, len(all)), len(all)}
	for i := range all {
		list.Archives[i] = all[i].Filename
	}
	return list, err
}

// archived is the response to the making of an archive.
type archived struct {
	TotalArchived int64  `json:"totalArchived"`
	Filename      string `json:"filename,omitempty"`
	Message       string `json:"message,omitempty"`
}

func describeDay(g *form.Group) { g.Text("beforeDate") }

// readDay reads the day before which entries are archived, by default one year ago. Today's and later days are refused.
// Entries that are not in the log yet are flushed.
func (l *Log) readDay(c *api.Call, g *form.Group) (time.Time, error) {
	today := calendar.DayOf(c.Now(), time.UTC).UTC()
	before := calendar.AddDate(today, -1, 0, 0, time.UTC)
	if text := g.Text("beforeDate"); text != "" {
		var ok bool
		if before, ok = form.ParseDate(text); !ok {
			g.AddError("beforeDate", errNoDate)
		} else if before.After(today) {
			g.AddError("beforeDate", errFuture)
		}
	}
	if err := g.Err(); err != nil {
		return before, err
	}
	return before, l.Deferred.Flush(c.Context())
}

func makeArchive(w *api.Writing, before time.Time) (archived, error) {
	a, created, err := audit.MakeArchive(w.Tx, before)
	switch {
	case created:
		return archived{TotalArchived: a.Entries, Filename: a.Filename}, err
	case a.Entries > 0:
		return archived{Filename: a.Filename, Message: "This archive exists already."}, err
	}
	w.Entry().Discard()
	return archived{Message: "There is nothing to archive."}, err
}

var (
	errNoDate = form.Invalid("audit_archive_date_invalid")
	errFuture = fault.New(fault.Invalid, "audit_archive_date_in_future", "The date must not be in the future.")
)

// readArchive sends the entries of an archive as XML, the oldest first.
func (l *Log) readArchive(c *api.Call) error {
	var a audit.Archive
	err := c.Read(func(tx *db.Tx) error {
		var found bool
		var err error
		if a, found, err = audit.FindArchive(tx, c.PathValue("filename")); err == nil && !found {
			err = fault.ErrNotFound
		}
		return err
	})
	if err != nil {
		return err
	}
	var rows []row
	var place audit.Place
	next := func(tx *db.Tx) error {
		found, after, err := a.Next(tx, place, exportedAtOnce)
		if err != nil {
			return err
		}
		place = after
		rows, err = l.rows(c, tx, found)
		return err
	}
	if err := c.Read(next); err != nil {
		return err
	}
	c.ResponseHeader().Set("Content-Type", "application/xml; charset=UTF-8")
	c.ResponseHeader().Set("Content-Disposition", `attachment; filename="`+a.Filename+`"`)
	to := c.Stream()
	if _, err = to.Write([]byte(xml.Header + "<auditLogs>\n")); err != nil {
		return err
	}
	encoder := xml.NewEncoder(to)
	for err == nil && len(rows) > 0 {
		for i := range rows {
			if err := encoder.Encode(rows[i].xml()); err != nil {
				return err
			}
		}
		err = c.Read(next)
	}
	if err == nil {
		_, err = to.Write([]byte("\n</auditLogs>\n"))
	}
	return err
}

// element is an entry in XML.
type element struct {
	XMLName    xml.Name        `xml:"auditLog"`
	AuditLogID string          `xml:"auditLogId"`
	CreatedAt  string          `xml:"createdAt"`
	EventType  string          `xml:"eventType"`
	EntityType string          `xml:"entityType"`
	EntityID   string          `xml:"entityId"`
	Username   string          `xml:"username"`
	UserType   string          `xml:"userType"`
	UserID     string          `xml:"userId"`
	IP         string          `xml:"ip"`
	StoreCode  string          `xml:"storeCode,omitempty"`
	Data       json.RawMessage `xml:"data"` // JSON
}

func (r *row) xml() element {
	return element{
		AuditLogID: r.AuditLogID.AuditLogID, CreatedAt: r.at(), EventType: r.EventType, EntityType: r.EntityType,
		EntityID: r.EntityID, Username: r.Username, UserType: r.UserType, UserID: r.UserID, IP: r.IP,
		StoreCode: r.StoreCode, Data: r.Data,
	}
}
