package auth

import (
	"net/http/httptest"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/web"
)

// FuzzAuthenticate sends any credentials: only the issued token has a caller, anything else is refused with an
// error that may be shown.
func FuzzAuthenticate(f *testing.F) {
	d := dbtest.Open(f, dbtest.Config(f, "sqlite"), time.Now)
	var home *store.Store
	err := d.Write(f.Context(), func(tx *db.Tx) (err error) {
		home, err = store.Create(tx, store.New{Code: "DEFAULT", Currency: "EUR", Settings: store.DefaultSettings()})
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	a, err := New(f.Context(), Config{DB: d, Stores: store.NewDirectory(d)})
	if err != nil {
		f.Fatal(err)
	}
	caller := &access.Caller{Role: access.Customer, ID: db.NewID(), Username: "user@example.com", StoreKey: home.Key}
	token, err := a.Issue(f.Context(), caller, time.Time{})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		"Bearer " + token, "bearer  " + token, "Bearer", "Basic dTpw", "Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer a.b.c",
		"Bearer " + token + "A", "Bearer " + token[:len(token)-1],
	} {
		f.Add(seed, "")
		f.Add("", seed)
	}
	f.Fuzz(func(t *testing.T, authorization, permanent string) {
		request := &web.Request{Request: httptest.NewRequest("GET", "/", nil)}
		request.Header["Authorization"] = []string{authorization}
		if permanent != "" {
			request.Header["X-Auth-Token"] = []string{permanent}
		}
		found, err := a.Authenticate(request)
		switch {
		case err != nil:
			if kind := fault.KindOf(err); kind != fault.Unauthenticated && kind != fault.UnknownKey {
				t.Fatalf("%q: %v", authorization, err)
			}
		case found != nil && (found.ID != caller.ID || found.StoreKey != home.Key):
			t.Fatalf("%q: the caller is %+v", authorization, found)
		}
	})
}
