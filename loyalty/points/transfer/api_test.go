package transfer_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// post sends a form as an administrator and returns the status and body of the response.
func post(t *testing.T, url, form string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// A lot that became due since the last change is treated by its present state.
func TestDueTransfersAreRefused(t *testing.T) {
	forEach(t, func(t *testing.T, s *shop) {
		s.t = t
		base := s.serve()
		s.register()
		expires := s.grant(s.ida, "soon", 10, 1) // pending at first
		unlocks := s.grant(s.ole, "later", 10, 40)
		for _, c := range []struct {
			days   int
			id     string
			act    string
			status int
		}{
			{0, expires, "expire", 400}, // pending
			{0, unlocks, "expire", 400},
			{6, unlocks, "activate", 400}, // unlocked on its date
			{0, unlocks, "expire", 204},
			{0, unlocks, "expire", 400},
			{0, unlocks, "cancel", 400},
			{2, expires, "expire", 400}, // expired on its date
			{0, expires, "cancel", 400},
			{0, expires, "activate", 400},
			{0, db.NewID(), "cancel", 404},
			{0, "none", "cancel", 404},
		} {
			s.clock.Advance(time.Duration(c.days) * 24 * time.Hour)
			status, body := post(t, fmt.Sprintf("%s/api/SHOP/points/transfer/%s/%s", base, c.id, c.act), "")
			if status != c.status {
				t.Errorf("%s after %d days: %d %s, want %d", c.act, c.days, status, body, c.status)
			}
			if status, _ := post(t, fmt.Sprintf("%s/api/OTHER/points/transfer/%s/%s", base, c.id, c.act), ""); status != 404 {
				t.Errorf("%s in another store: %d", c.act, status)
			}
		}
	})
}

// register registers the customers of the accounts.
func (s *shop) register() {
	s.t.Helper()
	for _, id := range []string{s.ida, s.ole} {
		s.write(func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO customers (store_id, customer_id, status, email, phone, loyalty_card, phone_key,
				loyalty_card_key, first_name, last_name, gender, birth_date, agreement1, agreement2, agreement3, level_id,
				manual_level_id, pos_id, seller_id, transactions_count, transactions_amount,
				transactions_amount_without_delivery, amount_excluded_for_level, password_hash, password_temporary, created_at,
				updated_at, version, address, company, labels)
				VALUES ($1, $2, 'active', '', '', '', '', '', '', '', '', '', TRUE, TRUE, TRUE, '', '', '', '', 0, 0, 0, 0, '',
				FALSE, 0, 0, 1, '{}', '{}', '[]')`, s.store.Key, id)
			return err
		})
	}
}

// Points of inactive customers can be added and spent by hand, but not those of deleted or unknown customers.
func TestWhoseChangesAreAllowed(t *testing.T) {
	forEach(t, func(t *testing.T, s *shop) {
		s.t = t
		base := s.serve()
		s.register()
		s.store.Settings.AllTimeNotLocked = true
		s.grant(s.ida, "gift", 100, 0)
		for _, c := range []struct {
			status string
			want   int
		}{{customer.Active, 200}, {customer.New, 200}, {customer.Blocked, 200}, {customer.Deleted, 404}} {
			s.write(func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE customers SET status = $2 WHERE customer_id = $1`, s.ida, c.status)
				return err
			})
			for _, act := range []string{"add", "spend", "block"} {
				status, body := post(t, base+"/api/SHOP/points/transfer/"+act,
					"transfer[customer]="+strings.ToUpper(s.ida)+"&transfer[points]=1")
				if status != c.want {
					t.Errorf("%s of the %s: %d %s", act, c.status, status, body)
				}
			}
		}
		for _, id := range []string{db.NewID(), s.store.ID} {
			status, body := post(t, base+"/api/SHOP/points/transfer/add", "transfer[customer]="+id+"&transfer[points]=1")
			if status != 400 || !strings.Contains(body, `"customer":{"errors":["This value is not valid."]}`) {
				t.Errorf("an unknown customer: %d %s", status, body)
			}
		}
	})
}

func TestTransfersShowTheirPurchase(t *testing.T) {
	forEach(t, func(t *testing.T, s *shop) {
		s.t = t
		var till string
		s.write(func(tx *db.Tx) error {
			place, err := pos.Create(tx, s.store.Key, pos.Details{Name: "Harbour", Identifier: "T-1"})
			if err == nil {
				till = place.ID
			}
			return err
		})
		sale, unknown := db.NewID(), db.NewID()
		for _, id := range []string{sale, unknown} {
			s.change(s.ida, func(w *points.Wallet) (event.Entry, error) {
				_, entry := w.Add(points.Grant{Value: 100, TransactionID: id, CreatedAt: s.clock.Now()})
				return entry, nil
			})
		}
		var asked []string
		base := s.serve(feature.On(func(_ *db.Tx, _ *store.Store, q *transfer.ReceiptsOf) error {
			asked = q.IDs
			q.Receipts = map[string]transfer.Transaction{
				sale: {DocumentNumber: "D-1", POSID: till, View: map[string]int{"grossValue": 7}},
			}
			return nil
		}))
		response, err := http.Get(base + "/api/SHOP/points/transfer?perPage=2&customerId=" + s.ida)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		const shown = `"transactionDocumentNumber":"D-1","transaction":{"grossValue":7},"posIdentifier":"T-1",` +
			`"posName":"Harbour"}`
		if strings.Count(string(text), shown) != 1 || strings.Count(string(text), "DocumentNumber") != 1 {
			t.Errorf("%s does not show %s", text, shown)
		}
		if len(asked) != 2 {
			t.Errorf("asked for %v", asked)
		}
	})
}

// A seller without the permission, or a deleted one, cannot change points.
func TestSellersNeedTheRight(t *testing.T) {
	forEach(t, func(t *testing.T, s *shop) {
		rule := access.Only(access.Seller)
		for _, e := range transfer.Endpoints(nil, api.Guesses{}) {
			if !strings.Contains(e.Path, "/pos/points/") {
				continue
			}
			if fmt.Sprint(e.Access) != fmt.Sprint(rule) {
				t.Errorf("%s is for %v", e.Path, e.Access)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
				s.serve()+strings.Replace(e.Path, "{storeCode}", "SHOP", 1), nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Caller", "seller")
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != http.StatusForbidden {
				t.Errorf("%s answers %d", e.Path, response.StatusCode)
			}
		}
	})
}
