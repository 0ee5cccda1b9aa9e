package storeapi_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/storeapi"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
	"punchcard/platform/password"
)

func TestMain(m *testing.M) {
	password.Cheapen()
	dbtest.Main(m)
}

func endpoints(*auth.Auth) []api.Endpoint {
	return storeapi.Endpoints(outbound.NewClient(outbound.Config{}), storeapi.Parts{
		ReservedCodes: func() []string { return []string{"", "admin", "store"} },
		Save: func(*api.Call) (func(*db.Tx, *store.Store) error, error) {
			return func(*db.Tx, *store.Store) error { return nil }, nil
		},
		Guard: unguarded,
	})
}

// unguarded lets security settings pass. The tests of package app show the guard.
func unguarded(*api.Call, *form.Group) (func(*db.Tx, ...string) error, error) {
	return func(*db.Tx, ...string) error { return nil }, nil
}

// TestChangesReachEveryNode changes settings, a store and a language on one node: they are visible there at
// once, and on another within a second.
func TestChangesReachEveryNode(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other := s.Start(t)
		token := s.Administrator("full")
		north := s.Send(token, "POST", "/api/store", "store[code]", "NORTH", "store[name]", "North", "store[currency]", "NOK",
			"store[active]", "1").Member("storeId")
		s.Clock.Advance(time.Second)
		for _, c := range []struct {
			name   string
			change []string // method, path, fields
			path   string
			before authtest.Answer
			after  authtest.Answer
		}{
			{"settings", []string{"POST", "/api/NORTH/settings", "settings[allTimeNotLocked]", "1"},
				"/api/NORTH/settings/public",
				authtest.Answer{Status: 200, Body: `{"settings":{"allowCustomersProfileEdits":true}}`},
				authtest.Answer{Status: 200, Body: `{"settings":{"allowCustomersProfileEdits":false}}`}},
			{"language", []string{"POST", "/api/admin/translations", "translation[code]", "nb", "translation[name]", "Norsk"},
				"/api/NORTH/settings/choices/language",
				authtest.Answer{Status: 200, Body: `{"choices":{"English":"en"}}`},
				authtest.Answer{Status: 200, Body: `{"choices":{"English":"en","Norsk":"nb"}}`}},
			{"store", []string{"PUT", "/api/store/" + north, "store[name]", "North"}, "/api/NORTH/settings/activation",
				authtest.Answer{Status: 200, Body: `{"method":"email","required":false}`},
				authtest.Answer{Status: 404, Body: `{"error":{"code":404,"message":"Not Found"}}`}},
		} {
			expect := func(where string, n *authtest.Node, want authtest.Answer) {
				t.Helper()
				if got := n.Send("", "GET", c.path); got != want {
					t.Errorf("%s, %s: %d %s", c.name, where, got.Status, got.Body)
				}
			}
			expect("here before", s.Node, c.before)
			expect("there before", other, c.before)
			if got := s.Send(token, c.change[0], c.change[1], c.change[2:]...); got.Status >= 300 {
				t.Fatalf("%s: %d %s", c.name, got.Status, got.Body)
			}
			expect("here", s.Node, c.after)
			expect("there at once", other, c.before)
			s.Clock.Advance(time.Second)
			expect("there after a second", other, c.after)
		}
	})
}

// TestSettingsAreReadFreshly shows that changed settings are visible on all nodes at once.
func TestSettingsAreReadFreshly(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		other := s.Start(t)
		token := s.Administrator("full")
		other.Send(token, "GET", "/api/DEFAULT/settings")
		changed := s.Send(token, "POST", "/api/DEFAULT/settings", "settings[programName]", "Leaf club",
			"settings[allTimeNotLocked]", "1")
		if got := other.Send(token, "GET", "/api/DEFAULT/settings"); got != changed || changed.Status != 200 {
			t.Errorf("%d %s\nand then %d %s", changed.Status, changed.Body, got.Status, got.Body)
		}
	})
}

// TestOneCodeWinsOverHTTP adds stores with one code concurrently.
func TestOneCodeWinsOverHTTP(t *testing.T) {
	dbtest.Both(t)
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		token := s.Administrator("full")
		answers := make([]authtest.Answer, 6)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				answers[i] = s.Send(token, "POST", "/api/store", "store[code]", "NORTH", "store[name]", "North",
					"store[currency]", "NOK")
			})
		}
		all.Wait()
		won := 0
		for _, a := range answers {
			switch {
			case a.Status == 200:
				won++
			case a.Status != 400 || !strings.Contains(a.Body, `"code":{"errors":["This value is already used."]}`):
				t.Errorf("%d %s", a.Status, a.Body)
			}
		}
		if won != 1 {
			t.Errorf("%d stores were opened", won)
		}
	})
}

