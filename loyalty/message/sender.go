package message

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/outbound"
)

// sender sends the messages of all stores.
type sender struct {
	*Config
	db     *db.DB
	stores *store.Directory
}

// NewSender returns a sender of messages. Every node runs one.
func NewSender(d *db.DB, stores *store.Directory, c *Config) *delivery.Sender[Delivery] {
	s := &sender{c, d, stores}
	return delivery.NewSender(d, delivery.Queue[Delivery]{
		Name: "messages", Table: table, Calls: StoresAtOnce * CallsPerQueue, Receivers: StoresAtOnce,
		Due: s.due, Settle: settleAttempt,
	})
}

// mailboxStatus is the status of messages in the mailbox of a demonstration.
const mailboxStatus = 200

// backlog has the messages of a store that are due.
type backlog struct {
	storeKey int64
	settings *Settings
	queues   []string
	pushes   bool // the calls of the gateway for notifications are made
	sent     int  // messages in the present hour
}

// due returns the queues that have messages due and may send them now.
func (s *sender) due(ctx context.Context) (to []delivery.Recipient[Delivery], err error) {
	var backlogs []backlog
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		backlogs = nil
		keys, err := table.StoresDue(tx)
		for _, key := range keys {
			b := backlog{storeKey: key}
			if err == nil {
				b.settings, err = settingsOf(tx, key)
			}
			if err == nil {
				b.queues, err = queuesDue(tx, key)
			}
			if err == nil && slices.Contains(b.queues, notifications) {
				g, found, failed := FindNotificationGateway(tx, key)
				b.pushes, err = g.Active || !found, failed
			}
			if err == nil {
				b.sent, err = sentInHour(tx, key, "")
			}
			backlogs = append(backlogs, b)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range backlogs {
		b := &backlogs[i]
		of, found, err := s.stores.ByKey(ctx, b.storeKey)
		if err != nil {
			return nil, err
		}
		if !found || !of.Active {
			continue
		}
		for _, queue := range s.open(of, b, s.db.Now()) {
			calls := CallsPerQueue
			if queue == notifications {
				calls = 1 // in the order of the notifications
			}
			to = append(to, delivery.Recipient[Delivery]{
				Receiver: delivery.Receiver{StoreKey: b.storeKey, ID: queue}, Calls: calls,
				Call: func(ctx context.Context, d *Delivery) (outbound.Outcome, error) {
					return s.attempt(ctx, of, b.settings, d)
				},
			})
		}
	}
	slices.SortFunc(to, func(a, b delivery.Recipient[Delivery]) int {
		return cmp.Or(cmp.Compare(a.StoreKey, b.StoreKey), strings.Compare(a.ID, b.ID))
	})
	return to, nil
}

// open returns the queues that may send now: those of administrators and of notifications always. Marketing messages
// wait until the others of their channel are sent, during the quiet hours, and for a part of the hourly limit.
func (s *sender) open(of *store.Store, b *backlog, now time.Time) (queues []string) {
	if slices.Contains(b.queues, administrators) && s.administratorsObstacle() == "" {
		queues = append(queues, administrators)
	}
	if b.pushes {
		queues = append(queues, notifications)
	}
	for _, transport := range transports {
		marketing := transport + marketingSuffix
		switch {
		case s.obstacleOf(b.settings, transport) != "" || b.sent >= s.PerHour:
		case slices.Contains(b.queues, transport):
			queues = append(queues, transport)
		case slices.Contains(b.queues, marketing) && b.sent < s.PerHour*marketingShare/100 && !IsQuiet(of, now):
			queues = append(queues, marketing)
		}
	}
	return queues
}

// attempt writes a message and sends it.
func (s *sender) attempt(ctx context.Context, of *store.Store, settings *Settings, d *Delivery) (
	outbound.Outcome, error) {
	if d.toNotifications() {
		return s.callForNotifications(ctx, of, d)
	}
	var ready composed
	err := store.Write(ctx, s.db, of, func(tx *db.Tx) (err error) {
		ready, err = s.compose(tx, of, d)
		return err
	})
	if err != nil {
		return outbound.Outcome{}, err
	}
	d.dropped = ready.dropped
	if ready.refusal != "" {
		return outbound.Outcome{Problem: ready.refusal, Hopeless: true}, nil
	}
	d.Subject, d.Content = ready.masked.Subject, ""
	if s.Mailbox {
		d.Subject, d.Content = ready.text.Subject, ready.text.Content
		return outbound.Outcome{Status: mailboxStatus}, nil
	}
	if d.toAdministrator() {
		return s.Mail.Send(ctx, s.Server, ready.mailToAdministrator(s, d)), nil
	}
	if channel, _ := d.channel(); channel == template.Email {
		return s.Mail.Send(ctx, settings.server(s.Config), ready.mail(s, of, settings, d)), nil
	}
	if d.toBrowser() {
		return s.pushToBrowser(ctx, of, d, &ready)
	}
	return s.callGateway(ctx, of, settings, d, &ready), nil
}

// settleAttempt stores the outcome of an attempt.
func settleAttempt(tx *db.Tx, d *Delivery, o outbound.Outcome) error {
	o, err := judge(tx, d, o)
	if err != nil {
		return err
	}
	after, stored, err := table.Settle(tx, d, o)
	if err != nil || !stored {
		return err
	}
	if d.dropped {
		after.State = Dropped
	}
	return saveOutcome(tx, d, after.State)
}
