package app

import (
	"context"
	"errors"
	"time"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/app/demo"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// historyRetry is how long a node waits before it looks whether another one has loaded the history.
const historyRetry = time.Second

// demoEndpoints report on the demonstration.
func (s *server) demoEndpoints() []api.Endpoint {
	return []api.Endpoint{
		{Method: "GET", Path: "/api/admin/demo", Access: access.Only(access.Administrator), Handle: s.showDemo,
			Summary: "Show how far the history of the demonstration is loaded", Response: demoView{}},
	}
}

// demoView is the state of the demonstration's history. Done of Total steps are complete.
type demoView struct {
	State string `json:"state"` // none, loading, complete
	Done  int64  `json:"done"`
	Total int64  `json:"total"`
}

func (s *server) showDemo(c *api.Call) error {
	response := demoView{State: "none"}
	err := c.Read(func(tx *db.Tx) error {
		history, err := store.FindDemoHistory(tx)
		switch response.Done, response.Total = history.Done, history.Steps; {
		case history.Steps == 0:
		case history.Complete():
			response.State = "complete"
		default:
			response.State = "loading"
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// loadHistory loads the rest of the demonstration's history, or waits until another node has. After an error it gives
// up until the next start.
func (s *server) loadHistory(ctx context.Context, lease *job.Lease) {
	began := s.db.Now()
	defer func() {
		if err := lease.Release(context.WithoutCancel(ctx)); err != nil {
			s.log.Warn("cannot release the lease of the demonstration's history", "error", err)
		}
	}()
	for ctx.Err() == nil {
		loaded, complete, err := s.loadHistoryOnce(ctx, lease)
		if err != nil {
			if ctx.Err() == nil {
				s.log.Error("cannot load the history of the demonstration", "error", err)
			}
			return
		}
		if complete {
			if loaded {
				s.log.Info("the history of the demonstration is loaded", "seconds", s.db.Now().Sub(began).Seconds())
			}
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(historyRetry):
		}
	}
}

// loadHistoryOnce returns whether the history is complete, and whether this call has loaded some of it.
func (s *server) loadHistoryOnce(ctx context.Context, lease *job.Lease) (loaded, complete bool, err error) {
	var of *store.Store
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		history, err := store.FindDemoHistory(tx)
		if err != nil {
			return err
		}
		if complete = history.Complete(); !complete {
			of, _, err = store.ByCode(tx, DefaultStore)
		}
		return err
	})
	if err != nil || complete {
		return false, complete, err
	}
	held, err := lease.Hold(ctx)
	if err != nil || !held {
		return false, false, err
	}
	complete, err = demo.NewHistory(s.db, of, s.operations()).Load(ctx, lease.Hold)
	if errors.Is(err, store.ErrDemoStep) { // this node stalled past its lease, and another one goes on
		err = nil
	}
	return true, complete, err
}

// operations returns what the history of the demonstration can do.
func (s services) operations() demo.Operations {
	daily, weekly, last := []store.Work{}, []store.Work{s.announcing().Work}, []store.Work{}
	for _, j := range s.storeJobs() {
		last = append(last, j.Work)
		switch j.Name {
		case pointsDue, couponsDue:
			daily = append(daily, j.Work)
		case endingNotices:
			weekly = append(weekly, j.Work)
		}
	}
	return demo.Operations{
		Desk: s.desk, Earning: s.earning, Receipts: s.receiptHooks(), Registered: s.customerRegistered,
		Daily: daily, Weekly: weekly, Last: append(last, s.announcing().Work),
	}
}
