package auth_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/access"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
)

func TestPermanentKeys(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		const key = "key-of-the-first-till"
		var till admin.Administrator
		s.write(func(tx *db.Tx) (err error) {
			till, err = admin.Create(tx, admin.New{Username: "till", APIKey: key, Active: true, RoleID: admin.ReporterAdmin})
			return err
		})
		permissions := map[string][]string{}
		for _, resource := range access.Resources {
			permissions[resource] = []string{access.View}
		}
		delete(permissions, access.Security) // which the built-in roles lack
		for sent, want := range map[string]access.Caller{
			key: {
				Role: access.Administrator, ID: till.ID, Username: "till", Permanent: true, Permissions: permissions,
			},
			masterKey: {Role: access.Administrator, Username: "api", Master: true, Permanent: true},
		} {
			for _, got := range []answer{
				s.get("/api/who", "X-AUTH-TOKEN", sent), s.get("/api/who?auth_token=" + url.QueryEscape(sent)),
				s.get("/api/DEFAULT/who", "x-auth-token", sent),
			} {
				var caller access.Caller
				if err := json.Unmarshal([]byte(got.body), &caller); err != nil {
					t.Fatalf("%d %s: %v", got.status, got.body, err)
				}
				if diff := cmp.Diff(want, caller); diff != "" {
					t.Error(diff)
				}
			}
		}
		for _, sent := range []string{
			"x", key + "x", key[1:], strings.ToUpper(key), strings.Repeat("x", 300), s.customerToken(),
		} {
			s.get("/api/who", "X-AUTH-TOKEN", sent).is(t, 403, unknownKey)
			s.get("/api/who?auth_token="+url.QueryEscape(sent)).is(t, 403, unknownKey)
		}
		s.who(key).is(t, 401, invalidToken)
		s.who(masterKey).is(t, 401, invalidToken)

		s.exec(`UPDATE administrators SET active = $1 WHERE admin_id = $2`, false, till.ID)
		if got := s.get("/api/who", "X-AUTH-TOKEN", key); got.status != 200 {
			t.Errorf("every request reads the key: %d %s", got.status, got.body)
		}
		s.clock.Advance(auth.DefaultRecheck)
		s.get("/api/who", "X-AUTH-TOKEN", key).is(t, 403, unknownKey)
	})
}

func TestSwitchedOffKeyIsRefusedAtOnceAfterForget(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		const key = "key-of-the-first-till"
		s.write(func(tx *db.Tx) error {
			_, err := admin.Create(tx, admin.New{Username: "till", APIKey: key, Active: true, RoleID: admin.FullAdmin})
			return err
		})
		if got := s.get("/api/who", "X-AUTH-TOKEN", key); got.status != 200 {
			t.Fatal(got)
		}
		var id string
		s.write(func(tx *db.Tx) error {
			till, _, err := admin.FindByLogin(tx, "till")
			id = till.ID
			return err
		})
		s.exec(`UPDATE administrators SET active = $1 WHERE admin_id = $2`, false, id)
		s.auth.Forget(id)
		s.get("/api/who", "X-AUTH-TOKEN", key).is(t, 403, unknownKey)
	})
}

func TestWithoutAMasterKeyNobodyIsMaster(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		plain := s.start(t, auth.Config{})
		plain.get("/api/who", "X-AUTH-TOKEN", masterKey).is(t, 403, unknownKey)
		plain.get("/api/who", "X-AUTH-TOKEN", "").is(t, 401, `{"code":401,"message":"Authentication Required"}`)
		const short = "fifteen letters"
		_, err := auth.New(t.Context(), auth.Config{DB: s.db, Stores: s.stores, MasterKey: short})
		if err == nil || strings.Contains(err.Error(), short) {
			t.Errorf("got %v, want an error without the key", err)
		}
	})
}
