package security_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

// listening is a server whose web hooks reach a receiver.
type listening struct {
	*client  // an administrator who may do everything
	config   app.Config
	commits  testwait.Signal
	receiver string
	arrived  chan servertest.Arrival
}

func listen(t *testing.T, engine string) *listening {
	t.Helper()
	l := &listening{config: servertest.PlainConfig(servertest.Database(t, engine)), commits: testwait.NewSignal()}
	l.receiver, l.arrived = servertest.ListenToCalls(t)
	l.config.Clock, l.config.AllowPrivateAddresses, l.config.OnCommit = time.Now, true, l.commits.Send
	l.client = servertest.LogInAdmin(t, servertest.Run(t, l.config))
	l.JSON("POST", "/api/DEFAULT/level/create", object{"level": object{"translations": object{"en": object{
		"name": "Base"}}, "active": true, "conditionValue": 0, "reward": object{"name": "Base", "value": 5, "code": "B"}}})
	return l
}

// subscribe makes a subscription to registrations and returns its path.
func (l *listening) subscribe(by *client, name string) string {
	l.T.Helper()
	made := by.Form(servertest.Webhooks, "webhookSubscription[url]="+l.receiver+"&webhookSubscription[eventName]="+name)
	return servertest.Webhooks + "/" + made.ID(by.T.(*testing.T))
}

// register registers a customer, which web hooks report.
func (l *listening) register(name string) {
	l.T.Helper()
	l.Form("/api/DEFAULT/customer/register", "customer[firstName]="+name+"&customer[lastName]=N&customer[agreement1]=1&"+
		"customer[email]="+name+"@example.com").Must(l.T.(*testing.T))
}

// expect waits for one call, and for whether it has the name of the customer.
func (l *listening) expect(what, name string, personal bool) {
	l.T.Helper()
	got := string(testwait.Receive(l.T.(*testing.T), "the call of "+what, l.arrived).Body)
	if strings.Contains(got, name) != personal || !strings.Contains(got, "agreement1") {
		l.T.Errorf("%s: %s", what, got)
	}
}

// expectOff waits until the server has switched a subscription off.
func (l *listening) expectOff(path string) {
	l.T.Helper()
	l.commits.Until(l.T.(*testing.T), "the subscription is off", func() bool {
		found := l.Get(path)
		return found["active"] == false && found["disabledReason"] == "Who subscribed may no longer see events."
	})
}

const registered = "Platform.Domain.User.Event.CustomerWasRegistered"

// Web hooks and replays send events, which needs the permission for them. So do the settings of a store that have an
// address.
func TestWebHooksNeedThePermissionForEvents(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		l := listen(t, engine)
		path := l.subscribe(l.client, "*")
		person, key := staff(t, l.client, "settings", map[string][]string{
			access.Settings: {access.Modify}, access.Customers: {access.View},
		})
		fields := "webhookSubscription[url]=" + l.receiver + "&webhookSubscription[eventName]=*"
		const settings = "settings[returns]=1&settings[allTimeNotLocked]=1&settings[webhooks]="
		for name, who := range map[string]*client{"a person": person, "a key": key} {
			for _, call := range []struct {
				method, path, body string
				want               int
			}{
				{"POST", servertest.Webhooks, fields, 403}, {"PUT", path, fields, 403},
				{"POST", path + "/replay", "replay[fromId]=1&replay[toId]=5", 403},
				{"POST", "/api/DEFAULT/settings", settings + "1&settings[uriWebhooks]=" + l.receiver, 403},
				{"POST", "/api/DEFAULT/settings", settings + "0", 200},
				{"GET", path, "", 200}, {"POST", path + "/test", "", 200},
			} {
				got := who.Send(call.method, call.path, servertest.FormType, call.body)
				if got.Status != call.want || call.want == 403 && !strings.Contains(string(got.Body), "EVENT VIEW") {
					t.Errorf("%s, %s %s: %d %s, want %d", name, call.method, call.path, got.Status, got.Body, call.want)
				}
			}
		}
		settingsOnly, _ := staff(t, l.client, "gateway", map[string][]string{access.Settings: {access.Modify}})
		for who, want := range map[*client]int{person: 200, settingsOnly: 403} {
			got := who.Send("PUT", "/api/DEFAULT/admin/notification/gateway", servertest.FormType,
				"notificationGateway[url]="+l.receiver)
			if got.Status != want {
				t.Errorf("the gateway of notifications: %d %s, want %d", got.Status, got.Body, want)
			}
		}
		if got := person.Send("DELETE", path, "", ""); got.Status != 204 {
			t.Errorf("ending the subscription: %d %s", got.Status, got.Body)
		}
	})
}

