package mailing

import (
	"context"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
)

const (
	// chunk is how many customers one transaction visits: few, so that other writes do not wait long.
	chunk = 50
	// WaitingLimit is how many marketing messages of a store may wait before a mailing queues more of its own, so that
	// pausing or stopping one has an effect at once.
	WaitingLimit = 500
)

// Service sends mailings.
type Service struct {
	messages  *message.Config
	catalogue *campaign.Catalogue
	wakeups   store.Wakeups
}

// New returns a service whose e-mails can show the campaigns of a catalogue.
func New(messages *message.Config, catalogue *campaign.Catalogue) *Service {
	return &Service{messages: messages, catalogue: catalogue, wakeups: store.NewWakeups()}
}

// Run begins mailings as soon as they are sent, until ctx ends.
func (svc *Service) Run(ctx context.Context, d *db.DB) {
	svc.wakeups.Run(ctx, d, 1, "could not send mailings, the job will retry", svc.Send)
}

// Send is the job that begins mailings at their time, and queues the messages of those that run. It returns the number
// of customers that it visited.
func (svc *Service) Send(ctx context.Context, d *db.DB, s *store.Store) (visited int64, err error) {
	return store.InSteps(ctx, d, s, `SELECT mailing_id FROM mailings
		WHERE store_id = ? AND state IN ('scheduled', 'running') ORDER BY mailing_id`,
		func(ctx context.Context, id string) (int64, bool, error) { return svc.step(ctx, d, s, id) })
}

// step visits some customers of a mailing, and queues their messages with its progress in one transaction. more is
// false if there is nothing left to do now.
func (svc *Service) step(ctx context.Context, d *db.DB, s *store.Store, id string) (n int64, more bool, err error) {
	err = store.Write(ctx, d, s, func(tx *db.Tx) error {
		n, more = 0, false
		waiting, err := message.WaitingMarketing(tx, s.Key)
		if err != nil || waiting >= WaitingLimit {
			return err
		}
		m, err := lockMailing(tx, s.Key, id)
		if err != nil {
			return err
		}
		if m.State == Scheduled && !m.SendAt.After(tx.Now()) {
			m.begin(tx)
		}
		if m.State != Running {
			return nil
		}
		ids, err := m.next(tx)
		if err != nil {
			return err
		}
		n, more = int64(len(ids)), m.State == Running
		m.Visited += n
		if err := svc.queue(tx, s, m, ids); err != nil {
			return err
		}
		return save(tx, m)
	})
	return n, more, err
}

// next returns the customers to visit next, and moves on. After the last one the mailing is finished.
func (m *Mailing) next(tx *db.Tx) (ids []string, err error) {
	parts := m.Content.parts()
	part := parts[m.Part]
	switch m.Content.Audience {
	case toSegments:
		ids, err = segment.Members(tx, m.StoreKey, part, m.After, chunk)
	case toCustomers:
		all := db.Distinct(m.Content.Customers)
		from, found := slices.BinarySearch(all, m.After)
		if found {
			from++
		}
		ids = all[from:min(len(all), from+chunk)]
	default: // a level, or everybody
		ids, err = customer.ActiveAfter(tx, m.StoreKey, part, m.After, chunk)
	}
	if err != nil {
		return nil, err
	}
	if len(ids) > 0 {
		m.After = ids[len(ids)-1]
	}
	if len(ids) < chunk {
		m.Part, m.After = m.Part+1, ""
		if m.Part == int64(len(parts)) {
			m.State, m.FinishedAt = Finished, tx.Now()
		}
	}
	return ids, nil
}

// queue queues the messages to those of the customers who did not get any of the mailing.
func (svc *Service) queue(tx *db.Tx, s *store.Store, m *Mailing, ids []string) error {
	had, err := Got(tx, s.Key, m.ID, ids)
	if err != nil {
		return err
	}
	fresh := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return had[id] })
	if len(fresh) == 0 {
		return nil
	}
	customers, err := customer.LockRows(tx, s.Key, fresh)
	if err != nil {
		return err
	}
	src := m.source()
	reach, err := src.Reach(tx, s, customers...)
	if err != nil {
		return err
	}
	customers = slices.DeleteFunc(customers, func(c *customer.Customer) bool { return len(reach[c.ID].Channels) == 0 })
	ids = ids[:0]
	for _, c := range customers {
		ids = append(ids, c.ID)
	}
	capped, err := Capped(tx, s, ids)
	if err != nil {
		return err
	}
	var letters []Letter
	for _, c := range customers {
		if capped[c.ID] {
			m.Capped++
			continue
		}
		letters = append(letters, Letter{To: c})
	}
	m.Recipients += int64(len(letters))
	return svc.Deliver(tx, s, src, letters...)
}

func (m *Mailing) source() *Source {
	return &Source{ID: m.ID, Path: "mailing", Channels: m.Content.Channels, Words: &m.Content.Words}
}

// settleAfter is when no message of a mailing can wait any more.
const settleAfter = message.Lifetime + time.Hour

// Settle is the job that stores the results of mailings whose messages do not change any more, before the messages are
// deleted.
func Settle(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	var open []Mailing
	err = store.Read(ctx, d, s, func(tx *db.Tx) (err error) {
		open, err = table.All(tx, `SELECT * FROM mailings
			WHERE store_id = ? AND state IN ('finished', 'stopped') AND NOT settled AND finished_at < ?
			ORDER BY mailing_id LIMIT 20`, s.Key, tx.Now().Add(-settleAfter).UnixMicro())
		return err
	})
	for i := 0; i < len(open) && err == nil && ctx.Err() == nil; i++ {
		err = store.Write(ctx, d, s, func(tx *db.Tx) error {
			m, err := lockMailing(tx, s.Key, open[i].ID)
			if err != nil || m.Settled {
				return err
			}
			if m.Results, err = message.CountMailing(tx, s.Key, m.ID); err != nil {
				return err
			}
			m.Settled = true
			return save(tx, m)
		})
		done++
	}
	return done, err
}
