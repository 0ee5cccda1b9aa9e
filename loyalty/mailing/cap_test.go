package mailing

import (
	"testing"
	"time"

	"punchcard/core/store"
)

// A customer gets as many mailings in some days as the store allows. Further ones are left out, counted and not made up
// for.
func TestFrequencyCap(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		s.Configure(func(settings *store.Settings) {
			settings.MarketingMessagesMost, settings.MarketingMessagesDays = 2, 7
		})
		s.agreeing(3)
		expect := func(recipients, capped int64) {
			t.Helper()
			id := s.write(Running, nil)
			s.send(3)
			if m, _ := s.state(id); m.Recipients != recipients || m.Capped != capped {
				t.Errorf("%d recipients, %d left out; want %d, %d", m.Recipients, m.Capped, recipients, capped)
			}
		}
		expect(3, 0)
		s.clock.Advance(24 * time.Hour)
		expect(3, 0)
		expect(0, 3)
		s.clock.Advance(6*24*time.Hour + time.Hour) // the first one is longer ago than a week
		expect(3, 0)
		expect(0, 3)
	})
}