// A web hook sends what its subscriber may see when it sends.
func TestWebHooksSendWhatTheirSubscriberMaySee(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		l := listen(t, engine)
		few := map[string][]string{access.Settings: {access.Modify}, access.Events: {access.View}}
		all := map[string][]string{
			access.Settings: {access.Modify}, access.Events: {access.View}, access.Customers: {access.View},
		}
		person, key := staff(t, l.client, "few", few)
		personOfAll, keyOfAll := staff(t, l.client, "all", all)
		for i, c := range []struct {
			what, name string
			by         *client
			personal   bool
		}{
			{"a person", registered, person, false}, {"a key", registered, key, false},
			{"a person, short", "customer.registered", person, false},
			{"a person with the right", registered, personOfAll, true},
			{"a key with the right", "Platform.Domain.User.Event.CustomerWasReg*", keyOfAll, true},
			{"a person with the right, short", "customer.registered", personOfAll, true},
		} {
			path, name := l.subscribe(c.by, c.name), fmt.Sprint("ada", i)
			l.register(name)
			l.expect(c.what, name, c.personal)
			l.Send("DELETE", path, "", "")
		}
		// One from before the program knew its subscriber sends everything, until it is replaced.
		path := l.subscribe(person, registered)
		change(t, l.config.Database, `UPDATE webhook_subscriptions SET subscriber_id = ''`)
		l.register("old")
		l.expect("an old subscription", "old", true)
		fields := "webhookSubscription[url]=" + l.receiver + "&webhookSubscription[eventName]=" + registered
		if got := person.Send("PUT", path, servertest.FormType, fields+"&webhookSubscription[active]=1"); got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		l.register("new")
		l.expect("a replaced subscription", "new", false)
	})
}

// Sending ends when the subscriber may no longer see events: without the permission, switched off, or a key revoked.
func TestWebHooksEndWithTheRight(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		l := listen(t, engine)
		rights := map[string][]string{access.Settings: {access.Modify}, access.Events: {access.View}}
		demoted, _ := staff(t, l.client, "demoted", rights)
		gone, _ := staff(t, l.client, "gone", rights)
		_, key := staff(t, l.client, "key", rights)
		for i, c := range []struct {
			what string
			by   *client
			end  string
		}{
			{"without the permission", demoted, `UPDATE administrators SET role_id = (SELECT role_id FROM roles
				WHERE name = 'none') WHERE email = 'demoted@example.com'`},
			{"switched off", gone, `UPDATE administrators SET active = FALSE WHERE email = 'gone@example.com'`},
			{"revoked", key, `DELETE FROM api_keys`},
		} {
			if i == 0 {
				servertest.AddRole(t, l.client, "none", map[string][]string{access.Settings: {access.View}})
			}
			path := l.subscribe(c.by, registered)
			l.register(fmt.Sprint("before", i))
			l.expect(c.what, "no name", false)
			change(t, l.config.Database, c.end)
			l.register(fmt.Sprint("after", i))
			l.expectOff(path)
			fields := "webhookSubscription[url]=" + l.receiver + "&webhookSubscription[eventName]=" + registered
			l.Send("PUT", path, servertest.FormType, fields+"&webhookSubscription[active]=1")
			l.expect("what waited, "+c.what, fmt.Sprint("after", i), true)
			l.Send("DELETE", path, "", "")
		}
	})
}
