package app_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event/queue/natstest"
	"punchcard/platform/testwait"
)

// addWorker adds an administrator who works in one store only, with a role, and logs in.
func addWorker(t *testing.T, admin *client, store, role string) (id string, worker *client) {
	t.Helper()
	id = firstID(must(t, admin.form("/api/admin/data", "admin[email]=worker@example.com&admin[isActive]=1&"+
		"admin[plainPassword]=Correct-Horse-7&admin[storeRoles][0][store]="+storeID(t, admin, store)+
		"&admin[storeRoles][0][role]="+role)))
	return id, logIn(t, admin.base, "/api/admin/login_check", "worker@example.com", "Correct-Horse-7")
}

func storeID(t *testing.T, admin *client, code string) string {
	t.Helper()
	list := must(t, admin.send("GET", "/api/store?perPage=100", "", ""))
	at := strings.Index(list, `"code":"`+code+`"`)
	id := firstID(list[strings.LastIndex(list[:at], "{"):])
	if id == "" {
		t.Fatalf("no store %s: %s", code, list)
	}
	return id
}

// Somebody who may change everything in one store sees nothing of another one, in it or outside of stores.
func TestRoleInOneStoreShowsNothingOfAnother(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		base := run(t, plainConfig(demoDatabase(t, engine)))
		admin := logInAdmin(t, base)
		openTwin(t, admin)
		_, worker := addWorker(t, admin, "TWIN", "3")
		foreign := idsOf(t, admin, logIn(t, base, "/api/customer/login_check", "user@example.com", "loyalty"))
		for _, e := range app.EndpointTable() {
			if e.Access.Anyone || e.Method != "GET" || strings.HasSuffix(e.Path, "/stream") {
				continue
			}
			path := strings.NewReplacer(append(slices.Collect(pairs(foreign)), "{storeCode}", "DEFAULT")...).Replace(e.Path)
			got := worker.send("GET", path, "", "")
			if strings.Contains(e.Path, "{storeCode}") && got.status != 403 {
				t.Errorf("%s: %d", path, got.status)
			}
			for _, name := range slices.Sorted(maps.Keys(foreign)) {
				if id := foreign[name]; len(id) == len(nobody) && strings.Contains(string(got.body), id) {
					t.Errorf("%s shows the %s of another store: %s", path, name, got.body)
				}
			}
		}
		own := must(t, worker.send("GET", "/api/store", "", ""))
		if !strings.Contains(own, "TWIN") || strings.Contains(own, "DEFAULT") {
			t.Errorf("the stores are %s", own)
		}
		if other := worker.send("GET", "/api/store/"+storeID(t, admin, "DEFAULT"), "", ""); other.status != 404 {
			t.Errorf("the other store: %d %s", other.status, other.body)
		}
	})
}

// onConnectedNodes is onNodes with nodes that share a message queue.
func onConnectedNodes(t *testing.T, run func(t *testing.T, n nodes)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		url := natstest.Run(t, t.TempDir(), -1).ClientURL()
		config := database(t, engine)
		n := nodes{logInAdmin(t, startServer(t, engine, func(c *app.Config) { c.Database, c.NATS = config, url }))}
		if engine == "postgres" {
			n = append(n, logInAdmin(t, startServer(t, engine, func(c *app.Config) {
				c.Database, c.NATS, c.Data = config, url, t.TempDir()
			})))
		}
		run(t, n)
	})
}

// Changes of a role, and of the administrators who have it, take effect on all nodes at once. The clock does not move,
// so cached rights never expire: only the signal can remove them.
func TestRightsChangeOnAllNodesAtOnce(t *testing.T) {
	onConnectedNodes(t, func(t *testing.T, n nodes) {
		role := addRole(t, n[0], "Shops", map[string][]string{"POS": {"VIEW"}})
		id, worker := addWorker(t, n[0], "DEFAULT", role)
		there := *worker
		there.base = n[len(n)-1].base
		becomes := func(path string, want int) {
			t.Helper()
			testwait.Until(t, fmt.Sprint(path, " ", want), func() bool {
				return there.send("GET", path, "", "").status == want
			})
		}
		becomes("/api/DEFAULT/pos", 200)
		becomes("/api/DEFAULT/level", 403)
		must(t, n[0].form("/api/admin/acl/role/"+role+"?_method=PUT",
			"role[name]=Shops&role[permissions][0][resource]=LEVEL&role[permissions][0][access]=VIEW"))
		becomes("/api/DEFAULT/level", 200)
		becomes("/api/DEFAULT/pos", 403)
		change := "admin[email]=worker@example.com&admin[isActive]=%d&admin[storeRoles][0][store]=" +
			storeID(t, n[0], "DEFAULT") + "&admin[storeRoles][0][role]=%s"
		must(t, n[0].form("/api/admin/data/"+id+"?_method=PUT", fmt.Sprintf(change, 1, "2")))
		becomes("/api/DEFAULT/pos", 200)
		must(t, n[0].form("/api/admin/data/"+id+"?_method=PUT", fmt.Sprintf(change, 0, "2")))
		becomes("/api/DEFAULT/pos", 401)
	})
}

// Of two masters who switch each other off at the same time, one remains.
func TestOneMasterRemainsOnTwoNodes(t *testing.T) {
	dbtest.Both(t)
	onConnectedNodes(t, func(t *testing.T, n nodes) {
		const form = "admin[email]=%s&admin[isActive]=%d&admin[roles][]=1"
		other := firstID(must(t, n[0].form("/api/admin/data",
			fmt.Sprintf(form, "other@example.com", 1)+"&admin[plainPassword]=Correct-Horse-7")))
		second := logIn(t, n[len(n)-1].base, "/api/admin/login_check", "other@example.com", "Correct-Horse-7")
		must(t, n[0].form("/api/admin/invitation", "admin[email]=invited@example.com&admin[roles][]=1")) // does not count
		ids := [...]string{n[0].ownID(), other}
		for range 8 {
			by := nodes{n[0], second}
			replies := by.atOnce(2, func(node *client, i int) reply {
				return node.form("/api/admin/data/"+ids[1-i]+"?_method=PUT", fmt.Sprintf(form, fmt.Sprint(i, "@example.com"), 0))
			})
			if done := count(replies, 200); done != 1 {
				t.Fatalf("%d of 2 succeeded: %d %s, %d %s", done, replies[0].status, replies[0].body, replies[1].status,
					replies[1].body)
			}
			winner, name, gone := n[0], "other", other
			if replies[1].status == 200 {
				winner, name, gone = second, "admin", ids[0]
			}
			must(t, winner.form("/api/admin/data/"+gone+"?_method=PUT", fmt.Sprintf(form, name+"@example.com", 1)+
				"&admin[plainPassword]=Correct-Horse-7"))
			again := logIn(t, n[0].base, "/api/admin/login_check", name+"@example.com", "Correct-Horse-7")
			if name == "admin" {
				n[0] = again
			} else {
				second = again
				second.base = n[len(n)-1].base
			}
		}
	})
}
