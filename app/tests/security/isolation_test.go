package security_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// Two stores hold the same customer, campaign and code. A call to one store with ids of the other reads nothing of the
// other and changes nothing in it.
func TestNothingCrossesBetweenStores(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		commits := testwait.NewSignal()
		config := servertest.PlainConfig(servertest.DemoDatabase(t, engine))
		config.OnCommit = commits.Send
		base := servertest.Run(t, config)
		d := dbtest.Open(t, db.Config{URL: config.Database.Database, File: config.Data + "/punchcard.db"},
			servertest.FixedClock)
		admin := servertest.LogInAdmin(t, base)
		twins := openTwin(t, admin)
		foreign := servertest.IDsOf(t, admin, servertest.LogIn(t, base, "/api/customer/login_check", "user@example.com",
			"loyalty"))
		servertest.RunJobs(t, d, commits)
		before := contents(t, d, "DEFAULT")
		for _, e := range app.EndpointTable() {
			path := strings.NewReplacer(append(slices.Collect(servertest.Pairs(foreign)), "{storeCode}",
				"TWIN")...).Replace(e.Path)
			if !strings.Contains(e.Path, "{storeCode}") {
				continue
			}
			for role, caller := range twins {
				if e.Access.Check(servertest.AsCaller(role)) != nil {
					continue
				}
				reply := caller.Send(e.Method, path, "", "")
				if reply.Status >= 500 {
					t.Errorf("%s %s as %q: %d %s", e.Method, path, role, reply.Status, reply.Body)
				}
				named := strings.Contains(e.Path, "{customer}") && role != access.Customer
				if named && reply.Status != 404 && reply.Status != 400 {
					t.Errorf("%s %s as %q: %d with a customer of another store", e.Method, path, role, reply.Status)
				}
				for name, id := range foreign {
					if len(id) == len(servertest.Nobody) && strings.Contains(string(reply.Body), id) {
						t.Errorf("%s %s as %q shows the %s of another store: %s", e.Method, path, role, name, reply.Body)
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

// openTwin makes a second store with the customer, seller, campaign and code of the demonstration, and logs them in.
func openTwin(t *testing.T, admin *client) map[access.Role]*client {
	t.Helper()
	admin.Form("/api/store", "store[code]=TWIN&store[name]=Twin&store[currency]=EUR&store[active]=1").Must(t)
	level := admin.Form("/api/TWIN/level/create", "level[translations][en][name]=Base&level[active]=1&"+
		"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B").ID(t)
	pos := admin.Form("/api/TWIN/pos", "pos[name]=Shop&pos[identifier]=HARBOUR&pos[location][street]=S&"+
		"pos[location][address1]=1&pos[location][postal]=1&pos[location][city]=C&pos[location][province]=P&"+
		"pos[location][country]=NO").ID(t)
	admin.Form("/api/TWIN/seller/register", "seller[firstName]=S&seller[lastName]=S&"+
		"seller[email]=seller@example.com&seller[plainPassword]=Correct-Horse-7&seller[active]=1&"+
		"seller[allowPointTransfer]=1&seller[allowCouponCancel]=1&seller[posId]="+pos).Must(t)
	customer := admin.Form("/api/TWIN/customer/self_register",
		"customer[firstName]=U&customer[lastName]=U&"+
			"customer[email]=user@example.com&customer[agreement1]=1&customer[plainPassword]=Correct-Horse-7").ID(t)
	admin.Form("/api/TWIN/admin/customer/"+customer+"/activate", "").Must(t)
	admin.Form("/api/TWIN/campaign", "campaign[reward]=discount_code&"+
		"campaign[translations][en][name]=Free delivery&"+
		"campaign[active]=1&campaign[pushNotificationText]=x&campaign[costInPoints]=1&campaign[target]=level&"+
		"campaign[levels][]="+level+"&campaign[unlimited]=1&campaign[coupons][]=POST-1&"+
		"campaign[campaignVisibility][allTimeVisible]=1&campaign[campaignActivity][allTimeActive]=1&"+
		"campaign[daysInactive]=0&campaign[daysValid]=0").Must(t)
	return map[access.Role]*client{
		access.Administrator: admin,
		access.Customer: servertest.LogIn(t, admin.Base, "/api/TWIN/customer/login_check", "user@example.com",
			"Correct-Horse-7"),
		access.Seller: servertest.LogIn(t, admin.Base, "/api/TWIN/seller/login_check", "seller@example.com",
			"Correct-Horse-7"),
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
		tables, err := db.AllValues[string](tx, all)
		if err != nil {
			return err
		}
		for _, table := range tables {
			columns, err := servertest.ColumnsOf(t, d, table)
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
