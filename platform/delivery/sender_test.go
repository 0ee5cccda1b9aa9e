package delivery_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/delivery"
	"punchcard/platform/outbound"
)

func TestMain(m *testing.M) { dbtest.MainOnBoth(m) }

// letter is a delivery of the tests.
type letter struct {
	StoreKey   int64
	ReceiverID string
	ID         string
	Text       string
	delivery.Progress
}

var letters = &delivery.Table[letter]{
	Table: db.NewTable("letters", "store_id, receiver_id, letter_id", func(l *letter) db.Row {
		return l.Row("store_id", &l.StoreKey, "receiver_id", &l.ReceiverID, "letter_id", &l.ID, "body", &l.Text)
	}),
	Progress: func(l *letter) *delivery.Progress { return &l.Progress },
	Pending:  "pending", Accepted: "accepted", Failed: "failed",
}

const schema = `CREATE TABLE letters (store_id BIGINT NOT NULL, receiver_id TEXT NOT NULL, letter_id TEXT NOT NULL,
	body TEXT NOT NULL, state TEXT NOT NULL, attempts BIGINT NOT NULL, created_at BIGINT NOT NULL, due_at BIGINT,
	attempted_at BIGINT, status BIGINT NOT NULL, error TEXT NOT NULL, finished_at BIGINT,
	PRIMARY KEY (store_id, receiver_id, letter_id))`

// office is a database with letters, and the addresses that they go to.
type office struct {
	*testing.T
	config    db.Config
	db        *db.DB
	clock     *dbtest.Clock
	receivers []delivery.Receiver

	mutex  sync.Mutex
	answer func(ctx context.Context, l *letter) (outbound.Outcome, error) // accepts everything when nil
	got    []string                                                       // ids of the letters that were sent
}

// each runs the test on every database, with letters from three receivers of two stores.
func each(t *testing.T, run func(o *office)) {
	t.Helper()
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		o := &office{
			T: t, config: dbtest.Config(t, engine), clock: dbtest.NewClock(time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)),
			receivers: []delivery.Receiver{{StoreKey: 1, ID: "a"}, {StoreKey: 1, ID: "b"}, {StoreKey: 2, ID: "c"}},
		}
		o.db = dbtest.Open(t, o.config, o.clock.Now)
		o.write(func(tx *db.Tx) error { _, err := tx.Exec(schema); return err })
		run(o)
	})
}

func (o *office) write(run func(tx *db.Tx) error) {
	o.Helper()
	if err := o.db.Write(context.Background(), run); err != nil {
		o.Fatal(err)
	}
}

// posts inserts n letters to a receiver.
func (o *office) posts(to delivery.Receiver, n int) {
	o.Helper()
	o.write(func(tx *db.Tx) error {
		rows := make([]*letter, n)
		for i := range rows {
			rows[i] = &letter{
				StoreKey: to.StoreKey, ReceiverID: to.ID, ID: fmt.Sprintf("%s%03d", to.ID, i), Text: "Hello",
				Progress: delivery.Progress{State: "pending", CreatedAt: tx.ServerNow(), DueAt: tx.ServerNow()},
			}
		}
		return letters.Insert(tx, rows...)
	})
}

// node is a sender of another node each time.
func (o *office) node(change func(q *delivery.Queue[letter])) *delivery.Sender[letter] {
	q := delivery.Queue[letter]{Name: "letters", Table: letters, Calls: 8, Receivers: 2}
	q.Due = func(context.Context) (to []delivery.Recipient[letter], err error) {
		for _, r := range o.receivers {
			to = append(to, delivery.Recipient[letter]{Receiver: r, Calls: 3, Call: o.call})
		}
		return to, nil
	}
	if change != nil {
		change(&q)
	}
	return delivery.NewSender(o.db, q)
}

func (o *office) call(ctx context.Context, l *letter) (outbound.Outcome, error) {
	o.mutex.Lock()
	o.got = append(o.got, l.ID)
	answer := o.answer
	o.mutex.Unlock()
	if answer == nil {
		return outbound.Outcome{Status: 200}, nil
	}
	return answer(ctx, l)
}

func (o *office) answers(with func(ctx context.Context, l *letter) (outbound.Outcome, error)) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.answer = with
}

// sent returns the ids of the letters that were sent since the last call, sorted.
func (o *office) sent() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	slices.Sort(o.got)
	got := strings.Join(o.got, " ")
	o.got = nil
	return got
}

func (o *office) settles(s *delivery.Sender[letter]) {
	o.Helper()
	if err := s.Settle(context.Background()); err != nil {
		o.Fatal(err)
	}
}

