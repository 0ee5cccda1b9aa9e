package security_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event/queue/natstest"
	"punchcard/platform/testwait"
)

// addWorker adds an administrator who works in one store only, with a role, and logs in.
func addWorker(t *testing.T, admin *client, store, role string) (id string, worker *client) {
	t.Helper()
	id = admin.Form("/api/admin/data", "admin[email]=worker@example.com&admin[isActive]=1&"+
		"admin[plainPassword]=Correct-Horse-7&admin[storeRoles][0][store]="+storeID(t, admin, store)+
		"&admin[storeRoles][0][role]="+role).ID(t)
	return id, servertest.LogIn(t, admin.Base, "/api/admin/login_check", "worker@example.com", "Correct-Horse-7")
}

func storeID(t *testing.T, admin *client, code string) string {
	t.Helper()
	list := admin.Send("GET", "/api/store?perPage=100", "", "").Must(t)
	at := strings.Index(list, `"code":"`+code+`"`)
	id := servertest.FirstID(list[strings.LastIndex(list[:at], "{"):])
	if id == "" {
		t.Fatalf("no store %s: %s", code, list)
	}
	return id
}

// Somebody who may change everything in one store sees nothing of another one, in it or outside of stores.
func TestRoleInOneStoreShowsNothingOfAnother(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		base := servertest.Run(t, servertest.PlainConfig(servertest.DemoDatabase(t, engine)))
		admin := servertest.LogInAdmin(t, base)
		openTwin(t, admin)
		_, worker := addWorker(t, admin, "TWIN", "3")
		foreign := servertest.IDsOf(t, admin, servertest.LogIn(t, base, "/api/customer/login_check", "user@example.com",
			"loyalty"))
		for _, e := range app.EndpointTable() {
			if e.Access.Anyone || e.Method != "GET" || strings.HasSuffix(e.Path, "/stream") {
				continue
			}
			path := strings.NewReplacer(append(slices.Collect(servertest.Pairs(foreign)), "{storeCode}",
				"DEFAULT")...).Replace(e.Path)
			got := worker.Send("GET", path, "", "")
			if strings.Contains(e.Path, "{storeCode}") && got.Status != 403 {
				t.Errorf("%s: %d", path, got.Status)
			}
			for _, name := range slices.Sorted(maps.Keys(foreign)) {
				if id := foreign[name]; len(id) == len(servertest.Nobody) && strings.Contains(string(got.Body), id) {
					t.Errorf("%s shows the %s of another store: %s", path, name, got.Body)
				}
			}
		}
		own := worker.Send("GET", "/api/store", "", "").Must(t)
		if !strings.Contains(own, "TWIN") || strings.Contains(own, "DEFAULT") {
			t.Errorf("the stores are %s", own)
		}
		if other := worker.Send("GET", "/api/store/"+storeID(t, admin, "DEFAULT"), "", ""); other.Status != 404 {
			t.Errorf("the other store: %d %s", other.Status, other.Body)
		}
	})
}

