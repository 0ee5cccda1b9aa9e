package customerapi

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
	"punchcard/platform/web"
)

// shop is a shop whose endpoints are called.
type shop struct{ *customertest.Shop }

func newShop(t testing.TB, d *db.DB, code string) *shop {
	return &shop{customertest.NewShop(t, d, code)}
}

// serve starts the endpoints for an administrator with all permissions, and returns the base URL.
func (s *shop) serve(on ...feature.Reaction) string {
	s.Helper()
	feature.Connect(s.DB, on...)
	server := &api.Server{
		DB: s.DB, Stores: store.NewDirectory(s.DB), ResultWindow: 100,
		Authenticate: func(*web.Request) (*access.Caller, error) {
			return &access.Caller{Role: access.Administrator, Master: true}, nil
		},
	}
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(Endpoints(s.DB, Limits{}))),
		Log:    slog.New(slog.DiscardHandler), NewID: db.NewID, Clock: s.DB.Now,
	})
	if err != nil {
		s.Fatal(err)
	}
	running := httptest.NewServer(handler)
	s.Cleanup(running.Close)
	return running.URL
}

// ask sends a request with an optional JSON body, and returns the status and the body of the response.
func (s *shop) ask(base, method, path, body string) (status, answer string) {
	s.Helper()
	request, err := http.NewRequestWithContext(s.Context(), method, base+path, strings.NewReader(body))
	if err != nil {
		s.Error(err)
		return "", ""
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.Error(err)
		return "", ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.Error(err)
	}
	return fmt.Sprint(response.StatusCode), string(text)
}

// Reactions run for every registration and every change, with the state before and after.
func TestReactionsRun(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		var calls []string
		base := s.serve(
			feature.On(func(_ *db.Tx, _ *store.Store, e customer.Registered) error {
				for _, c := range e.Customers {
					calls = append(calls, "registered "+c.FirstName+" "+c.Status)
				}
				return nil
			}),
			feature.On(func(_ *db.Tx, _ *store.Store, e customer.Changed) error {
				before, after := e.Before, e.After
				calls = append(calls, fmt.Sprintf("%s %s %d %v > %s %s %d %v", before.FirstName, before.Status, before.Version,
					before.Labels, after.FirstName, after.Status, after.Version, after.Labels))
				return nil
			}),
		)
		status, body := s.ask(base, "POST", "/api/SHOP/admin/customer/register",
			`{"customer":{"firstName":"Ida","lastName":"Berg","email":"ida@example.com","agreement1":1}}`)
		if status != "200" {
			t.Fatal(status, body)
		}
		id := strings.Split(body, `"`)[3]
		for _, token := range []string{"any", ""} {
			want := map[string]string{"any": "400", "": "200"}[token]
			status, body := s.ask(base, "POST", "/api/SHOP/customer/self_register", `{"customer":{"firstName":"Ole",
				"lastName":"Vik","email":"ole@example.com","agreement1":1,"plainPassword":"Long-enough-1","invitationToken":"`+
				token+`"}}`)
			if status != want {
				t.Errorf("invited by %q: %s %s", token, status, body)
			}
		}
		of := "/api/SHOP/customer/" + id
		for _, c := range []struct{ method, path, body, status string }{
			{"PUT", of, `{"customer":{"firstName":"Nina"}}`, "200"},
			{"PUT", of, `{"customer":{"firstName":""}}`, "400"},
			{"PUT", of + "/label", `{"labels":[{"key":"a","value":"b"}]}`, "204"},
			{"PUT", of + "/label", `{"labels":[{"key":"a","value":"b"}]}`, "204"},
			{"DELETE", of + "/label", `{"labels":[{"key":"a"}]}`, "204"},
			{"POST", of + "/level?levelId=" + s.Gold, "", "200"},
			{"POST", of + "/remove-manually-level", "", "204"},
			{"POST", "/api/SHOP/admin/customer/" + id + "/deactivate", "", "200"},
			{"POST", "/api/SHOP/admin/customer/" + id + "/activate", "", "200"},
			{"DELETE", of, "", "204"},
			{"DELETE", of, "", "404"},
		} {
			if status, body := s.ask(base, c.method, c.path, c.body); status != c.status {
				t.Errorf("%s %s: %s %s", c.method, c.path, status, body)
			}
		}
		want := []string{
			"registered Ida active", "registered Ole new",
			"Ida active 1 [] > Nina active 2 []", "Nina active 2 [] > Nina active 3 [{a b}]",
			"Nina active 3 [{a b}] > Nina active 3 [{a b}]", "Nina active 3 [{a b}] > Nina active 4 []",
			"Nina active 4 [] > Nina active 5 []", "Nina active 5 [] > Nina active 6 []",
			"Nina active 6 [] > Nina blocked 7 []", "Nina blocked 7 [] > Nina active 8 []",
			"Nina active 8 [] > Nina deleted 9 []",
		}
		if diff := cmp.Diff(want, calls); diff != "" {
			t.Error(diff)
		}
	})
}

