package security_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/outbound"
)

// addressField is a field of a form that takes an address.
type addressField struct {
	method, path, name string
	others             string // fields that the form needs besides
}

// addressFields are all fields that take an address. The tests send nothing to these addresses.
var addressFields = []addressField{
	{"POST", servertest.Webhooks, "webhookSubscription[url]",
		"webhookSubscription[eventName]=Platform.Domain.User.Event.CustomerWasAnonymized&webhookSubscription[active]=0"},
	{"PUT", "/api/DEFAULT/admin/notification/gateway", "notificationGateway[url]", "notificationGateway[active]=0"},
	{"POST", "/api/DEFAULT/settings", "settings[cashbackProviderUrl]",
		"settings[allTimeNotLocked]=1&settings[cashbackProviderSecret]=" + url.QueryEscape(outbound.NewSecret())},
	{"POST", "/api/DEFAULT/settings", "settings[uriWebhooks]", "settings[allTimeNotLocked]=1"},
	{"POST", "/api/DEFAULT/settings", "settings[sales_manago][api_url]", "settings[allTimeNotLocked]=1"},
}

// Every field that takes an address has the same rule, which depends on how the server was started.
func TestAddressesThatUsersConfigure(t *testing.T) {
	const anyway, demo, private, never = 0, 1, 2, 3 // which start allows an address
	addresses := map[string]int{
		"https://shop.example/hook":               anyway,
		"https://8.8.8.8/hook":                    anyway,
		"http://127.0.0.1:9/hook":                 demo,
		"http://localhost:9/hook":                 demo,
		"http://[::1]:9/hook":                     demo,
		"http://10.0.0.1/hook":                    private,
		"http://[fd12:3456::1]/hook":              private,
		"http://169.254.169.254/latest/meta-data": never,
		"http://[::ffff:169.254.169.254]/":        never,
		"http://[64:ff9b::a9fe:a9fe]/":            never,
		"http://[fe80::1]/":                       never,
		"http://168.63.129.16/":                   never,
	}
	eachStart(t, func(t *testing.T, start int, config app.Config) {
		admin := servertest.LogInAdmin(t, servertest.Run(t, config))
		for address, from := range addresses {
			for _, f := range addressFields {
				r := admin.Send(f.method, f.path, servertest.FormType, f.others+"&"+f.name+"="+url.QueryEscape(address))
				name := f.name[strings.LastIndexByte(f.name, '[')+1 : len(f.name)-1]
				refused := fmt.Sprintf(`"%s":{"errors":["This address is not allowed."]}`, name)
				switch {
				case start >= from && r.Status != 200:
					t.Errorf("%s = %s: %d %s", f.name, address, r.Status, r.Body)
				case start < from && (r.Status != 400 || !strings.Contains(string(r.Body), refused)):
					t.Errorf("%s = %s is not refused: %d %s", f.name, address, r.Status, r.Body)
				}
			}
		}
	})
}

// eachStart runs a test with the servers that differ in what they may call: 0 the plain one, 1 the demonstration, 2 one
// with --allow-private-addresses.
func eachStart(t *testing.T, test func(t *testing.T, start int, config app.Config)) {
	for _, engine := range dbtest.Engines {
		for start, name := range []string{"plain", "demo", "private"} {
			t.Run(engine+"/"+name, func(t *testing.T) {
				t.Parallel()
				config := servertest.PlainConfig(servertest.Database(t, engine))
				config.Demo, config.AllowPrivateAddresses = start == 1, start == 2
				test(t, start, config)
			})
		}
	}
}

// The response to a refused test delivery has no details, and the receiver gets nothing.
func TestRefusedTestDelivery(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		address, arrived := servertest.ListenToCalls(t)
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.AllowPrivateAddresses = true
		base, stop := servertest.RunUntil(t, config, servertest.Log(t))
		id := servertest.FirstID(string(servertest.LogInAdmin(t, base).Form(servertest.Webhooks,
			"webhookSubscription[url]="+address+
				"&webhookSubscription[eventName]=Platform.Domain.User.Event.CustomerWasAnonymized").Body))
		stop()
		config.AllowPrivateAddresses = false
		admin := servertest.LogInAdmin(t, servertest.Run(t, config))
		r := admin.Send("POST", servertest.Webhooks+"/"+id+"/test", "", "")
		_, got, _ := strings.Cut(string(r.Body), ",")
		if got != `"delivered":false,"status":0,"error":"the address is refused"}` || len(arrived) > 0 {
			t.Errorf("%d %s, %d calls arrived", r.Status, r.Body, len(arrived))
		}
	})
}
