package admin_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"punchcard/core/access"
	"punchcard/loyalty/identity/admin"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/password"
)

func TestMain(m *testing.M) {
	password.Cheapen()
	dbtest.Main(m)
}

var background = context.Background()

func write(t *testing.T, d *db.DB, run func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Write(background, run); err != nil {
		t.Fatal(err)
	}
}

func create(d *db.DB, in admin.New) (a admin.Administrator, err error) {
	err = d.Write(background, func(tx *db.Tx) (err error) {
		a, err = admin.Create(tx, in)
		return err
	})
	return a, err
}

// found runs one of the lookups. It returns the zero value if there is no administrator.
func found(t *testing.T, d *db.DB, find func(tx *db.Tx, by string) (admin.Administrator, bool, error),
	by string) admin.Administrator {
	t.Helper()
	var a admin.Administrator
	err := d.Read(background, func(tx *db.Tx) error {
		one, known, err := find(tx, by)
		if known != (one.ID != "") {
			t.Errorf("%q: found is %t with the id %q", by, known, one.ID)
		}
		a = one
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestBuiltInRoles(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for range 2 { // the second time nothing changes
			write(t, d, admin.CreateRoles)
		}
		for id, want := range map[int64]struct {
			role     admin.Role
			accesses []string
		}{
			admin.SuperAdmin:    {admin.Role{ID: 1, Name: "Super admin", Master: true}, nil},
			admin.ReporterAdmin: {admin.Role{ID: 2, Name: "Reporter admin", Default: true}, []string{access.View}},
			admin.FullAdmin:     {admin.Role{ID: 3, Name: "Full admin"}, []string{access.Modify}},
		} {
			want.role.Permissions = map[string][]string{}
			for _, resource := range access.Resources {
				if want.accesses != nil && resource != access.Security {
					want.role.Permissions[resource] = want.accesses
				}
			}
			var got admin.Role
			err := d.Read(background, func(tx *db.Tx) (err error) {
				got, _, err = admin.FindRole(tx, id)
				return err
			})
			if diff := cmp.Diff(want.role, got); diff != "" || err != nil {
				t.Errorf("role %d: %v %s", id, err, diff)
			}
		}
	})
}

func TestAdministratorsAreFoundAsTheyWereCreated(t *testing.T) {
	now := time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)
	dbtest.EachAt(t, func() time.Time { return now }, func(t *testing.T, d *db.DB) {
		write(t, d, admin.CreateRoles)
		person, err := create(d, admin.New{
			Username: " Boss", Email: "Boss@Example.com ", FirstName: "Bo", LastName: "Ss", Phone: "+48111",
			PasswordHash: "hash", Active: true, NotificationsEnabled: true, RoleID: admin.SuperAdmin,
		})
		if err != nil {
			t.Fatal(err)
		}
		want := admin.Administrator{
			ID: person.ID, Username: "boss", Email: "boss@example.com", FirstName: "Bo", LastName: "Ss", Phone: "+48111",
			PasswordHash: "hash", Active: true, NotificationsEnabled: true, RoleID: admin.SuperAdmin, CreatedAt: now,
		}
		ignore := cmpopts.IgnoreUnexported(admin.Administrator{})
		for _, got := range []admin.Administrator{
			person, found(t, d, admin.FindByID, person.ID),
			found(t, d, admin.FindByLogin, "BOSS "), found(t, d, admin.FindByLogin, "boss@EXAMPLE.com"),
		} {
			if diff := cmp.Diff(want, got, ignore); diff != "" {
				t.Error(diff)
			}
		}
		write(t, d, func(tx *db.Tx) error {
			same, err := admin.SetLastLogin(tx, person.ID, "another hash")
			if same || err != nil {
				t.Errorf("a log-in with another password: %t, %v", same, err)
			}
			same, err = admin.SetLastLogin(tx, person.ID, "hash")
			if !same {
				t.Error("the log-in is not noted")
			}
			return err
		})
		if got := found(t, d, admin.FindByID, person.ID); !got.LastLoginAt.Equal(now) {
			t.Errorf("the last log-in was at %s", got.LastLoginAt)
		}
		nameless, err := create(d, admin.New{PasswordHash: "hash", RoleID: admin.FullAdmin})
		if err != nil || nameless.Username != nameless.ID {
			t.Errorf("without a name: %q, %v", nameless.Username, err)
		}
		for _, name := range []string{"", " ", "nobody", "hash"} {
			if got := found(t, d, admin.FindByLogin, name); got.ID != "" {
				t.Errorf("%q finds %s", name, got.Username)
			}
		}
	})
}

