package campaign

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// offered returns the ids of the offers to the customers of the level, by a catalogue.
func (s *shop) offered(k *Catalogue, d *db.DB) (ids []string) {
	s.Helper()
	err := d.Read(background, func(tx *db.Tx) error {
		found, err := offersOf(tx, k, s.Store, Offer{Targets: []string{levelID}}, api.Page{}, api.Locale{})
		for _, o := range found {
			ids = append(ids, o.id)
		}
		return err
	})
	if err != nil {
		s.Error(err)
	}
	return ids
}

// A cached list shows every change and purchase of any node at once, and windows that begin or end within a second.
func TestCachedOffersAreCurrent(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock(now)
			config := dbtest.Config(t, engine)
			d, other := dbtest.Open(t, config, clock.Now), dbtest.Open(t, config, clock.Now)
			s, k := newShop(t, d, "SHOP"), &Catalogue{Types: RewardTypes}
			expect := func(what string, want ...string) {
				t.Helper()
				for range 2 { // read and cached
					if got := s.offered(k, d); !slices.Equal(got, want) {
						t.Errorf("%s: %q is offered, want %q", what, got, want)
					}
				}
			}
			expect("at first")
			plain, limited := s.add(nil, "A"), s.add(limited(1, 1), "B", "C")
			window := s.add(func(d *Draft) { d.Visibility = Window{From: now, To: now.Add(time.Second)} }, "D")
			expect("with campaigns", plain, limited, window)
			s.sell(limited, 1)
			expect("when one is sold out", plain, window)
			if err := other.Write(background, func(tx *db.Tx) error {
				return (&Catalogue{Types: RewardTypes}).SetActive(tx, s.Store, plain, false)
			}); err != nil {
				t.Fatal(err)
			}
			expect("when another node deactivated one", window)
			clock.Advance(2 * time.Second)
			expect("after the window")
		})
	}
}

// No list is older than what was committed when it was read.
func TestCachedOffersAreNeverOlder(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, clock, func(t *testing.T, d *db.DB) {
		const campaigns, readers = 60, 4
		s, k := newShop(t, d, "SHOP"), &Catalogue{Types: RewardTypes}
		var committed atomic.Int64
		var all sync.WaitGroup
		all.Go(func() {
			for range campaigns {
				s.add(nil, "A")
				committed.Add(1)
			}
		})
		for range readers {
			all.Go(func() {
				for least := int64(0); least < campaigns && !t.Failed(); {
					least = committed.Load()
					if got := len(s.offered(k, d)); int64(got) < least {
						t.Errorf("%d are offered after %d were created", got, least)
					}
				}
			})
		}
		all.Wait()
	})
}

func TestCacheIsBounded(t *testing.T) {
	var c cache
	const entry = 1 << 16
	for i := range 3 * CacheBytes / entry {
		c.put(audienceKey(string(rune(i))), i, entry)
		c.put(offersKey("again"), i, entry)
		if got := cached[int](&c, offersKey("again")); got != i {
			t.Fatalf("%d is found, want %d", got, i)
		}
		sum := 0
		for _, e := range c.byKey {
			sum += e.bytes
		}
		if sum != c.bytes || sum > CacheBytes {
			t.Fatalf("%d bytes are counted as %d", sum, c.bytes)
		}
	}
	if c.bytes < CacheBytes/4 {
		t.Errorf("only %d bytes are kept", c.bytes)
	}
	c.put(offersKey("again"), 1, CacheBytes)
	if cached[int](&c, offersKey("again")) != 0 {
		t.Error("a value that is too large is kept")
	}
}
