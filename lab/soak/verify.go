package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// importTimeout is how long imports may take after a fault: another run takes one over when its lease has ended.
const importTimeout = 60 * time.Second

// recoveryTimeout is how long a server may take to recover from a fault.
const recoveryTimeout = 30 * time.Second

// poll calls a function until it returns true, for recoveryTimeout at most.
func poll(ctx context.Context, ask func() (bool, error)) error {
	return pollFor(ctx, recoveryTimeout, ask)
}

func pollFor(ctx context.Context, timeout time.Duration, ask func() (bool, error)) error {
	limit, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for {
		done, err := ask()
		if done {
			return nil
		}
		select {
		case <-limit.Done():
			return errors.Join(fmt.Errorf("no success within %v", timeout), err)
		case <-ticker.C:
		}
	}
}

// verify compares the responses with what is stored.
func (r *round) verify(ctx context.Context) error {
	if err := poll(ctx, func() (bool, error) { return r.healthy(ctx) }); err != nil {
		return err
	}
	calls := slices.Clone(r.setUp)
	for _, c := range r.clients {
		for _, defect := range c.defects {
			r.addFinding("%s", defect)
		}
		calls = append(calls, c.calls...)
	}
	r.count(calls)
	if err := r.endImports(ctx, calls); err != nil {
		return err
	}
	if err := r.lookAtAll(ctx); err != nil {
		return err
	}
	r.verifyHistories("before calls were repeated", calls)
	if err := r.repeat(ctx, calls); err != nil {
		return err
	}
	if err := r.endImports(ctx, calls); err != nil {
		return err
	}
	if err := r.lookAtAll(ctx); err != nil {
		return err
	}
	r.verifyHistories("after calls were repeated", calls)
	s, err := r.read(ctx)
	if err != nil {
		return err
	}
	if r.server.queue != nil {
		found, err := r.server.queue.disorder(ctx, r.lastEvent)
		if err != nil {
			return err
		}
		if found != "" {
			r.addFinding("%s", found)
		}
	}
	r.findings = append(r.findings, s.findings...)
	r.findings = append(r.findings, compare(calls, s.facts)...)
	r.findings = append(r.findings, differences("coupon", s.coupons, s.events.coupons)...)
	r.findings = append(r.findings, differences("movement", s.transfers, s.events.transfers)...)
	if err := r.verifyCampaigns(ctx, s); err != nil {
		return err
	}
	found, err := r.server.check(ctx)
	if err != nil {
		return err
	}
	r.findings = append(r.findings, found...)
	r.findings = append(r.findings, r.server.complaints(r.databaseLost.Load())...)
	return nil
}

func (r *round) healthy(ctx context.Context) (bool, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.server.base()+"/api/healthcheck", nil)
	if err != nil {
		return false, err
	}
	response, err := r.http.Do(request)
	if err != nil {
		return false, err
	}
	return response.StatusCode == http.StatusNoContent, response.Body.Close()
}

// endImports waits until the acknowledged imports have ended, and moves the end of their calls to that moment.
func (r *round) endImports(ctx context.Context, calls []*call) error {
	for _, c := range calls {
		if c.file == "" || c.outcome != acknowledged || c.ended || len(c.named) == 0 {
			continue
		}
		err := pollFor(ctx, importTimeout, func() (bool, error) {
			run := &call{method: http.MethodPost, path: "/api/admin/jobs/imports/run", token: r.adminToken, units: 1,
				key: fmt.Sprintf("imports-%d", time.Now().UnixNano()), ids: fixedID("run")}
			if err := run.send(ctx, r.http, r.server.base()); err != nil {
				return false, err
			}
			var state struct {
				State                     string
				TotalSuccess, TotalFailed int
			}
			err := r.get(ctx, storePath+"admin/import/"+c.named[0], &state)
			if state.State == "finished" && (state.TotalFailed > 0 || state.TotalSuccess != len(c.facts)) {
				r.addFinding("%v stored %+v of %d records", c, state, len(c.facts))
			}
			return state.State == "finished", err
		})
		if err != nil {
			return fmt.Errorf("import %s: %w", c.named[0], err)
		}
		c.ended, c.answered = true, time.Now()
	}
	return nil
}

func (r *round) count(calls []*call) {
	for _, c := range calls {
		switch c.outcome {
		case acknowledged:
			r.verified++
		case refused:
			r.refused++
		case unknown:
			r.lost++
		case unsent:
			continue
		}
		r.tried++
	}
}

