package app_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"punchcard/api/access"
	"punchcard/app"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/testwait"
)

// Two stores hold the same customer, campaign and code. A call to one store with ids of the other reads nothing of the
// other and changes nothing in it.
func TestNothingCrossesBetweenStores(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		commits := testwait.NewSignal()
		config := plainConfig(demoDatabase(t, engine))
		config.OnCommit = commits.Send
		base := run(t, config)
		d := dbtest.Open(t, db.Config{URL: config.Database.Database, File: config.Data + "/punchcard.db"}, fixedClock)
		admin := logInAdmin(t, base)
		twins := openTwin(t, admin)
		foreign := idsOf(t, admin, logIn(t, base, "/api/customer/login_check", "user@example.com", "loyalty"))
		runJobs(t, d, commits)
		before := contents(t, d, "DEFAULT")
		for _, e := range app.EndpointTable() {
			path := strings.NewReplacer(append(slices.Collect(pairs(foreign)), "{storeCode}", "TWIN")...).Replace(e.Path)
			if !strings.Contains(e.Path, "{storeCode}") {
				continue
			}
			for role, caller := range twins {
				if e.Access.Check(asCaller(role)) != nil {
					continue
				}
				reply := caller.send(e.Method, path, "", "")
				if reply.status >= 500 {
					t.Errorf("%s %s as %q: %d %s", e.Method, path, role, reply.status, reply.body)
				}
				named := strings.Contains(e.Path, "{customer}") && role != access.Customer
				if named && reply.status != 404 && reply.status != 400 {
					t.Errorf("%s %s as %q: %d with a customer of another store", e.Method, path, role, reply.status)
				}
				for name, id := range foreign {
					if len(id) == len(nobody) && strings.Contains(string(reply.body), id) {
						t.Errorf("%s %s as %q shows the %s of another store: %s", e.Method, path, role, name, reply.body)
					}
				}
			}
		}
		after := contents(t, d, "DEFAULT")
		for _, table := range slices.Sorted(maps.Keys(before)) {
			if before[table] != after[table] {
				t.Errorf("requests to another store changed %s", table)
			}
		}
	})
}

// runJobs waits for the first runs of the jobs, and then sends all notifications that are due. The clock does not move,
// so the jobs change nothing afterwards.
func runJobs(t *testing.T, d *db.DB, commits testwait.Signal) {
	t.Helper()
	awaitJobs(t, d, commits)
	desk := &purchase.Desk{Catalogue: &campaign.Catalogue{Types: campaign.RewardTypes}}
	for _, work := range []store.Work{notification.NotifyEndings, notification.Announce(desk)} {
		if _, err := store.Everywhere(d, work)(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if d.Engine() == "postgres" {
		if _, err := event.Number(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
}

// openTwin makes a second store with the customer, seller, campaign and code of the demonstration, and logs them in.
func openTwin(t *testing.T, admin *client) map[access.Role]*client {
	t.Helper()
	must(t, admin.form("/api/store", "store[code]=TWIN&store[name]=Twin&store[currency]=EUR&store[active]=1"))
	level := firstID(must(t, admin.form("/api/TWIN/level/create", "level[translations][en][name]=Base&level[active]=1&"+
		"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B")))
	pos := firstID(must(t, admin.form("/api/TWIN/pos", "pos[name]=Shop&pos[identifier]=HARBOUR&pos[location][street]=S&"+
		"pos[location][address1]=1&pos[location][postal]=1&pos[location][city]=C&pos[location][province]=P&"+
		"pos[location][country]=NO")))
	must(t, admin.form("/api/TWIN/seller/register", "seller[firstName]=S&seller[lastName]=S&"+
		"seller[email]=seller@example.com&seller[plainPassword]=Correct-Horse-7&seller[active]=1&"+
		"seller[allowPointTransfer]=1&seller[allowCouponCancel]=1&seller[posId]="+pos))
	customer := firstID(must(t, admin.form("/api/TWIN/customer/self_register",
		"customer[firstName]=U&customer[lastName]=U&"+
			"customer[email]=user@example.com&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7")))
	must(t, admin.form("/api/TWIN/admin/customer/"+customer+"/activate", ""))
	must(t, admin.form("/api/TWIN/campaign", "campaign[reward]=discount_code&"+
		"campaign[translations][en][name]=Free delivery&"+
		"campaign[active]=1&campaign[pushNotificationText]=x&campaign[costInPoints]=1&campaign[target]=level&"+
		"campaign[levels][]="+level+"&campaign[unlimited]=1&campaign[coupons][]=POST-1&"+
		"campaign[campaignVisibility][allTimeVisible]=1&campaign[campaignActivity][allTimeActive]=1&"+
		"campaign[daysInactive]=0&campaign[daysValid]=0"))
	return map[access.Role]*client{
		access.Administrator: admin,
		access.Customer:      logIn(t, admin.base, "/api/TWIN/customer/login_check", "user@example.com", "Correct-Horse-7"),
		access.Seller:        logIn(t, admin.base, "/api/TWIN/seller/login_check", "seller@example.com", "Correct-Horse-7"),
	}
}

// firstID returns the first UUID of a text.
func firstID(text string) string {
	for i := range text {
		if len(text) >= i+36 && strings.Count(text[i:i+36], "-") == 4 && text[i+8] == '-' && text[i+23] == '-' {
			return text[i : i+36]
		}
	}
	return ""
}

func pairs(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key) || !yield(m[key]) {
				return
			}
		}
	}
}

// contents returns a digest of the rows of a store in every table.
func contents(t *testing.T, d *db.DB, code string) map[string]string {
	t.Helper()
	all := `SELECT name FROM sqlite_master WHERE type = 'table'`
	if d.Engine() == "postgres" {
		all = `SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = 'public'`
	}
	digests := map[string]string{}
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		key, err := db.Value[int64](tx, `SELECT store_id FROM stores WHERE code = $1`, code)
		if err != nil {
			return err
		}
		tables, err := db.All(tx, func(name *string) []any { return []any{name} }, all)
		if err != nil {
			return err
		}
		for _, table := range tables {
			columns, err := columnsOf(t, d, table)
			if err != nil {
				return err
			}
			if !slices.Contains(columns, "store_id") || table == "stores" {
				continue
			}
			sum := sha256.New()
			err = db.Each(tx, func(row *[]any) []any {
				*row = make([]any, len(columns))
				into := make([]any, len(columns))
				for i := range into {
					into[i] = &(*row)[i]
				}
				return into
			}, func(row []any) { _, _ = fmt.Fprintf(sum, "%v\n", row) },
				`SELECT `+strings.Join(columns, ", ")+` FROM `+table+` WHERE store_id = $1 ORDER BY `+
					strings.Join(columns[:min(3, len(columns))], ", "), key)
			if err != nil {
				return err
			}
			digests[table] = hex.EncodeToString(sum.Sum(nil))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return digests
}
