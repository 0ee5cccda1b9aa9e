package checkout

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// Many customers who reserve the last coupons at once, on two servers of PostgreSQL, get as many as there are, and one
// customer never more than the limit, the points and the open reservations allow.
func TestReservingAtOnce(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		m := openMarket(t, engine)
		m.restock(6)
		var all sync.WaitGroup
		var mutex sync.Mutex
		sum, byCustomer := 0, map[string]int{}
		for i := range 24 {
			on, customerID := m.servers[i%len(m.servers)], m.customers[i/4]
			all.Go(func() {
				made, err := m.keep(on, customerID, m.limited)
				mutex.Lock()
				defer mutex.Unlock()
				if err != nil {
					t.Error(err)
					return
				}
				sum += len(made.Basket.Rewards)
				byCustomer[customerID] += len(made.Basket.Rewards)
			})
		}
		all.Wait()
		if sum != limit {
			t.Errorf("%d coupons are kept, want %d", sum, limit)
		}
		for id, n := range byCustomer {
			if a := m.Account(id); n > perUser || a.Blocked != decimal.Whole(int64(n)*limitedCost) {
				t.Errorf("%d coupons are kept for a customer, and %v points", n, a.Blocked)
			}
		}
	})
}

// keep reserves a basket with a reward.
func (m *market) keep(on *server, customerID, reward string) (made *reservation, err error) {
	in := request{store: m.Store, customer: customerID, role: access.Administrator, rewards: []string{reward},
		lasting: time.Minute, items: []transaction.Item{{Quantity: oneUnit, GrossValue: decimal.Whole(20).Money()}}}
	err = on.write(m, func(tx *db.Tx) (err error) {
		made, _, err = on.svc.reserve(tx, in, "caller "+db.NewID())
		if err == nil {
			made.Checkout = "{}"
			err = made.insert(tx)
		}
		return err
	})
	return made, err
}

func (on *server) write(m *market, run func(tx *db.Tx) error) error {
	return on.db.Write(background, func(tx *db.Tx) error { return run(m.Store.Tx(tx)) })
}

// Of many confirmations and cancellations of a reservation at once, with different receipts, one has an effect.
func TestConfirmingAtOnce(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		m := openMarket(t, engine)
		m.restock(1)
		made, err := m.keep(m.servers[0], m.customers[0], m.limited)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		var mutex sync.Mutex
		done := []string{}
		for i := range 12 {
			on := m.servers[i%len(m.servers)]
			all.Go(func() {
				what, err := Confirmed, error(nil)
				if i%3 == 0 {
					what = Cancelled
					err = on.write(m, func(tx *db.Tx) error {
						_, err := on.cancelOpen(tx, m.Store, made.ID)
						return err
					})
				} else {
					_, err = on.svc.confirmations.Do(t.Context(), m.Store, m.confirmation(made.ID, fmt.Sprint("R-", i)))
				}
				mutex.Lock()
				defer mutex.Unlock()
				if refusal, is := errors.AsType[*fault.Error](err); err == nil {
					done = append(done, what)
				} else if !is || refusal.Kind != fault.Conflict {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if len(done) != 1 {
			t.Fatalf("%d had an effect: %v", len(done), done)
		}
		want := int64(0)
		if done[0] == Confirmed {
			want = 1
		}
		if n := m.Bought(m.customers[0], m.limited); n != want {
			t.Errorf("%s, and %d coupons bought", done[0], n)
		}
		if a := m.Account(m.customers[0]); a.Blocked != 0 {
			t.Errorf("%v points are still kept", a.Blocked)
		}
	})
}

// Confirmations at once share transactions. Each has its own result: a repeated one that of the first, and of two with
// the same document number, one is refused.
func TestConfirmingTogether(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		m := openMarket(t, engine)
		m.restock(limit)
		var ids []string
		for _, customerID := range m.customers[:limit] {
			made, err := m.keep(m.servers[0], customerID, m.limited)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, made.ID)
		}
		var all sync.WaitGroup
		var mutex sync.Mutex
		receipts, refused := map[string]string{}, 0
		for i := range 3 * len(ids) {
			on, id := m.servers[i%len(m.servers)], ids[i%len(ids)]
			number := "R-" + id
			if id == ids[1] {
				number = "R-" + ids[0] // the first of them to arrive gets it
			}
			all.Go(func() {
				done, err := on.svc.confirmations.Do(t.Context(), m.Store, m.confirmation(id, number))
				mutex.Lock()
				defer mutex.Unlock()
				if _, is := errors.AsType[*transaction.Refused](err); is && id == ids[0] || is && id == ids[1] {
					refused++
				} else if err != nil {
					t.Error(err)
				} else if known := receipts[id]; known != "" && known != done.TransactionID {
					t.Errorf("%s has the receipts %s and %s", id, known, done.TransactionID)
				} else {
					receipts[id] = done.TransactionID
				}
			})
		}
		all.Wait()
		if len(receipts) != limit-1 || refused != 3 {
			t.Errorf("%d receipts, %d refused", len(receipts), refused)
		}
		sold := int64(0)
		for _, customerID := range m.customers[:limit] {
			sold += m.Bought(customerID, m.limited)
		}
		if sold != limit-1 {
			t.Errorf("%d coupons bought", sold)
		}
	})
}

