package transfer

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customertest"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/form"
	"punchcard/platform/idempotency"
)

// Customers give points to each other and lose some by hand, all at once, on two nodes of PostgreSQL. Some calls are
// sent again under their key. No point is spent twice, and none is lost.
func TestTransfersAtOnce(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			config := dbtest.Config(t, engine)
			nodes := []*db.DB{dbtest.Open(t, config, time.Now)}
			if engine == "postgres" {
				nodes = append(nodes, dbtest.Open(t, config, time.Now))
			}
			s := customertest.NewShop(t, nodes[0], "SHOP")
			const people, each, calls = 6, 20, 240
			var ids []string
			for i := range people {
				ids = append(ids, s.Register(customer.Registration{
					Email: fmt.Sprintf("p%d@example.com", i), Active: true,
				}).ID)
			}
			var desks []*api.Batched[move, *points.Transfer]
			for _, d := range nodes {
				desks = append(desks, newMoves(d))
			}
			for _, id := range ids {
				add := func(of *points.Wallet, now time.Time) (*points.Transfer, event.Entry, error) {
					t, entry := of.Add(points.Grant{Value: decimal.Whole(each), Issuer: points.ByAdmin, CreatedAt: now})
					return t, entry, nil
				}
				if _, err := desks[0].Do(t.Context(), s.Store, move{customer: id, decide: add}); err != nil {
					t.Fatal(err)
				}
			}
			wanted, keys := randomMoves(ids, calls/2)
			var mutex sync.Mutex
			made, taken := map[string]string{}, int64(0) // transfers by key
			rand.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			var all sync.WaitGroup
			for i, key := range keys {
				all.Go(func() {
					request := idempotency.NewRequest(s.Store.Key, key, nil, "x")
					of, err := desks[i%len(desks)].DoKeyed(t.Context(), s.Store, request, wanted[key])
					mutex.Lock()
					defer mutex.Unlock()
					_, isReplay := errors.AsType[*idempotency.Replay](err)
					_, isRefused := errors.AsType[api.FieldError](err)
					switch {
					case err == nil && made[key] != "":
						t.Errorf("%s made the transfers %s and %s", key, made[key], of.ID)
					case err == nil:
						made[key] = of.ID
						if wanted[key].decide != nil {
							taken += int64(of.Value)
						}
					case !isReplay && !isRefused && !errors.Is(err, idempotency.ErrInFlight):
						t.Errorf("%s: %v", key, err)
					}
				})
			}
			all.Wait()
			left := pointsLeft(s, ids)
			if want := int64(decimal.Whole(people*each)) - taken; left != want || len(made) == 0 {
				t.Errorf("%d are left, want %d after %d transfers", left, want, len(made))
			}
		})
	}
}

// randomMoves returns transfers by key, and each key twice.
func randomMoves(ids []string, n int) (wanted map[string]move, keys []string) {
	wanted = map[string]move{}
	for i := range n {
		key := fmt.Sprint("key ", i)
		keys = append(keys, key, key)
		from, value := rand.IntN(len(ids)), decimal.Whole(rand.Int64N(9)+1)
		if i%4 == 0 {
			wanted[key] = move{customer: ids[from], decide: func(of *points.Wallet, _ time.Time) (
				*points.Transfer, event.Entry, error) {
				return of.Spend(value, "", points.ByAdmin)
			}}
		} else {
			wanted[key] = move{sender: fmt.Sprintf("P%d@example.com", from), receiver: ids[(from+1+i%3)%len(ids)],
				gift: points.Gift{Value: value, Issuer: points.ByAdmin}}
		}
	}
	return wanted, keys
}

// pointsLeft returns the points of all customers together, in hundredths. Nobody has less than none.
func pointsLeft(s *customertest.Shop, ids []string) (left int64) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		for _, id := range ids {
			account, err := points.Balance(tx, s.Store, id)
			if err != nil {
				return err
			}
			if account.Points < 0 {
				s.Errorf("%s has %v points", id, account.Points)
			}
			left += int64(account.Points)
		}
		return nil
	})
	return left
}

// Calls of one batch follow each other, and each is refused for its own reasons.
func TestTransfersOfABatch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := customertest.NewShop(t, d, "SHOP")
		ida, ole := s.Register(customertest.Ida()), s.Register(customer.Registration{Email: "ole@example.com", Active: true})
		give := func(sender, receiver string, value int64) move {
			return move{sender: sender, receiver: receiver, gift: points.Gift{Value: decimal.Whole(value),
				Issuer: points.ByAdmin}}
		}
		add := move{customer: ida.ID, decide: func(of *points.Wallet, now time.Time) (*points.Transfer, event.Entry, error) {
			made, entry := of.Add(points.Grant{Value: decimal.Whole(5), Issuer: points.ByAdmin, CreatedAt: now})
			return made, entry, nil
		}}
		var got []*asked
		s.Write(func(tx *db.Tx) (err error) {
			got, err = newMoves(nil).Try(tx, s.Store, nil, give(ida.ID, ole.ID, 3), add,
				give("ida@example.com", "OLE@example.com", 3), give(ida.ID, ole.ID, 3), give(ole.ID, "+48 123", 2),
				give(ida.ID, ole.ID, 3), give("nobody@example.com", "nobody@example.com", 1), give(ida.ID, "48123", 1))
			return err
		})
		want := []string{"points", "", "", "points", "", "", "sender receiver", "receiver"}
		for i, a := range got {
			fields := ""
			if refused, is := errors.AsType[api.FieldError](a.Err); is {
				g := form.Read(nil)
				refused.AddTo(g)
				for _, name := range []string{"sender", "receiver", "points"} {
					if g.Failed(name) {
						fields += " " + name
					}
				}
			} else if a.Err != nil {
				fields = " " + a.Err.Error()
			}
			if fields != "" {
				fields = fields[1:]
			}
			if fields != want[i] {
				t.Errorf("call %d is refused by %q, want %q", i, fields, want[i])
			}
		}
	})
}
