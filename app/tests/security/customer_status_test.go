package security_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
)

// statusPage documents what customers may do, by their status. The matrix of endpoints expects what it says.
const statusFile = "../../../docs/behaviour/customer-status.md"

// statusPassword is the password of all customers of the matrix.
const statusPassword = "Correct-Horse-7"

// customersByStatus returns a customer of each status, with a token from when they were active.
func customersByStatus(t *testing.T, admin *client, database app.Database) (all []principal) {
	t.Helper()
	tables, campaign := statusTables(t), buyableCampaign(t, admin.Base)
	for _, one := range []struct{ name, status, call string }{
		{"active customer", customer.Active, ""},
		{"blocked customer", customer.Blocked, "POST /api/DEFAULT/admin/customer/{id}/deactivate"},
		{"deleted customer", customer.Deleted, "DELETE /api/DEFAULT/customer/{id}"},
		{"anonymized customer", customer.Deleted, "POST /api/DEFAULT/admin/customer/{id}/anonymize"},
		{"new customer", customer.New, "set"},
	} {
		email := strings.ReplaceAll(one.name, " ", "-") + "@example.com"
		id := admin.Form("/api/DEFAULT/customer/self_register", "customer[firstName]=A&"+
			"customer[lastName]=B&customer[agreement1]=1&customer[email]="+email+
			"&customer[plainPassword]="+statusPassword).ID(t)
		admin.Form("/api/DEFAULT/admin/customer/"+id+"/activate", "").Must(t)
		c := servertest.LogIn(t, admin.Base, "/api/DEFAULT/customer/login_check", email, statusPassword)
		if one.status != customer.New { // the token is used, and cached, before the status changes
			c.Send("GET", "/api/DEFAULT/customer/level", "", "").Must(t)
		}
		switch one.call {
		case "":
		case "set": // no call does this: an active customer never becomes new again
			setStatus(t, database, id, one.status)
		default:
			method, path, _ := strings.Cut(one.call, " ")
			admin.Send(method, strings.ReplaceAll(path, "{id}", id), "", "").Must(t)
		}
		p := principal{role: access.Customer, store: ownStore, customer: id, self: true,
			campaign: campaign, byStatus: tables[one.status]}
		if one.status == customer.New || one.status == customer.Deleted {
			p.refused = http.StatusUnauthorized
		}
		for does, r := range map[string]reply{
			"log in": admin.Form("/api/DEFAULT/customer/login_check", "username="+email+"&password="+statusPassword),
			"administrators and sellers buy for the customer": admin.Form("/api/DEFAULT/admin/customer/"+id+
				"/campaign/"+campaign+"/buy?withoutPoints=1", ""),
			"administrators give and take points": admin.Form("/api/DEFAULT/points/transfer/add",
				"transfer[points]=1&transfer[customer]="+id),
		} {
			want := strings.Replace(tables[one.status][does], "yes", "200", 1)
			if got := fmt.Sprint(r.Status); !strings.HasPrefix(want, got) && one.name != "anonymized customer" {
				t.Errorf("%s, %s: %s %s, want %s", one.name, does, got, r.Body, want)
			}
		}
		all = append(all, p.as(one.name, c))
	}
	return all
}

func setStatus(t *testing.T, database app.Database, id, status string) {
	t.Helper()
	d, err := dbopen.Open(t.Context(), db.Config{
		URL: database.Database, File: filepath.Join(database.Data, "punchcard.db"),
	})
	if err != nil {
		t.Fatal(err)
	}
	err = d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE customers SET status = $1 WHERE customer_id = $2`, status, id)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// buyableCampaign returns a campaign that customers of the demonstration can buy.
func buyableCampaign(t *testing.T, base string) string {
	t.Helper()
	c := servertest.LogIn(t, base, "/api/customer/login_check", "user@example.com", "loyalty")
	var list struct {
		Campaigns []struct {
			CampaignID            string
			UsageLeft             int64
			CanBeBoughtByCustomer bool
		}
	}
	body := c.Send("GET", "/api/DEFAULT/customer/campaign/available?perPage=100", "", "").Must(t)
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatal(err)
	}
	for _, one := range list.Campaigns {
		if one.CanBeBoughtByCustomer && one.UsageLeft > 100 {
			return one.CampaignID
		}
	}
	t.Fatal("nothing can be bought")
	return ""
}

// statusTables reads what the documentation says by status about each endpoint, named by method and path.
func statusTables(t *testing.T) map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile(statusFile)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]map[string]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 {
			continue // no row
		}
		call := strings.TrimSpace(cells[1])
		if _, endpoint, found := strings.Cut(call, "`"); found {
			call, _, _ = strings.Cut(endpoint, "`")
		}
		for i, status := range []string{customer.New, customer.Active, customer.Blocked, customer.Deleted} {
			if tables[status] == nil {
				tables[status] = map[string]string{}
			}
			tables[status][call] = strings.TrimSpace(cells[i+2])
		}
	}
	return tables
}

// The table has one row for each endpoint that customers call with a token. Only active customers write; new and
// deleted ones can do nothing.
func TestCustomerStatusDocument(t *testing.T) {
	tables := statusTables(t)
	called := map[string]bool{}
	for _, e := range app.EndpointTable() {
		name := e.Method + " " + e.Path
		if e.Access.Anyone || !slices.Contains(e.Access.Roles, access.Customer) {
			continue
		}
		called[name] = true
		for status, allowed := range map[string][]string{
			customer.New: {"401"}, customer.Active: {"yes"}, customer.Blocked: {"yes", "403", "400 `Not allowed`"},
			customer.Deleted: {"401"},
		} {
			if got := tables[status][name]; !slices.Contains(allowed, got) {
				t.Errorf("%s by %s customers: %q", name, status, got)
			}
		}
		if reads := e.Method == "GET" || e.Access.BlockedToo; reads == (tables[customer.Blocked][name] == "403") {
			t.Errorf("%s by blocked customers: %s", name, tables[customer.Blocked][name])
		}
	}
	for name := range tables[customer.New] {
		if strings.Contains(name, "/api/") && !called[name] {
			t.Errorf("%s is not called by customers", name)
		}
	}
}