// An error of a reaction rolls the change back.
func TestAnErrorOfAReactionRollsBack(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		refusal := fault.New(fault.Refused, "test", "not today")
		base := s.serve(
			feature.On(func(*db.Tx, *store.Store, customer.Registered) error { return refusal }),
			feature.On(func(*db.Tx, *store.Store, customer.Changed) error { return refusal }),
		)
		id := s.Register(customertest.Ida()).ID
		before, events := *s.Find(id), len(s.Events(1))
		for _, c := range []struct{ method, path, body string }{
			{"POST", "/api/SHOP/admin/customer/register",
				`{"customer":{"firstName":"Ole","lastName":"Vik","email":"ole@example.com","agreement1":1}}`},
			{"PUT", "/api/SHOP/customer/" + id, `{"customer":{"firstName":"Nina"}}`},
			{"DELETE", "/api/SHOP/customer/" + id, ""},
		} {
			if status, body := s.ask(base, c.method, c.path, c.body); status != "400" || body != `{"error":"not today"}` {
				t.Errorf("%s %s: %s %s", c.method, c.path, status, body)
			}
		}
		if diff := cmp.Diff(&before, s.Find(id)); diff != "" || len(s.Events(1)) != events {
			t.Errorf("something happened: %s", diff)
		}
	})
}

// Details include what other features provide.
func TestDetailsShowSegmentsAndPurchases(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) {
		s := newShop(t, d, "SHOP")
		ida := s.Register(customer.Registration{Email: "ida@example.com"}).ID
		ole := s.Register(customer.Registration{Email: "ole@example.com"}).ID
		purchase := CampaignPurchase{
			PurchaseAt: "now", CampaignID: "c", Coupon: PurchasedCode{"id", "CODE"}, Status: "active",
		}
		var asked [][]string
		failing := errors.New("no")
		var failure error
		base := s.serve(
			feature.On(func(_ *db.Tx, _ *store.Store, q *SegmentsOf) error {
				asked = append(asked, q.CustomerIDs)
				q.Segments = map[string][]customer.Segment{ida: {{ID: "s", Name: "Oslo"}}}
				return failure
			}),
			feature.On(func(_ *db.Tx, _ *store.Store, q *CouponsOf) error {
				asked = append(asked, q.CustomerIDs)
				q.Coupons = map[string][]CampaignPurchase{ole: {purchase}}
				return nil
			}),
		)
		const shown = `"campaignPurchases":[{"canBeUsed":false,"purchaseAt":"now","costInPoints":0,"campaignId":"c",` +
			`"used":false,"coupon":{"id":"id","code":"CODE"},"status":"active","deliveryStatus":""}]`
		_, list := s.ask(base, "GET", "/api/SHOP/admin/customer", "")
		_, own := s.ask(base, "GET", "/api/SHOP/customer/"+ida, "")
		for _, c := range []struct {
			body, part string
			times      int
		}{
			{list, `"segments":[{"segmentId":"s","name":"Oslo"}]`, 1}, {list, `"segments":[]`, 1}, {list, shown, 1},
			{list, `"campaignPurchases":[]`, 1}, {own, `"segments":[{"segmentId":"s","name":"Oslo"}]`, 1},
			{own, `"campaignPurchases":[]`, 1},
		} {
			if strings.Count(c.body, c.part) != c.times {
				t.Errorf("%d times %s is not in %s", c.times, c.part, c.body)
			}
		}
		if diff := cmp.Diff([][]string{{ida, ole}, {ida, ole}, {ida}, {ida}}, asked); diff != "" {
			t.Error(diff)
		}
		summary := SummaryOf(s.Store, nil, &customer.Customer{}, []CampaignPurchase{purchase})
		short := []summaryPurchase{{PurchaseAt: "now", Campaign: campaignRef{"c"}, Coupon: couponCode{"CODE"}}}
		if diff := cmp.Diff(any(short), summary.CampaignPurchases); diff != "" {
			t.Error(diff)
		}
		failure = failing
		if status, _ := s.ask(base, "GET", "/api/SHOP/customer/"+ida, ""); status != "500" {
			t.Errorf("a failure of a reaction: %s", status)
		}
		if !slices.Contains([]string{customer.New, customer.Active}, s.Find(ida).Status) {
			t.Error("the customer was changed")
		}
	})
}
