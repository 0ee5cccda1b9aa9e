package journey

import (
	"testing"
	"time"

	"punchcard/loyalty/mailing"
	"punchcard/loyalty/message"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// outcome counts and returns the outcome of a journey.
func (s *shop) outcome(id string) mailing.Numbers {
	s.Helper()
	if _, err := CountOutcomes(s.Context(), s.DB, s.Store); err != nil {
		s.Fatal(err)
	}
	var o mailing.Outcome
	s.Read(func(tx *db.Tx) (err error) {
		o, err = mailing.OutcomeOf(tx, s.Store.Key, id)
		return err
	})
	return o.Numbers
}

// Sales within the days after a message count once for its journey, also those of customers who got two messages, and
// stay counted when the days are over.
func TestOutcome(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		ida := s.member()
		id := s.start("purchase", func(j *Journey) { j.Content.OutcomeDays = 3 })
		expect := func(sales, whole int64) {
			t.Helper()
			want := mailing.Numbers{Sales: sales, Amount: decimal.Whole(whole).Money()}
			if got := s.outcome(id); got != want {
				t.Errorf("%s: %+v, want %+v", s.clock.Now(), got, want)
			}
		}
		s.buys(ida, 10)
		s.pass(time.Hour) // the first message
		expect(0, 0)
		s.clock.Advance(time.Hour)
		s.buys(ida, 20)
		s.pass(time.Hour) // the second one
		expect(1, 20)
		s.clock.Advance(2 * day)
		s.edit(id, func(_ *db.Tx, j *Journey) { j.Active = false })
		s.buys(ida, 30)
		expect(2, 50)
		s.clock.Advance(10 * day)
		s.buys(ida, 40)
		expect(2, 50)
		expect(2, 50)
	})
}

// Messages are added to the results once they do not wait any more.
func TestResults(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		id := s.start("welcome", nil)
		s.member()
		s.run()
		settle := func(want int64) {
			t.Helper()
			s.clock.Advance(time.Hour)
			if n, err := s.svc.Settle(t.Context(), s.DB, s.Store); n != want || err != nil {
				t.Errorf("%d entries, %v; want %d", n, err, want)
			}
		}
		settle(1) // it waits
		s.Write(func(tx *db.Tx) error { return finishMessages(tx) })
		settle(1)
		settle(0)
		s.Read(func(tx *db.Tx) error {
			j, err := findJourney(tx, s.Store.Key, id)
			if j.Results["email"][message.Sent] != 1 {
				t.Errorf("%v", j.Results)
			}
			return err
		})
	})
}

// finishMessages is as if all messages were sent.
func finishMessages(tx *db.Tx) error {
	_, err := tx.Exec(`UPDATE messages SET state = 'sent', due_at = NULL, finished_at = created_at, details = 'null'`)
	return err
}