// only returns the one letter to a receiver.
func (o *office) only(r delivery.Receiver) (l letter) {
	o.Helper()
	err := o.db.Read(context.Background(), func(tx *db.Tx) error {
		found, total, err := letters.List(tx, r, "", 10, 0)
		if err == nil && (total != 1 || len(found) != 1) {
			err = fmt.Errorf("%d letters of %d", len(found), total)
		}
		if err == nil {
			l = found[0]
		}
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return l
}

// refuses fails without effect, as a receiver that is down.
func refuses(context.Context, *letter) (outbound.Outcome, error) {
	return outbound.Outcome{Status: 503, Problem: "the receiver answered 503"}, nil
}

// A delivery that was claimed by a node that died is sent by another one when the claim expires, and
// not before.
func TestNodeDiesBetweenClaimAndOutcome(t *testing.T) {
	each(t, func(o *office) {
		to := o.receivers[0]
		o.posts(to, 1)
		var claimed []letter
		o.write(func(tx *db.Tx) (err error) {
			claimed, err = letters.Claim(tx, to, 5)
			return err
		})
		if len(claimed) != 1 || claimed[0].Attempts != 1 || claimed[0].Text != "Hello" {
			o.Fatalf("claimed %+v", claimed)
		}
		other := o.node(nil)
		o.clock.Advance(delivery.ClaimTerm - time.Microsecond)
		o.settles(other)
		if got := o.sent(); got != "" {
			o.Errorf("sent %s under the claim of another node", got)
		}
		o.clock.Advance(time.Microsecond)
		o.settles(other)
		if l := o.only(to); o.sent() != "a000" || l.State != "accepted" || l.Attempts != 2 || !l.DueAt.IsZero() {
			o.Errorf("%+v", l)
		}
		// The first node was only slow: what it reports now is too late.
		o.write(func(tx *db.Tx) error {
			_, stored, err := letters.Settle(tx, &claimed[0], outbound.Outcome{Problem: "it failed", Hopeless: true})
			if stored {
				o.Error("an outcome was stored after the claim was lost")
			}
			return err
		})
		if l := o.only(to); l.State != "accepted" || l.Error != "" {
			o.Errorf("%+v", l)
		}
	})
}

// Two nodes send each letter once.
func TestTwoNodesShareTheWork(t *testing.T) {
	each(t, func(o *office) {
		for _, r := range o.receivers {
			o.posts(r, 30)
		}
		var nodes sync.WaitGroup
		for range 2 {
			nodes.Go(func() { o.settles(o.node(nil)) })
		}
		nodes.Wait()
		got := strings.Fields(o.sent())
		if n := len(got); n != 90 || len(slices.Compact(got)) != 90 {
			o.Errorf("%d calls of 90 letters", n)
		}
	})
}

// A receiver that hangs has its calls and no more, and delays no other. A node serves a limited
// number of receivers at once.
func TestSlowReceiver(t *testing.T) {
	each(t, func(o *office) {
		for _, r := range o.receivers {
			o.posts(r, 5)
		}
		hanging, release := make(chan struct{}, 5), make(chan struct{})
		o.answers(func(_ context.Context, l *letter) (outbound.Outcome, error) {
			if l.ReceiverID == "a" {
				hanging <- struct{}{}
				<-release
			}
			return outbound.Outcome{Status: 200}, nil
		})
		var running sync.WaitGroup
		running.Go(func() { o.settles(o.node(nil)) })
		for range 3 {
			<-hanging
		}
		for !o.accepted("b", "c") {
		}
		if len(hanging) != 0 {
			o.Error("the slow receiver has more calls than it may")
		}
		close(release)
		running.Wait()
		if got := len(strings.Fields(o.sent())); got != 15 {
			o.Errorf("%d calls", got)
		}
	})
}

// accepted reports whether all letters to some receivers are accepted.
func (o *office) accepted(receivers ...string) (all bool) {
	o.Helper()
	err := o.db.Read(context.Background(), func(tx *db.Tx) error {
		all = true
		for _, r := range o.receivers {
			_, total, err := letters.List(tx, r, "accepted", 1, 0)
			if err != nil {
				return err
			}
			all = all && (total == 5 || !slices.Contains(receivers, r.ID))
		}
		return nil
	})
	if err != nil {
		o.Fatal(err)
	}
	return all
}

// A letter that nobody accepts is attempted by the schedule and then given up.
func TestDeliveryIsGivenUp(t *testing.T) {
	each(t, func(o *office) {
		to := o.receivers[2]
		o.posts(to, 1)
		o.answers(refuses)
		node := o.node(nil)
		for attempts := 1; attempts < delivery.Attempts; attempts++ {
			o.settles(node)
			l := o.only(to)
			if l.State != "pending" || l.Attempts != attempts || l.Status != 503 || l.Error != "the receiver answered 503" {
				o.Fatalf("after %d attempts: %+v", attempts, l)
			}
			shortest, _ := delivery.Pause(attempts, 0, 0)
			longest, _ := delivery.Pause(attempts, 1, 0)
			if wait := l.DueAt.Sub(o.clock.Now()); wait < shortest || wait > longest {
				o.Errorf("attempt %d comes after %v", attempts+1, wait)
			}
			o.clock.Set(l.DueAt)
		}
		o.settles(node)
		l := o.only(to)
		if l.State != "failed" || l.Attempts != delivery.Attempts || !l.Finished() || !l.DueAt.IsZero() {
			o.Errorf("%+v", l)
		}
		o.clock.Advance(1000 * time.Hour)
		o.settles(node)
		if got := strings.Fields(o.sent()); len(got) != delivery.Attempts {
			o.Errorf("%d calls", len(got))
		}
		o.write(func(tx *db.Tx) error {
			for since, want := range map[time.Duration]int{-2000 * time.Hour: 1, 0: 0} {
				n := -1
				err := tx.Run(letters.SelectFailed(to, tx.ServerNow().Add(since), 10, &n))
				if err != nil || n != want {
					return fmt.Errorf("%d failed since %v, want %d: %w", n, since, want, err)
				}
			}
			return nil
		})
		o.write(func(tx *db.Tx) error {
			for _, c := range []struct{ before, want time.Duration }{{-2000 * time.Hour, 0}, {0, 1}} {
				n, err := letters.RemoveFinished(tx, 0, tx.ServerNow().Add(c.before), 10)
				if err != nil || n != int64(c.want) {
					return fmt.Errorf("%d are removed, want %d: %w", n, c.want, err)
				}
			}
			return nil
		})
	})
}

// A call that a shutdown interrupts is due again at once. Whether it counts is up to the queue.
func TestShutdownInterruptsCalls(t *testing.T) {
	each(t, func(o *office) {
		for attempts, counted := range []bool{false, true} {
			to := o.receivers[attempts]
			o.posts(to, 1)
			arrived := make(chan struct{})
			o.answers(func(ctx context.Context, _ *letter) (outbound.Outcome, error) {
				close(arrived)
				<-ctx.Done()
				return outbound.Outcome{Problem: "interrupted"}, ctx.Err()
			})
			ctx, stop := context.WithCancel(context.Background())
			var running sync.WaitGroup
			running.Go(func() {
				err := o.node(func(q *delivery.Queue[letter]) { q.CountInterrupted = counted }).Settle(ctx)
				if !errors.Is(err, context.Canceled) {
					o.Error(err)
				}
			})
			<-arrived
			stop()
			running.Wait()
			if l := o.only(to); l.State != "pending" || l.Attempts != attempts || !l.DueAt.Equal(o.clock.Now()) {
				o.Errorf("counted: %t, %+v", counted, l)
			}
			o.answers(nil)
			o.settles(o.node(nil))
			if l := o.only(to); l.State != "accepted" || l.Attempts != attempts+1 {
				o.Errorf("%+v", l)
			}
		}
	})
}

// An attempt without an outcome is repeated when its claim expires.
func TestCallThatCannotBeMade(t *testing.T) {
	each(t, func(o *office) {
		to := o.receivers[0]
		o.posts(to, 1)
		o.answers(func(context.Context, *letter) (outbound.Outcome, error) {
			return outbound.Outcome{}, errors.New("the letter cannot be read")
		})
		node := o.node(nil)
		o.settles(node)
		o.settles(node)
		o.answers(nil)
		o.clock.Advance(delivery.ClaimTerm)
		o.settles(node)
		if l := o.only(to); o.sent() != "a000 a000" || l.State != "accepted" || l.Attempts != 2 {
			o.Errorf("%+v", l)
		}
	})
}

func TestStoresDue(t *testing.T) {
	each(t, func(o *office) {
		expect := func(want ...int64) {
			o.Helper()
			err := o.db.Read(context.Background(), func(tx *db.Tx) error {
				got, err := letters.StoresDue(tx)
				if !slices.Equal(got, want) {
					o.Errorf("due are %v, want %v", got, want)
				}
				return err
			})
			if err != nil {
				o.Error(err)
			}
		}
		expect()
		for _, r := range o.receivers {
			o.posts(r, 2)
		}
		expect(1, 2)
		o.write(func(tx *db.Tx) error {
			_, err := letters.Claim(tx, o.receivers[2], 5)
			return err
		})
		expect(1)
		o.clock.Advance(delivery.ClaimTerm)
		expect(1, 2)
	})
}

// TestPostponed shows that an attempt that is not made does not count, and that the delivery is due again at its time.
func TestPostponed(t *testing.T) {
	each(t, func(o *office) {
		to := o.receivers[0]
		o.posts(to, 1)
		until := o.clock.Now().Add(time.Hour)
		o.answers(func(context.Context, *letter) (outbound.Outcome, error) {
			return outbound.Outcome{}, &delivery.Postponed{Until: until, Reason: "at night"}
		})
		node := o.node(nil)
		o.settles(node)
		if l := o.only(to); l.State != "pending" || l.Attempts != 0 || l.Error != "at night" || !l.DueAt.Equal(until) {
			o.Errorf("%+v", l)
		}
		o.sent()
		o.answers(nil)
		o.settles(node)
		if got := o.sent(); got != "" {
			o.Errorf("sent %s too early", got)
		}
		o.clock.Set(until)
		o.settles(node)
		if l := o.only(to); l.State != "accepted" || l.Attempts != 1 || l.Error != "" {
			o.Errorf("%+v", l)
		}
	})
}