// onConnectedNodes is onNodes with nodes that share a message queue.
func onConnectedNodes(t *testing.T, run func(t *testing.T, n nodes)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		url := natstest.Run(t, t.TempDir(), -1).ClientURL()
		config := servertest.Database(t, engine)
		n := nodes{servertest.LogInAdmin(t, servertest.StartServer(t, engine, func(c *app.Config) {
			c.Database, c.NATS = config, url
		}))}
		if engine == "postgres" {
			n = append(n, servertest.LogInAdmin(t, servertest.StartServer(t, engine, func(c *app.Config) {
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
		role := servertest.AddRole(t, n[0], "Shops", map[string][]string{"POS": {"VIEW"}})
		id, worker := addWorker(t, n[0], "DEFAULT", role)
		there := *worker
		there.Base = n[len(n)-1].Base
		becomes := func(path string, want int) {
			t.Helper()
			testwait.Until(t, fmt.Sprint(path, " ", want), func() bool {
				return there.Send("GET", path, "", "").Status == want
			})
		}
		becomes("/api/DEFAULT/pos", 200)
		becomes("/api/DEFAULT/level", 403)
		n[0].Form("/api/admin/acl/role/"+role+"?_method=PUT",
			"role[name]=Shops&role[permissions][0][resource]=LEVEL&role[permissions][0][access]=VIEW").Must(t)
		becomes("/api/DEFAULT/level", 200)
		becomes("/api/DEFAULT/pos", 403)
		change := "admin[email]=worker@example.com&admin[isActive]=%d&admin[storeRoles][0][store]=" +
			storeID(t, n[0], "DEFAULT") + "&admin[storeRoles][0][role]=%s"
		n[0].Form("/api/admin/data/"+id+"?_method=PUT", fmt.Sprintf(change, 1, "2")).Must(t)
		becomes("/api/DEFAULT/pos", 200)
		n[0].Form("/api/admin/data/"+id+"?_method=PUT", fmt.Sprintf(change, 0, "2")).Must(t)
		becomes("/api/DEFAULT/pos", 401)
	})
}

// Of two masters who switch each other off at the same time, one remains.
func TestOneMasterRemainsOnTwoNodes(t *testing.T) {
	dbtest.Both(t)
	onConnectedNodes(t, func(t *testing.T, n nodes) {
		const form = "admin[email]=%s&admin[isActive]=%d&admin[roles][]=1"
		other := n[0].Form("/api/admin/data",
			fmt.Sprintf(form, "other@example.com", 1)+"&admin[plainPassword]=Correct-Horse-7").ID(t)
		second := servertest.LogIn(t, n[len(n)-1].Base, "/api/admin/login_check", "other@example.com", "Correct-Horse-7")
		n[0].Form("/api/admin/invitation", "admin[email]=invited@example.com&admin[roles][]=1").Must(t) // does not count
		ids := [...]string{n[0].OwnID(), other}
		for range 8 {
			by := nodes{n[0], second}
			replies := by.AtOnce(2, func(node *client, i int) reply {
				return node.Form("/api/admin/data/"+ids[1-i]+"?_method=PUT", fmt.Sprintf(form, fmt.Sprint(i, "@example.com"), 0))
			})
			if done := servertest.Count(replies, 200); done != 1 {
				t.Fatalf("%d of 2 succeeded: %d %s, %d %s", done, replies[0].Status, replies[0].Body, replies[1].Status,
					replies[1].Body)
			}
			winner, name, gone := n[0], "other", other
			if replies[1].Status == 200 {
				winner, name, gone = second, "admin", ids[0]
			}
			winner.Form("/api/admin/data/"+gone+"?_method=PUT", fmt.Sprintf(form, name+"@example.com", 1)+
				"&admin[plainPassword]=Correct-Horse-7").Must(t)
			again := servertest.LogIn(t, n[0].Base, "/api/admin/login_check", name+"@example.com", "Correct-Horse-7")
			if name == "admin" {
				n[0] = again
			} else {
				second = again
				second.Base = n[len(n)-1].Base
			}
		}
	})
}

// Nodes without a message queue notice within ten seconds what another node changed of roles and sessions, and within
// one second what it changed of keys.
func TestRightsChangeWithoutQueue(t *testing.T) {
	config, clock := servertest.Database(t, "postgres"), dbtest.NewClock(servertest.StartOfTests)
	node := func() *client {
		c := servertest.PlainConfig(config)
		c.Data, c.Clock = t.TempDir(), clock.Now
		return servertest.LogInAdmin(t, servertest.Run(t, c))
	}
	here, there := node(), node()
	is := func(c *client, path string, want int) {
		t.Helper()
		if r := c.Send("GET", path, "", ""); r.Status != want {
			t.Errorf("%s: %d %s, want %d", path, r.Status, r.Body, want)
		}
	}
	role := servertest.AddRole(t, here, "Shops", map[string][]string{"POS": {"VIEW"}})
	_, worker := addWorker(t, here, "DEFAULT", role)
	made := here.JSON("POST", "/api/admin/key", object{"key": object{"name": "Sync",
		"permissions": []object{{"resource": "POS", "access": "VIEW"}}}})
	worker.Base = there.Base
	program := &client{T: t, Base: there.Base, Token: made["secret"].(string)}
	is(worker, "/api/DEFAULT/pos", 200)
	is(program, "/api/DEFAULT/pos", 200)

	if r := here.Send("DELETE", "/api/admin/key/"+made["keyId"].(string), "", ""); r.Status != 204 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	clock.Advance(time.Second)
	is(program, "/api/DEFAULT/pos", 401)

	here.Form("/api/admin/acl/role/"+role+"?_method=PUT",
		"role[name]=Shops&role[permissions][0][resource]=LEVEL&role[permissions][0][access]=VIEW").Must(t)
	clock.Advance(auth.DefaultRecheck)
	is(worker, "/api/DEFAULT/pos", 403)
	is(worker, "/api/DEFAULT/level", 200)

	leaving := *worker
	leaving.Base = here.Base
	leaving.Form("/api/token/revoke", "everywhere=1").Must(t)
	clock.Advance(auth.DefaultRecheck)
	is(worker, "/api/DEFAULT/level", 401)
}
