package admin_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"punchcard/api/access"
	"punchcard/loyalty/identity/admin"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Every role of an installation from before there was a permission for events may still read them; a role that is
// added later may not.
func TestRolesThatExistMayReadEventsAfterTheUpgrade(t *testing.T) {
	files, err := migrations.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	before := fstest.MapFS{}
	for _, file := range files {
		text, err := migrations.Files.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		if file.Name() < eventPermission {
			before[file.Name()] = &fstest.MapFile{Data: text}
		}
	}
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			d, err := db.Open(background, dbtest.Empty(t, engine))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = d.Close() })
			if err := d.Migrate(background, before); err != nil {
				t.Fatal(err)
			}
			write(t, d, func(tx *db.Tx) error {
				return tx.Insert("roles", "role_id, name, master, is_default, permissions", "",
					[]any{int64(admin.SuperAdmin), "Super admin", true, false, "{}"},
					[]any{int64(admin.ReporterAdmin), "Reporter admin", false, true, `{"ACL":["VIEW"],"CUSTOMER":["VIEW"]}`},
					[]any{int64(admin.FullAdmin), "Full admin", false, false, `{"CUSTOMER":["MODIFY"]}`},
					[]any{int64(4), "Till", false, false, `{"POS":["VIEW","MODIFY"]}`},
					[]any{int64(5), "Nothing", false, false, `{}`}, []any{int64(6), "Unset", false, false, `null`})
			})
			if err := d.Migrate(background, migrations.Files); err != nil {
				t.Fatal(err)
			}
			write(t, d, func(tx *db.Tx) error {
				master := &access.Caller{Role: access.Administrator, Master: true}
				return admin.AddRole(tx, master, admin.Role{Name: "Later", Permissions: map[string][]string{}})
			})
			view := []string{access.View}
			want := map[int64]map[string][]string{
				1: {}, 2: {"ACL": view, "CUSTOMER": view, "EVENT": view}, 3: {"CUSTOMER": {access.Modify}, "EVENT": view},
				4: {"POS": {access.View, access.Modify}, "EVENT": view}, 5: {"EVENT": view}, 6: {"EVENT": view}, 7: {},
			}
			got := map[int64]map[string][]string{}
			for id := range want {
				err := d.Read(background, func(tx *db.Tx) error {
					role, _, err := admin.FindRole(tx, id)
					got[id] = role.Permissions
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("permissions after the upgrade (-want +got):\n%s", diff)
			}
		})
	}
}

// eventPermission begins the name of the migration that gives it.
const eventPermission = "0019"
