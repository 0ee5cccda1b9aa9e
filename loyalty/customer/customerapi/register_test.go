package customerapi

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/idempotency"
)

// People register many times at once, with and without keys, on two nodes of PostgreSQL: each becomes one customer, and
// a repeated key gets the response of the first call. The counter of the level is exact.
func TestRegistrationsAtOnce(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			config := dbtest.Config(t, engine)
			first := dbtest.Open(t, config, time.Now)
			nodes := []*db.DB{first}
			if engine == "postgres" {
				nodes = append(nodes, dbtest.Open(t, config, time.Now))
			}
			s := newShop(t, first, "SHOP")
			var desks []*api.Batched[joining, *customer.Customer]
			for _, d := range nodes {
				desks = append(desks, newRegistrations(d))
			}
			const people, calls = 12, 120
			var mutex sync.Mutex
			responses, made := map[string]map[string]bool{}, map[int]int{} // bodies by key, registrations by person
			var all sync.WaitGroup
			for i := range calls {
				person, name := i%people, ""
				var key *idempotency.Request
				if i/people%3 > 0 {
					name = fmt.Sprint("key ", person)
					key = idempotency.NewRequest(s.Store.Key, name, nil, "x")
				}
				all.Go(func() {
					in := joining{Registration: customer.Registration{
						Email: fmt.Sprintf("p%d@example.com", person), FirstName: "Ida", LastName: "Berg", Active: true,
					}}
					c, err := desks[i%len(desks)].DoKeyed(t.Context(), s.Store, key, in)
					mutex.Lock()
					defer mutex.Unlock()
					replay, isReplay := errors.AsType[*idempotency.Replay](err)
					taken, isTaken := errors.AsType[*takenFields](err)
					switch {
					case err == nil:
						made[person]++
						if name != "" {
							remember(responses, name, fmt.Sprintf(`{"customerId":"%s","email":"%s"}`, c.ID, c.Email))
						}
					case isReplay:
						remember(responses, name, replay.Body)
					case isTaken && *taken.Taken == (customer.Taken{Email: true}), errors.Is(err, idempotency.ErrInFlight):
					default:
						t.Errorf("person %d: %v", person, err)
					}
				})
			}
			all.Wait()
			for name, bodies := range responses {
				if len(bodies) != 1 {
					t.Errorf("%s has the responses %v", name, bodies)
				}
			}
			for person := range people {
				if made[person] != 1 {
					t.Errorf("person %d was registered %d times", person, made[person])
				}
			}
			if n := s.Members()[0]; n != people {
				t.Errorf("the level counts %d customers", n)
			}
		})
	}
}

func remember(responses map[string]map[string]bool, key, body string) {
	if responses[key] == nil {
		responses[key] = map[string]bool{}
	}
	responses[key][body] = true
}
