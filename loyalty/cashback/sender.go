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

// The limits and intervals of one node.
const (
	StoresAtOnce  = 16 // stores served at once
	CallsPerStore = 8  // concurrent calls to a store's provider

	lookEvery  = time.Second
	takenFor   = time.Minute      // longer than an attempt and storing its outcome
	storeLimit = 10 * time.Second // for storing an outcome, also during shutdown
)

// Sender sends payment orders to the providers of all stores. Every node runs one. A node claims a
// message for one attempt. If it crashes, the attempt is repeated when the claim expires after
// takenFor.
type Sender struct {
	db     *db.DB
	stores *store.Directory
	client *outbound.Client
	wake   chan struct{}
	last   int64 // key of the store looked at last

	mutex   sync.Mutex
	busy    map[int64]bool // by key of the stores being served
	running sync.WaitGroup
}

// NewSender returns a sender. Run starts it.
func NewSender(d *db.DB, stores *store.Directory, client *outbound.Client) *Sender {
	return &Sender{db: d, stores: stores, client: client, wake: make(chan struct{}, 1), busy: map[int64]bool{}}
}

// Run sends messages that are due until ctx ends. Calls in progress are then cancelled and become
// due again.
func (s *Sender) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	defer s.running.Wait()
	for {
		if _, err := s.round(ctx); err != nil && ctx.Err() == nil {
			s.db.Log().Warn("cannot send cashback messages", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-s.wake:
		}
	}
}

// Settle sends everything that is due, and returns when nothing more is due.
func (s *Sender) Settle(ctx context.Context) error {
	for idle := 0; idle < 2; { // the first round may have started after the last store
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

// round starts serving stores that have messages due, in the order of their keys. The next round
// continues after the last one.
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

// begin marks a store as served, and returns false if it already is.
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
	case s.wake <- struct{}{}: // the store may have more messages
	default:
	}
}

// serve claims some due messages of a store and makes one attempt for each.
func (s *Sender) serve(ctx context.Context, storeKey int64) {
	defer s.end(storeKey)
	of, found, err := s.stores.ByKey(ctx, storeKey)
	if err == nil && !found {
		err = errors.New("the store is not known")
	}
	var taken []Message
	if err == nil {
		err = s.db.Write(ctx, func(tx *db.Tx) (err error) {
			taken, err = take(tx, storeKey, tx.ServerNow().Add(takenFor), CallsPerStore)
			return err
		})
	}
	if err != nil && ctx.Err() == nil {
		s.db.Log().Warn("cannot send the cashback messages of a store", "error", err)
	}
	var calls sync.WaitGroup
	for i := range taken {
		calls.Go(func() { s.send(ctx, of, &taken[i]) })
	}
	calls.Wait()
}

// send makes an attempt and stores its outcome. A call that was cancelled by shutdown is due again
// at once.
func (s *Sender) send(ctx context.Context, of *store.Store, m *Message) {
	o := s.call(ctx, of, m)
	now := s.db.Now()
	m.attempted(o, now)
	if ctx.Err() != nil && o.Status == 0 { // cancelled
		m.State, m.DueAt = Waiting, now
	}
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
	defer cancel()
	err := s.db.Write(storing, func(tx *db.Tx) error { return finish(tx, m) })
	switch {
	case err != nil:
		s.db.Log().Warn("cannot store the outcome of a cashback message; it will be sent again", "error", err)
	case m.State == Unsent:
		s.db.Log().Warn("cashback message failed", "message", m.ID, "reason", m.Error)
	}
}

// order is the body of a message. A provider's callback repeats its first three members.
type order struct {
	Type        string             `json:"type"`
	RequestGUID string             `json:"requestGuid"`
	OrderID     string             `json:"orderId"`
	Amount      decimal.Hundredths `json:"amount"`
	Currency    string             `json:"currency"`
	Metadata    metadata           `json:"metadata"`
}

type metadata struct {
	StoreCode string `json:"storeCode"` // for the path of the callback
}

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
