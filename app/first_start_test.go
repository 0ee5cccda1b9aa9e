package app_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"regexp"
	"testing"

	"punchcard/app"
	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
)

// A failed start prints no password. The first successful one prints the password that is stored; later ones print
// none.
func TestFirstPasswordIsPrintedWhenTheServerServes(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := plainConfig(database(t, engine))
		config.AdminPassword = ""
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer taken.Close()
		failing := config
		failing.Listen = taken.Addr().String()
		var printed bytes.Buffer
		if err := app.Serve(t.Context(), failing, &printed, testLog{t}); err == nil || printed.Len() > 0 {
			t.Errorf("on an address in use: %v, %q", err, &printed)
		}
		serve := func() (base string) {
			printed.Reset()
			base, end, err := apptest.Serve(func(ctx context.Context, output io.Writer) error {
				return app.Serve(ctx, config, io.MultiWriter(&printed, output), testLog{t})
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := end(); err != nil {
					t.Error(err)
				}
			})
			return base
		}
		base := serve()
		password := regexp.MustCompile(`administrator admin with the password (\S+) `).FindSubmatch(printed.Bytes())
		if password == nil {
			t.Fatalf("printed %q", &printed)
		}
		logIn(t, base, "/api/admin/login_check", "admin", string(password[1]))
	})
}
