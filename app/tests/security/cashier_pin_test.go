package security_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/access"
	"punchcard/platform/db/dbtest"
)

// byPIN are the calls that sellers may make who have given a PIN: they sell, and look up customers.
var byPIN = []string{
	"GET /api/{storeCode}/customer", "GET /api/{storeCode}/customer/{customer}",
	"GET /api/{storeCode}/customer/{customer}/avatar", "POST /api/{storeCode}/pos/search/customer",
	"GET /api/{storeCode}/seller/campaign", "GET /api/{storeCode}/seller/campaign/{campaign}",
	"GET /api/{storeCode}/seller/coupons/{couponCode}", "POST /api/{storeCode}/seller/coupons/mark_as_used",
	"POST /api/{storeCode}/seller/customer/register", "GET /api/{storeCode}/seller/customer/{customer}/status",
	"GET /api/{storeCode}/seller/customer/{customer}/campaign/available",
	"GET /api/{storeCode}/seller/customer/{customer}/campaign/bought",
	"POST /api/{storeCode}/seller/customer/{customer}/campaign/{campaign}/buy", "GET /api/{storeCode}/seller/me",
	"POST /api/{storeCode}/seller/transaction", "POST /api/{storeCode}/seller/transaction/preview",
	"POST /api/{storeCode}/checkout", "POST /api/{storeCode}/checkout/loyalty",
	"POST /api/{storeCode}/checkout/reserve",
	"GET /api/{storeCode}/checkout/reservation/{reservation}",
	"POST /api/{storeCode}/checkout/reservation/{reservation}/confirm",
	"POST /api/{storeCode}/checkout/reservation/{reservation}/extend",
	"POST /api/{storeCode}/checkout/reservation/{reservation}/cancel",
	"POST /api/{storeCode}/transaction/{transaction}/restore",
}

var pathParameter = regexp.MustCompile(`\{\w+\}`)

// TestPINSessionsSellOnly makes every call with a PIN.
func TestPINSessionsSellOnly(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		who := enterByPIN(t, servertest.Run(t, servertest.PlainConfig(servertest.DemoDatabase(t, engine))))
		var admitted []string
		for _, e := range app.EndpointTable() {
			if e.Access.Anyone {
				continue
			}
			name := e.Method + " " + e.Path
			path := pathParameter.ReplaceAllString(strings.ReplaceAll(e.Path, "{storeCode}", ownStore), servertest.Nobody)
			request := who.Request(e.Method, path, "", "")
			request.Header.Set("Accept", "application/problem+json, */*")
			got := servertest.Send(t, request)
			switch isForSellers := slices.Contains(e.Access.Roles, access.Seller); {
			case got.Status != http.StatusUnauthorized && got.Status != http.StatusForbidden:
				admitted = append(admitted, name)
			case isForSellers && !strings.Contains(string(got.Body), `"code":"pin_session"`):
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		slices.Sort(admitted)
		want := slices.Sorted(slices.Values(byPIN))
		if diff := cmp.Diff(want, admitted); diff != "" {
			t.Errorf("what is admitted (-want +got):\n%s", diff)
		}
	})
}

// enterByPIN enrols a till, and logs its seller in with a PIN.
func enterByPIN(t *testing.T, base string) *client {
	t.Helper()
	seller := servertest.LogIn(t, base, "/api/seller/login_check", "seller@example.com", "open")
	page := func(method, path, body, cookie string) reply {
		request := seller.Request(method, path, "application/json", body)
		request.Header.Set("Sec-Fetch-Site", "same-origin")
		request.Header.Set("Cookie", cookie)
		got := servertest.Send(t, request)
		if got.Status >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, got.Status, got.Body)
		}
		return got
	}
	page("PUT", "/api/DEFAULT/seller/pin", `{"pin":"2580","currentPassword":"open"}`, "")
	enrolled := page("POST", "/api/DEFAULT/till", `{"name":"Front","currentPassword":"open"}`, "")
	cookie, _, _ := strings.Cut(enrolled.Header.Get("Set-Cookie"), ";")
	got := page("POST", "/api/DEFAULT/till/session", `{"seller":"`+seller.OwnID()+`","pin":"2580"}`, cookie)
	var answer struct{ Token string }
	if err := json.Unmarshal(got.Body, &answer); err != nil || answer.Token == "" {
		t.Fatalf("%s: %v", got.Body, err)
	}
	return &client{T: t, Base: base, Token: answer.Token}
}