// TestChangesOfSettingsDoNotUndoEachOther sends two forms concurrently: each key that one of them
// omits has the value of the other.
func TestChangesOfSettingsDoNotUndoEachOther(t *testing.T) {
	dbtest.Both(t)
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		token := s.Administrator("full")
		var all sync.WaitGroup
		for _, key := range []string{"programName", "programPointsSingular", "programPointsPlural", "pushySecretKey"} {
			all.Go(func() {
				got := s.Send(token, "POST", "/api/DEFAULT/settings", "settings["+key+"]", "new", "settings[allTimeNotLocked]", "1")
				if got.Status != 200 {
					t.Errorf("%d %s", got.Status, got.Body)
				}
			})
		}
		all.Wait()
		s.Write(func(tx *db.Tx) error {
			read, _, err := store.ByCode(tx, store.DefaultCode)
			set := read.Settings
			if set.ProgramName+set.ProgramPointsSingular+set.ProgramPointsPlural+set.PushySecretKey != "newnewnewnew" {
				t.Errorf("left is %+v", set)
			}
			return err
		})
	})
}

// TestChoicesOfZonesAndCountries loads every listed zone, and checks the form of countries.
func TestChoicesOfZonesAndCountries(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		read := func(kind string, choices any) {
			got := s.Send("", "GET", "/api/DEFAULT/settings/choices/"+kind)
			answer := struct{ Choices any }{choices}
			if err := json.Unmarshal([]byte(got.Body), &answer); err != nil {
				t.Fatalf("%v in %s", err, got.Body)
			}
		}
		var groups map[string]map[string]string
		read("timezone", &groups)
		zones := 0
		for group, names := range groups {
			for name, zone := range names {
				path := strings.NewReplacer(" - ", "/", " ", "_").Replace(name)
				if group != "Other" {
					path = group + "/" + path
				}
				if _, err := time.LoadLocation(zone); err != nil || path != zone {
					t.Errorf("%s of %s is %s: %v", name, group, zone, err)
				}
			}
			zones += len(names)
		}
		var countries map[string]string
		read("country", &countries)
		for name, code := range countries {
			if len(code) != 2 || strings.ToUpper(code) != code || name == "" {
				t.Errorf("%q is %q", name, code)
			}
		}
		if zones < 400 || len(countries) != 249 || groups["Other"]["UTC"] == "" || countries["Norway"] != "NO" {
			t.Errorf("%d zones, %d countries", zones, len(countries))
		}
	})
}

// A new store has the settings of the first one without its payment provider. Callbacks that must be signed stay so.
func TestNewStoresHaveNoSecretsOfOthers(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		token := s.Administrator("full")
		secret := outbound.NewSecret()
		got := s.Send(token, "POST", "/api/DEFAULT/settings", "settings[cashbackCallbackSecret]", secret,
			"settings[cashbackProviderUrl]", "https://example.com/pay", "settings[cashbackProviderSecret]", secret,
			"settings[accentColor]", "#2e7d32", "settings[allTimeNotLocked]", "1")
		if got.Status != 200 {
			t.Fatal(got)
		}
		got = s.Send(token, "POST", "/api/store", "store[code]", "NORTH", "store[name]", "North", "store[currency]", "NOK")
		if got.Status != 200 {
			t.Fatal(got)
		}
		err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			north, _, err := store.ByCode(tx, "NORTH")
			if err != nil {
				return err
			}
			settings := north.Settings
			if settings.CashbackProviderURL+settings.CashbackProviderSecret != "" || settings.AccentColor != "#2e7d32" {
				t.Errorf("the new store has %+v", settings)
			}
			if !outbound.IsSecret(settings.CashbackCallbackSecret) || settings.CashbackCallbackSecret == secret {
				t.Error("callbacks of the new store are not signed with a secret of its own")
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// The address of a vendor, which is shown, has no credentials.
func TestVendorAddressHasNoCredentials(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		token := s.Administrator("full")
		for text, want := range map[string]int{
			"": 200, "https://example.com/a@b": 200, "app.example.com": 200, "app.example.com/x//y@z": 200,
			"https://user:pass@example.com": 400, "//user@example.com": 400, "user:pass@example.com/": 400,
			"https://user:pass@example.com?x": 400,
		} {
			got := s.Send(token, "POST", "/api/DEFAULT/settings", "settings[sales_manago][api_url]", text,
				"settings[allTimeNotLocked]", "1")
			if got.Status != want {
				t.Errorf("%q: %d %s", text, got.Status, got.Body)
			}
		}
	})
}
