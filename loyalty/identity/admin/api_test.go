package admin_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/auth/authtest"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/storeapi"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// endpoints are those with which administrators manage the platform.
func endpoints(a *auth.Auth) []api.Endpoint {
	var all []api.Endpoint
	for _, some := range [][]api.Endpoint{
		admin.Endpoints(),
		storeapi.Endpoints(outbound.NewClient(outbound.Config{}), storeapi.Parts{
			ReservedCodes: func() []string { return nil },
			Save: func(*api.Call) (func(*db.Tx, *store.Store) error, error) {
				return func(*db.Tx, *store.Store) error { return nil }, nil
			},
			Guard: func(*api.Call, *form.Group) (func(*db.Tx, ...string) error, error) {
				return func(*db.Tx, ...string) error { return nil }, nil
			},
		}),
		pos.Endpoints(), seller.Endpoints(),
	} {
		all = append(all, some...)
	}
	return all
}

// filled is the path of an endpoint in the first store, with an id that does not exist.
func filled(path string) string {
	path = strings.ReplaceAll(path, "{storeCode}", "DEFAULT")
	for strings.Contains(path, "{") {
		from, to := strings.Index(path, "{"), strings.Index(path, "}")
		path = path[:from] + "0190a5c0-0000-7000-8000-000000000000" + path[to+1:]
	}
	return path
}

// TestViewMayNotModify calls every endpoint that needs a permission as three administrators: one who may
// view everything, one who may modify everything, and one who may do neither.
func TestViewMayNotModify(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		super, reporter, full := s.Administrator("super"), s.Administrator("reporter"), s.Administrator("full")
		s.Send(super, "POST", "/api/admin/acl/role", "role[name]", "Stranger",
			"role[permissions][0][resource]", access.Analytics, "role[permissions][0][access]", access.View)
		s.Send(super, "POST", "/api/admin/data", "admin[email]", "stranger@example.com",
			"admin[plainPassword]", authtest.Password, "admin[isActive]", "1", "admin[roles][]", "4")
		stranger := s.Administrator("stranger@example.com")
		checked := map[string]int{}
		for _, e := range endpoints(s.Auth) {
			if e.Access.Resource == "" {
				continue
			}
			checked[e.Access.Access]++
			for _, caller := range []struct {
				name, token string
				allowed     bool
			}{
				{"reporter", reporter, e.Access.Access == access.View}, {"full", full, true}, {"stranger", stranger, false},
			} {
				got := s.Send(caller.token, e.Method, filled(e.Path))
				if (got.Status != 403) != caller.allowed {
					t.Errorf("%s %s as %s: %d %s", e.Method, e.Path, caller.name, got.Status, got.Body)
				}
			}
		}
		if checked[access.View] < 10 || checked[access.Modify] < 10 {
			t.Errorf("checked %v", checked)
		}
	})
}

func TestGeneratedKeyIsShownOnce(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		super := s.Administrator("super")
		made := s.Send(super, "POST", "/api/admin/data", "admin[email]", "till@example.com", "admin[external]", "1",
			"admin[isActive]", "1")
		id, key := made.Member("adminId"), made.Member("apiKey")
		if len(key) < admin.MinAPIKey || id == "" {
			t.Fatalf("%d %s", made.Status, made.Body)
		}
		if got := s.Send("", "GET", "/api/DEFAULT/pos?auth_token="+key); got.Status != 200 {
			t.Errorf("the key does not open: %d %s", got.Status, got.Body)
		}
		for _, path := range []string{"/api/admin/data/" + id, "/api/admin"} {
			got := s.Send(super, "GET", path)
			if got.Status != 200 || strings.Contains(got.Body, key) || !strings.Contains(got.Body, key[len(key)-4:]) {
				t.Errorf("%s: %d %s", path, got.Status, got.Body)
			}
		}
		err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			held, err := db.Value[int64](tx, `SELECT COUNT(*) FROM administrators
				WHERE api_key_hash = $1 OR api_key_end = $1`, key)
			if held != 0 {
				t.Error("the key itself is stored")
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestOneAddressAtOnce adds two administrators of one address, and gives it to a third, at the same time.
func TestOneAddressAtOnce(t *testing.T) {
	dbtest.Both(t)
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		super := s.Administrator("super")
		third := s.Send(super, "POST", "/api/admin/data", "admin[email]", "third@example.com",
			"admin[plainPassword]", authtest.Password).Member("adminId")
		answers := make([]authtest.Answer, 6)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				method, path := "POST", "/api/admin/data"
				if i == 0 {
					method, path = "PUT", "/api/admin/data/"+third
				}
				answers[i] = s.Send(super, method, path, "admin[email]", "same@example.com",
					"admin[plainPassword]", authtest.Password)
			})
		}
		all.Wait()
		won := 0
		for _, a := range answers {
			switch {
			case a.Status == 200:
				won++
			case a.Status != 400 || !strings.Contains(a.Body, `"email":{"errors":["This value is already used."]}`):
				t.Errorf("%d %s", a.Status, a.Body)
			}
		}
		if won != 1 {
			t.Errorf("%d got the address", won)
		}
	})
}

// TestOneMasterRemains lets masters deactivate each other concurrently, again and again.
func TestOneMasterRemains(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		write(t, d, admin.CreateRoles)
		var masters []admin.Administrator
		for i := range 3 {
			m, err := create(d, admin.New{
				Email: fmt.Sprintf("master%d@example.com", i), PasswordHash: "h", Active: true, RoleID: admin.SuperAdmin,
			})
			if err != nil {
				t.Fatal(err)
			}
			masters = append(masters, m)
		}
		change := func(by, of admin.Administrator, active bool) error {
			caller := &access.Caller{Role: access.Administrator, ID: by.ID, Master: true}
			return d.Write(background, func(tx *db.Tx) error {
				_, err := admin.Change(tx, caller, of.ID, admin.Data{Email: of.Email, Active: active, RoleID: of.RoleID})
				return err
			})
		}
		for range 10 {
			var all sync.WaitGroup
			var refused atomic.Int64
			for i := range masters {
				all.Go(func() {
					switch err := change(masters[i], masters[(i+1)%3], false); {
					case errors.Is(err, admin.ErrLastMaster):
						refused.Add(1)
					case err != nil:
						t.Error(err)
					}
				})
			}
			all.Wait()
			if refused.Load() != 1 {
				t.Fatalf("%d of three were refused", refused.Load())
			}
			for i := range masters {
				if err := change(masters[i], masters[(i+1)%3], true); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// TestTheLastMasterStays shows the rule for a caller who is not in the list, as with the master key.
func TestTheLastMasterStays(t *testing.T) {
	authtest.Each(t, endpoints, func(t *testing.T, s *authtest.Site) {
		err := s.DB.Write(t.Context(), func(tx *db.Tx) error {
			boss, _, err := admin.FindByLogin(tx, "super")
			if err != nil {
				return err
			}
			_, err = admin.Change(tx, &access.Caller{Role: access.Administrator, Master: true}, boss.ID, admin.Data{
				Email: boss.Email, Active: true, RoleID: admin.FullAdmin,
			})
			return err
		})
		if !errors.Is(err, admin.ErrLastMaster) {
			t.Errorf("got %v", err)
		}
	})
}