// repeat sends every call without a response again, with its key, and one acknowledged call of each
// client, whose response must be the stored one.
func (r *round) repeat(ctx context.Context, calls []*call) error {
	var samples []*call
	for _, c := range r.clients {
		if last := len(c.calls) - 2; last >= 0 && c.calls[last].outcome == acknowledged {
			again := *c.calls[last] // its times remain those of the first response
			samples = append(samples, &again)
		}
	}
	for _, c := range calls {
		if c.outcome != unknown {
			continue
		}
		if err := r.again(ctx, c); err != nil {
			return err
		}
		c.late = !c.replayed
	}
	for _, c := range samples {
		before := *c
		if err := r.again(ctx, c); err != nil {
			return err
		}
		if !c.replayed || c.outcome != acknowledged || !slices.Equal(c.named, before.named) {
			r.addFinding("%v was answered with %v, and repeated with %d %v", &before, before.named, c.status, c.named)
		}
	}
	return nil
}

// again sends a call until the response is not a request to retry.
func (r *round) again(ctx context.Context, c *call) error {
	r.repeated++
	return poll(ctx, func() (bool, error) {
		err := c.send(ctx, r.http, r.server.base())
		return err == nil && c.outcome != unknown, err
	})
}

// compare finds what was acknowledged and is not stored exactly one time, and what is stored
// without being acknowledged. Calls without a response were repeated until they had one.
func compare(calls []*call, stored facts) (findings []string) {
	explained := facts{}
	for _, c := range calls {
		for _, fact := range c.facts {
			if c.outcome == acknowledged {
				explained[fact] = stored[fact]
				if n := len(stored[fact]); n != 1 {
					findings = append(findings, fmt.Sprintf("%s was imported, and is stored %d times", fact, n))
				}
			}
		}
		if c.fact == "" || c.outcome != acknowledged {
			continue
		}
		for _, id := range c.named {
			if !explained.add(c.fact, id) {
				findings = append(findings, fmt.Sprintf("%s %s was answered twice", c.fact, id))
			}
			if !stored[c.fact][id] {
				findings = append(findings, fmt.Sprintf("%s %s was acknowledged and is not stored", c.fact, id))
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(stored)) {
		for _, id := range slices.Sorted(maps.Keys(stored[kind])) {
			if !explained[kind][id] {
				findings = append(findings, fmt.Sprintf("%s %s is stored and was not acknowledged", kind, id))
			}
		}
	}
	return findings
}

// differences finds what is only in the lists or only in the events.
func differences(what string, listed, reported map[string]bool) (findings []string) {
	for id := range listed {
		if !reported[id] {
			findings = append(findings, fmt.Sprintf("there is no event about %s %s", what, id))
		}
	}
	for id := range reported {
		if !listed[id] {
			findings = append(findings, fmt.Sprintf("there is an event about %s %s, which is not stored", what, id))
		}
	}
	return findings
}

// verifyCampaigns checks the limit of one campaign and the changes of the manager to the other.
func (r *round) verifyCampaigns(ctx context.Context, s *stored) error {
	var scarce, changing struct {
		Name      string
		Active    bool
		UsageLeft int
	}
	if err := r.get(ctx, storePath+"campaign/"+r.campaigns.scarce, &scarce); err != nil {
		return err
	}
	if err := r.get(ctx, storePath+"campaign/"+r.campaigns.changing, &changing); err != nil {
		return err
	}
	sold, limit := s.sold[r.campaigns.scarce], min(r.limitNow(), codesOfRound)
	if sold > limit || scarce.UsageLeft != limit-sold {
		r.addFinding("%d coupons of %d are sold, %d are left", sold, limit, scarce.UsageLeft)
	}
	if name, active := r.lastManaged(); name != changing.Name || (active == "active") != changing.Active {
		r.addFinding("the campaign is %q, active %v; acknowledged were %q and %s",
			changing.Name, changing.Active, name, active)
	}
	return nil
}

// limitNow returns the last limit that the manager set.
func (r *round) limitNow() int {
	limit := firstLimit
	for _, c := range r.clients[0].calls {
		if c.shelf != nil && c.outcome == acknowledged {
			limit = c.shelf.limit
		}
	}
	return limit
}

// lastManaged returns the campaign after all changes of the manager. Changes that only the repetition
// made came last.
func (r *round) lastManaged() (name, active string) {
	name, active = "Version 0", "active"
	for _, late := range []bool{false, true} {
		for _, c := range r.clients[0].calls {
			switch {
			case c.late != late || c.outcome != acknowledged || c.shelf != nil:
			case c.method == http.MethodPut:
				name, active = c.named[0], "active"
			default:
				active = c.named[0]
			}
		}
	}
	return name, active
}
