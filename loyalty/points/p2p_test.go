package points_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/api"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// given is a gift that was carried out.
type given struct {
	Spend            *points.Transfer
	Sender, Receiver points.Account
}

func give(d *db.DB, from, to points.Owner, value points.Amount) (made given, err error) {
	err = d.Write(background, func(tx *db.Tx) error {
		wallets, err := points.Lock(tx, from, to)
		if err != nil {
			return err
		}
		sender, receiver := wallets.Of(from), wallets.Of(to)
		spend, entries, err := sender.GiveTo(receiver, points.Gift{Value: value, Comment: "gift", Issuer: points.BySystem})
		if err != nil {
			return err
		}
		if err := wallets.Save(); err != nil {
			return err
		}
		made = given{spend, sender.Account, receiver.Account}
		return event.Append(tx, from.Store.Key, entries...)
	})
	return made, err
}

// lots describes a customer's open lots: rest, type and date of expiry.
func lots(t testing.TB, d *db.DB, o points.Owner) string {
	t.Helper()
	var all []string
	err := d.Read(background, func(tx *db.Tx) error {
		transfers, err := points.Every(tx, o.Store.Key, o.CustomerID)
		for _, l := range transfers {
			if l.Open {
				all = append(all, fmt.Sprint(l.Available, " ", l.Type, " ", l.ExpiresAt.In(o.Store.Zone).Format("01-02")))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, ", ")
}

func TestGiftKeepsTheExpiryOfEveryLot(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock() // 3 March
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			ida := owner(t, d, 0)
			ole := sibling(t, d, ida)
			for _, l := range []struct {
				value points.Amount
				days  int
			}{{500, 20}, {300, 10}} {
				if _, err := grant(d, ida, l.value, l.days); err != nil {
					t.Fatal(err)
				}
			}
			given, err := give(d, ida, ole, 400)
			if err != nil {
				t.Fatal(err)
			}
			if given.Spend.Type != points.P2PSpending || given.Spend.OtherCustomerID != ole.CustomerID ||
				given.Sender.Points != 400 || given.Receiver.Points != 400 || given.Receiver.P2P != 400 {
				t.Errorf("given %+v", given)
			}
			for _, c := range []struct {
				of   points.Owner
				want string
			}{{ida, "4 adding 03-23"}, {ole, "3 p2p_adding 03-13, 1 p2p_adding 03-23"}} {
				if got := lots(t, d, c.of); got != c.want {
					t.Errorf("lots %q, want %q", got, c.want)
				}
			}
			a, b := balance(t, d, ida), balance(t, d, ole)
			if a.Used != 400 || a.Earned != 800 || b.Used != 0 || b.Earned != 0 {
				t.Errorf("ida %+v, ole %+v", a, b)
			}
			if _, err := give(d, ole, ida, 350); err != nil { // points from a customer can be given on
				t.Fatal(err)
			}
			a, b = balance(t, d, ida), balance(t, d, ole)
			if a.Points != 750 || a.P2P != 350 || b.Points != 50 || b.P2P != 50 || b.Used != 350 {
				t.Errorf("ida %+v, ole %+v", a, b)
			}
			c.Advance(11 * 24 * time.Hour) // 14 March: the lot of 300 has expired for both
			a, b = balance(t, d, ida), balance(t, d, ole)
			if a.Points != 450 || a.P2P != 50 || a.Expired != 300 || b.Points != 50 {
				t.Errorf("ida %+v, ole %+v", a, b)
			}
		})
	}
}

func TestRefusedGiftsChangeNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ida := owner(t, d, 0)
		ole, elsewhere := sibling(t, d, ida), owner(t, d, 0)
		if _, err := grant(d, ida, 500, 0); err != nil {
			t.Fatal(err)
		}
		before := len(eventTypes(t, d))
		for _, c := range []struct {
			name     string
			from, to points.Owner
			value    points.Amount
			want     error
		}{
			{"more than there is", ida, ole, 501, points.ErrNotEnough},
			{"from nothing", ole, ida, 1, points.ErrNotEnough},
			{"nothing", ida, ole, 0, points.ErrNotEnough},
			{"less than nothing", ida, ole, -100, points.ErrNotEnough},
			{"to the sender", ida, ida, 100, fault.ErrNotFound},
			{"to nobody", ida, points.Owner{Store: ida.Store, CustomerID: db.NewID()}, 100, fault.ErrNotFound},
			{"to another store", ida, points.Owner{Store: ida.Store, CustomerID: elsewhere.CustomerID}, 100, fault.ErrNotFound},
		} {
			if _, err := give(d, c.from, c.to, c.value); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", c.name, err, c.want)
			}
		}
		if a := balance(t, d, ida); a.Points != 500 || len(eventTypes(t, d)) != before {
			t.Errorf("left are %v points and %d events", a.Points, len(eventTypes(t, d))-before)
		}
	})
}