// A user name takes precedence over an equal e-mail address of another administrator.
func TestUserNamesComeBeforeAddresses(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		write(t, d, admin.CreateRoles)
		_, err := create(d, admin.New{Username: "a", Email: "boss", PasswordHash: "h", RoleID: admin.FullAdmin})
		if err != nil {
			t.Fatal(err)
		}
		boss, err := create(d, admin.New{Username: "boss", PasswordHash: "h", RoleID: admin.FullAdmin})
		if err != nil {
			t.Fatal(err)
		}
		if got := found(t, d, admin.FindByLogin, "boss"); got.ID != boss.ID {
			t.Errorf("found %s", got.Username)
		}
	})
}

func TestTakenNamesAndKeysAreRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		write(t, d, admin.CreateRoles)
		const key = "0123456789abcdef"
		for _, in := range []admin.New{
			{Username: "boss", Email: "boss@example.com", PasswordHash: "h"}, {Username: "till", APIKey: key},
			{Username: "no address", PasswordHash: "h"}, {Username: "no address either", PasswordHash: "h"},
		} {
			in.RoleID = admin.FullAdmin
			if _, err := create(d, in); err != nil {
				t.Fatal(err)
			}
		}
		for _, in := range []admin.New{
			{Username: "BOSS", PasswordHash: "h"}, {Email: "Boss@example.com", PasswordHash: "h"}, {APIKey: key},
		} {
			in.RoleID = admin.FullAdmin
			if _, err := create(d, in); !errors.Is(err, admin.ErrTaken) {
				t.Errorf("%+v: %v", in, err)
			}
		}
		for _, in := range []admin.New{{APIKey: key[1:]}, {APIKey: strings.Repeat("ą", 15)}} {
			if _, err := create(d, in); !errors.Is(err, admin.ErrShortKey) {
				t.Errorf("%+v: %v", in, err)
			}
		}
		for _, in := range []admin.New{{Username: "x"}, {Username: "x", PasswordHash: "h", APIKey: key + "x"}} {
			if _, err := create(d, in); err == nil {
				t.Errorf("%+v was added", in)
			}
		}
	})
}

func TestIntegrationsAreFoundByTheirKey(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		write(t, d, admin.CreateRoles)
		const key = "0123456789abcdef"
		till, err := create(d, admin.New{Username: "till", APIKey: key, Active: true, RoleID: admin.FullAdmin})
		if err != nil || !till.External {
			t.Fatal(till, err)
		}
		if _, err := create(d, admin.New{Username: "boss", PasswordHash: "h", RoleID: admin.FullAdmin}); err != nil {
			t.Fatal(err)
		}
		if got := found(t, d, admin.FindByAPIKey, key); got.ID != till.ID {
			t.Errorf("found %q", got.ID)
		}
		for _, wrong := range []string{"", "0123456789abcdeF", key + " ", "h"} {
			if got := found(t, d, admin.FindByAPIKey, wrong); got.ID != "" {
				t.Errorf("%q finds %s", wrong, got.Username)
			}
		}
		var stored string
		err = d.Read(background, func(tx *db.Tx) (err error) {
			stored, err = db.Value[string](tx, `SELECT api_key_hash FROM administrators WHERE username = 'till'`)
			return err
		})
		if err != nil || len(stored) != 64 || strings.Contains(stored, key) {
			t.Errorf("stored as %q: %v", stored, err)
		}
	})
}
