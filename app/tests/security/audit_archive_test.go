package security_test

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"punchcard/app/servertest"
	"punchcard/core/audit"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// archiveFile is an archive of the audit log.
type archiveFile struct {
	XMLName xml.Name `xml:"auditLogs"`
	Entries []struct {
		AuditLogID string `xml:"auditLogId"`
		CreatedAt  string `xml:"createdAt"`
		EventType  string `xml:"eventType"`
		EntityID   string `xml:"entityId"`
		Username   string `xml:"username"`
		StoreCode  string `xml:"storeCode"`
		Data       string `xml:"data"`
	} `xml:"auditLog"`
}

func readArchive(t *testing.T, c *client, filename string) (a archiveFile) {
	t.Helper()
	r := c.Send("GET", "/api/audit/log/archive/"+filename, "", "")
	if r.Status != 200 || r.Header.Get("Content-Type") != "application/xml; charset=UTF-8" {
		t.Fatalf("%d %v %s", r.Status, r.Header, r.Body)
	}
	if err := xml.Unmarshal(r.Body, &a); err != nil {
		t.Fatalf("%v in %s", err, r.Body)
	}
	return a
}

// auditTotal returns how many entries the list has with a query.
func auditTotal(t *testing.T, c *client, query string) (total int) {
	t.Helper()
	var list struct{ Total int }
	if err := json.Unmarshal([]byte(c.Send("GET", "/api/audit/log?"+query, "", "").Must(t)), &list); err != nil {
		t.Fatal(err)
	}
	return list.Total
}