func TestEventsOfAGift(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ida := owner(t, d, 0)
		ole := sibling(t, d, ida)
		for _, days := range []int{5, 9} {
			if _, err := grant(d, ida, 500, days); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := give(d, ida, ole, 600); err != nil {
			t.Fatal(err)
		}
		const want = "[PointsWereAdded PointsWereAdded PointsWereTransferred PointsWereAdded PointsWereAdded]"
		if got := fmt.Sprint(eventTypes(t, d)); got != want {
			t.Errorf("events %s, want %s", got, want)
		}
		all, _, err := event.List(background, d, 3, 3, false)
		if err != nil {
			t.Fatal(err)
		}
		from, to := balance(t, d, ida).ID, balance(t, d, ole).ID
		if all[0].AggregateID != from || all[1].AggregateID != to || all[2].AggregateID != to ||
			!strings.Contains(string(all[0].Payload), `"receiverId":{"accountId":"`+to+`"}`) {
			t.Errorf("events of %s, %s, %s: %s", all[0].AggregateID, all[1].AggregateID, all[2].AggregateID, all[0].Payload)
		}
	})
}

// Any gifts among three customers, over any time, leave accounts that agree with their lots, and conserve the points.
func TestAnyGiftsKeepTheSums(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock()
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			rapid.Check(t, func(r *rapid.T) {
				first := owner(t, d, 0)
				all := []points.Owner{first, sibling(t, d, first), sibling(t, d, first)}
				pick := func(name string) points.Owner { return all[rapid.IntRange(0, 2).Draw(r, name)] }
				granted, spent := points.Amount(0), points.Amount(0)
				for range rapid.IntRange(1, 20).Draw(r, "steps") {
					value := points.Amount(rapid.Int64Range(1, 900).Draw(r, "value"))
					var err error
					switch rapid.IntRange(0, 5).Draw(r, "action") {
					case 0, 1:
						if _, err = grant(d, pick("to"), value, rapid.IntRange(1, 30).Draw(r, "days")); err == nil {
							granted += value
						}
					case 2:
						if _, err = spend(d, pick("from"), value); err == nil {
							spent += value
						}
					case 3:
						c.Advance(time.Duration(rapid.IntRange(1, 24*8).Draw(r, "hours")) * time.Hour)
					default:
						_, err = give(d, pick("from"), pick("to"), value)
					}
					if err != nil && !errors.Is(err, points.ErrNotEnough) && !errors.Is(err, fault.ErrNotFound) {
						r.Fatal(err)
					}
				}
				expectSums(t, d, all, granted, spent)
			})
		})
	}
}

func expectSums(t *testing.T, d *db.DB, all []points.Owner, granted, spent points.Amount) {
	t.Helper()
	var left, p2p, expired points.Amount
	for _, o := range all {
		settle(t, d, o)
		a := balance(t, d, o)
		var open, received points.Amount
		err := d.Read(background, func(tx *db.Tx) error {
			transfers, err := points.Every(tx, o.Store.Key, o.CustomerID)
			for _, l := range transfers {
				if l.Open {
					open += l.Available
					if l.Type == points.P2PAdding {
						received += l.Available
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if a.Points != open || a.P2P != received || a.Points < 0 {
			t.Fatalf("the account has %v, %v of customers; the lots %v, %v", a.Points, a.P2P, open, received)
		}
		left, p2p, expired = left+a.Points, p2p+a.P2P, expired+a.Expired
	}
	if granted != left+spent+expired || p2p > left {
		t.Fatalf("granted %v: left %v, spent %v, expired %v", granted, left, spent, expired)
	}
}

// Two customers who give to each other at the same time do not deadlock, and the sum of their points stays the same.
func TestOppositeGiftsAtOnce(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ida := owner(t, d, 0)
		pair := []points.Owner{ida, sibling(t, d, ida)}
		for _, o := range pair {
			for range 3 {
				if _, err := grant(d, o, 1000, 0); err != nil {
					t.Fatal(err)
				}
			}
		}
		var running sync.WaitGroup
		start := make(chan struct{})
		errs := make(chan error, 80)
		for i := range 80 {
			running.Go(func() {
				<-start
				_, err := give(d, pair[i%2], pair[1-i%2], 100)
				errs <- err
			})
		}
		close(start)
		running.Wait()
		close(errs)
		for err := range errs {
			if err != nil && !errors.Is(err, points.ErrNotEnough) {
				t.Error(err)
			}
		}
		expectSums(t, d, pair, 6000, 0)
	})
}

func TestPresentStateOfTheList(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock()
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			o := owner(t, d, 7)
			if _, err := grant(d, o, 500, 10); err != nil {
				t.Fatal(err)
			}
			for _, step := range []struct {
				days  int
				state string
			}{{0, points.Pending}, {7, points.Active}, {10, points.Active}, {1, points.Expired}} {
				c.Advance(time.Duration(step.days) * 24 * time.Hour)
				for _, state := range []string{points.Pending, points.Active, points.Expired, points.Canceled} {
					err := d.Read(background, func(tx *db.Tx) error {
						found, total, err := points.List(tx, o.Store.Key, points.Filter{States: []string{state}}, api.Page{Limit: 9})
						is := state == step.state
						if (total == 1) != is || is && found[0].StateAt(tx.Now()) != state {
							t.Errorf("on %s: %d are %s", tx.Now(), total, state)
						}
						return err
					})
					if err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}
