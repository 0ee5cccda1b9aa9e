package cashback

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/outbound"
)

// The pace of the messages of a node.
const (
	StoresAtOnce  = 16 // that are served
	CallsPerStore = 8  // at once

	lookEvery  = time.Second
	takenFor   = time.Minute      // longer than an attempt and the storing of its outcome
	storeLimit = 10 * time.Second // for an outcome, also while the process stops
)

// Sender tells the providers of all stores what to pay. Every node has one: each attempt belongs to the node that took
// the message for it, and one that was broken off by a crash is made again once its time is over.
type Sender struct {
	db     *db.DB
	stores *store.Directory
	client *outbound.Client
	wake   chan struct{}
	last   int64 // store that was looked at last

	mutex   sync.Mutex
	busy    map[int64]bool // stores that are served
	running sync.WaitGroup
}

// NewSender makes a sender. Run starts it.
func NewSender(d *db.DB, stores *store.Directory, client *outbound.Client) *Sender {
	return &Sender{db: d, stores: stores, client: client, wake: make(chan struct{}, 1), busy: map[int64]bool{}}
}

// Run sends what is due until ctx ends. Calls that are on their way are broken off then, and are due again.
func (s *Sender) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	defer s.running.Wait()
	for {
		if _, err := s.round(ctx); err != nil && ctx.Err() == nil {
			s.db.Log().Warn("cashback messages are not sent", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-s.wake:
		}
	}
}

// Settle sends everything that is due, and returns when nothing is left to do now.
func (s *Sender) Settle(ctx context.Context) error {
	for idle := 0; idle < 2; { // a round may have begun behind the stores
		begun, err := s.round(ctx)
		s.running.Wait()
		if err != nil {
			return err
		}
		if idle++; begun {
			idle = 0
		}
	}
	return nil
}

// round begins to serve stores that have messages due, one after the other, and goes on there the next time.
func (s *Sender) round(ctx context.Context) (begun bool, err error) {
	for s.hasCapacity() {
		var next queue
		var found bool
		err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
			next, found, err = nextQueue(tx, s.last)
			return err
		})
		if err != nil {
			return begun, err
		}
		if !found {
			s.last = 0
			break
		}
		if s.last = next.storeKey; !next.dueAt.After(s.db.Now()) && s.begin(next.storeKey) {
			begun = true
			s.running.Go(func() { s.serve(ctx, next.storeKey) })
		}
	}
	return begun, nil
}

func (s *Sender) hasCapacity() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.busy) < StoresAtOnce
}

// begin tells whether nobody serves the store; from then on somebody does.
func (s *Sender) begin(storeKey int64) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.busy[storeKey] {
		return false
	}
	s.busy[storeKey] = true
	return true
}

func (s *Sender) end(storeKey int64) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.busy, storeKey)
	select {
	case s.wake <- struct{}{}: // there may be more
	default:
	}
}

// serve makes an attempt for each of some messages of a store.
func (s *Sender) serve(ctx context.Context, storeKey int64) {
	defer s.end(storeKey)
	of, found, err := s.stores.ByKey(ctx, storeKey)
	if err == nil && !found {
		err = errors.New("the store is not known")
	}
	var taken []Message
	if err == nil {
		err = s.db.Write(ctx, func(tx *db.Tx) (err error) {
			taken, err = take(tx, storeKey, tx.Now.Add(takenFor), CallsPerStore)
			return err
		})
	}
	if err != nil && ctx.Err() == nil {
		s.db.Log().Warn("cashback messages of a store are not sent", "error", err)
	}
	var calls sync.WaitGroup
	for i := range taken {
		calls.Go(func() { s.send(ctx, of, &taken[i]) })
	}
	calls.Wait()
}

// send makes an attempt and stores how it went.
func (s *Sender) send(ctx context.Context, of *store.Store, m *Message) {
	o := s.call(ctx, of, m)
	now := s.db.Now()
	m.attempted(o, now)
	if ctx.Err() != nil && o.Status == 0 { // broken off
		m.State, m.DueAt = Waiting, now
	}
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
	defer cancel()
	err := s.db.Write(storing, func(tx *db.Tx) error { return finish(tx, m) })
	switch {
	case err != nil:
		s.db.Log().Warn("the outcome of a cashback message is not stored; it is sent again", "error", err)
	case m.State == Unsent:
		s.db.Log().Warn("a cashback message failed", "message", m.ID, "reason", m.Error)
	}
}

// order is the body of a message. A provider's callback repeats the first three members.
type order struct {
	Type        string             `json:"type"`
	RequestGUID string             `json:"requestGuid"`
	OrderID     string             `json:"orderId"`
	Amount      decimal.Hundredths `json:"amount"`
	Currency    string             `json:"currency"`
	Metadata    metadata           `json:"metadata"`
}

type metadata struct {
	StoreCode string `json:"storeCode"` // of the callback's path
}

// orderType is the type of a message.
const orderType = "cashback"

func (s *Sender) call(ctx context.Context, of *store.Store, m *Message) outbound.Outcome {
	if of.Settings.CashbackProviderURL == "" {
		return outbound.Outcome{Problem: "the store has no payment provider"}
	}
	call := outbound.Call{URL: of.Settings.CashbackProviderURL}
	var err error
	call.Body, err = json.Marshal(order{
		Type: orderType, RequestGUID: m.ID, OrderID: orderID(m.CustomerID, m.CouponID), Amount: m.Amount,
		Currency: of.Currency, Metadata: metadata{of.Code},
	})
	if err == nil {
		call.Header, err = outbound.Sign(m.ID, s.db.Now(), call.Body, of.Settings.CashbackProviderSecret)
	}
	if err != nil {
		return outbound.Outcome{Problem: err.Error()}
	}
	return s.client.Try(ctx, call, "provider")
}