// Reservations that end while they are confirmed, and whose coupons others reserve meanwhile, are confirmed or refused.
// Never more coupons are sold than there are.
func TestConfirmingAsItEnds(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		m := openMarket(t, engine)
		for range 5 {
			m.restock(2 * limit)
			var mutex sync.Mutex
			confirmed := map[string]int64{} // by customer
			confirm := func(on *server, r *reservation) {
				_, err := on.svc.confirmations.Do(t.Context(), m.Store, m.confirmation(r.ID, "R-"+r.ID))
				mutex.Lock()
				defer mutex.Unlock()
				if refusal, is := errors.AsType[*fault.Error](err); err == nil {
					confirmed[r.CustomerID] += int64(len(r.Basket.Rewards))
				} else if !is || refusal.Kind != fault.Conflict {
					t.Error(err)
				}
			}
			var first []*reservation
			for _, customerID := range m.customers[:limit] {
				made, err := m.keep(m.servers[0], customerID, m.limited)
				if err != nil {
					t.Fatal(err)
				}
				first = append(first, made)
			}
			var all sync.WaitGroup
			all.Go(func() { m.clock.Advance(time.Minute) })
			for i := range limit {
				on := m.servers[i%len(m.servers)]
				all.Go(func() { confirm(on, first[i]) })
				all.Go(func() {
					made, err := m.keep(on, m.customers[limit+i], m.limited)
					if err != nil {
						t.Error(err)
						return
					}
					confirm(on, made)
				})
			}
			all.Wait()
			sold := int64(0)
			for _, customerID := range m.customers {
				n := m.Bought(customerID, m.limited)
				if sold += n; n != confirmed[customerID] {
					t.Errorf("%d coupons bought, but %d confirmed", n, confirmed[customerID])
				}
			}
			if sold > limit {
				t.Errorf("%d coupons sold of %d", sold, limit)
			}
		}
	})
}

// cancelOpen cancels a reservation, as its endpoint does.
func (on *server) cancelOpen(tx *db.Tx, s *store.Store, id string) (*reservation, error) {
	found, err := findReservation(tx, s.Key, id, ` FOR UPDATE`)
	if err != nil {
		return nil, err
	}
	if found.stateAt(tx.Now()) != Reserved {
		return nil, found.ended()
	}
	return found, on.svc.cancel(tx, s, found)
}

func (m *market) confirmation(id, number string) confirmation {
	return confirmation{
		reservationID: id, receipt: transaction.Transaction{DocumentNumber: number}, locale: "en",
	}
}