// age makes all entries that no archive has older by a number of days.
func age(t *testing.T, d *db.DB, days int) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE audit_entries SET created_at = created_at - $1 WHERE created_at >=
			COALESCE((SELECT MAX(before_at) FROM audit_archives), 0)`, (time.Duration(days) * 24 * time.Hour).Microseconds())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Archives take the older entries out of the list, serve them as XML, and lose the personal data of customers who are
// anonymized later. Those whose entries are all deleted disappear.
func TestAuditArchives(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		database := servertest.Database(t, engine)
		base := servertest.Run(t, servertest.PlainConfig(database))
		admin := servertest.LogInAdmin(t, base)
		d := dbtest.Open(t, db.Config{URL: database.Database, File: database.Data + "/punchcard.db"}, servertest.FixedClock)

		admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Bronze&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=5&level[reward][code]=B").Must(t)
		ida := admin.Form("/api/DEFAULT/admin/customer/register",
			"customer[firstName]=Ida&customer[lastName]=Berg&customer[email]=ida@example.org&customer[agreement1]=1").ID(t)
		admin.Send("PUT", "/api/DEFAULT/customer/"+ida, servertest.FormType,
			"customer[lastName]=%3CBrzezicka+%26+co%3E").Must(t)
		admin.Send("GET", "/api/DEFAULT/customer/"+ida, "", "").Must(t) // a view, which is written later
		old := auditTotal(t, admin, "")
		age(t, d, 800)
		admin.Form("/api/DEFAULT/points/transfer/add", "transfer[points]=5&transfer[customer]="+ida).Must(t)

		makeArchive(t, admin, "archive[beforeDate]=2030-01-01", old, "audit_log_archive_before_2030_01_01.xml", "")
		first := readArchive(t, admin, "audit_log_archive_before_2030_01_01.xml")
		expectArchive(t, first, old, ida)
		if n := auditTotal(t, admin, "createdAtTo=2029-12-31"); n != 0 {
			t.Errorf("%d archived entries are listed", n)
		}
		csv := admin.Send("GET", "/api/audit/log/export", "", "").Must(t)
		if strings.Contains(csv, "UpdateCustomer") || !strings.Contains(csv, "AddPoints") {
			t.Errorf("exported %s", csv)
		}
		makeArchive(t, admin, "archive[beforeDate]=2030-01-01", 0, "audit_log_archive_before_2030_01_01.xml",
			"This archive exists already.")
		makeArchive(t, admin, "archive[beforeDate]=2029-12-31", 0, "", "There is nothing to archive.")

		listed := auditTotal(t, admin, "")
		age(t, d, 400)
		makeArchive(t, admin, "", listed, "audit_log_archive_before_2030_05_01.xml", "")
		if second := readArchive(t, admin, "audit_log_archive_before_2030_05_01.xml"); len(second.Entries) != listed {
			t.Errorf("the second archive has %d entries, want %d", len(second.Entries), listed)
		}
		expectArchive(t, readArchive(t, admin, "audit_log_archive_before_2030_01_01.xml"), old, ida)

		admin.Send("POST", "/api/DEFAULT/admin/customer/"+ida+"/anonymize", "", "").Must(t)
		for _, e := range readArchive(t, admin, "audit_log_archive_before_2030_01_01.xml").Entries {
			if strings.Contains(e.Data, "Brzezicka") || strings.Contains(e.Data, "Berg") {
				t.Errorf("the archive still has %s", e.Data)
			}
		}
		servertest.ExpectClean(t, database)
		expectRetention(t, admin, d, old)
	})
}

// makeArchive makes an archive and compares the response.
func makeArchive(t *testing.T, c *client, form string, total int, filename, message string) {
	t.Helper()
	var made struct {
		TotalArchived     int
		Filename, Message string
	}
	if err := json.Unmarshal([]byte(c.Form("/api/audit/log/archive", form).Must(t)), &made); err != nil {
		t.Fatal(err)
	}
	if made.TotalArchived != total || made.Filename != filename || made.Message != message {
		t.Errorf("archived %+v, want %d entries in %q, %q", made, total, filename, message)
	}
}

// expectArchive compares the entries of the first archive: the oldest first, with the change of a name.
func expectArchive(t *testing.T, a archiveFile, total int, customer string) {
	t.Helper()
	if len(a.Entries) != total {
		t.Fatalf("the archive has %d entries, want %d", len(a.Entries), total)
	}
	changed := false
	for i, e := range a.Entries {
		if i > 0 && e.CreatedAt < a.Entries[i-1].CreatedAt {
			t.Errorf("%s comes after %s", e.CreatedAt, a.Entries[i-1].CreatedAt)
		}
		if e.EventType == "UpdateCustomer" {
			var data struct{ Before, After struct{ LastName string } }
			if err := json.Unmarshal([]byte(e.Data), &data); err != nil {
				t.Errorf("%v in %s", err, e.Data)
			}
			changed = data.Before.LastName == "Berg" && data.After.LastName == "<Brzezicka & co>" &&
				e.EntityID == customer && e.Username == "admin" && e.StoreCode == "DEFAULT"
		}
	}
	if !changed {
		t.Errorf("the change of the name is not in %+v", a.Entries)
	}
}

// expectRetention deletes the entries of the first archive, and then those of the second.
func expectRetention(t *testing.T, admin *client, d *db.DB, first int) {
	t.Helper()
	clean := func(days, want int, archives string) {
		t.Helper()
		n, err := audit.Clean(d, time.Duration(days)*24*time.Hour)(t.Context())
		if err != nil || n != int64(want) {
			t.Errorf("%d entries were deleted, want %d: %v", n, want, err)
		}
		if got := admin.Send("GET", "/api/audit/log/archive", "", "").Must(t); got != archives {
			t.Errorf("archives %s, want %s", got, archives)
		}
	}
	const both = `{"archives":["audit_log_archive_before_2030_01_01.xml",` +
		`"audit_log_archive_before_2030_05_01.xml"],"total":2}`
	const second = `{"archives":["audit_log_archive_before_2030_05_01.xml"],"total":1}`
	clean(0, 0, both)
	clean(485, first, second)
	clean(485, 0, second)
	if r := admin.Send("GET", "/api/audit/log/archive/audit_log_archive_before_2030_01_01.xml", "", ""); r.Status != 404 {
		t.Errorf("the deleted archive: %d %s", r.Status, r.Body)
	}
	if n := auditTotal(t, admin, ""); n == 0 {
		t.Error("the entries that are not archived are gone")
	}
}
