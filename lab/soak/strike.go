package main

import (
	"context"
	"fmt"
	"time"
)

// fault stops the server or its database.
type fault string

const (
	killServer   fault = "SIGKILL"
	stopServer   fault = "SIGTERM"
	killDatabase fault = "database killed"
)

// faults are used in turn. For a database that soak does not run, the product is killed instead.
var faults = [...]fault{killServer, killDatabase, stopServer, killServer, killServer}

// disturbance impairs a running server for a while.
type disturbance struct {
	name       string
	database   bool // the database cannot be reached meanwhile
	begin, end func(r *round) error
}

// The longest delays.
const (
	longestCommit  = 40 * time.Millisecond
	longestPacket  = 10 * time.Millisecond // to the database
	longestMessage = 50 * time.Millisecond // to the message queue
	longestJump    = 6 * time.Hour         // less than the lifetime of a token, with all downtimes
)

// upTo draws a duration up to a limit.
func (r *round) upTo(limit time.Duration) time.Duration {
	return time.Duration(r.random.Int64N(int64(limit)))
}

func nothing(*round) error { return nil }

// anywhere are the disturbances that need no network.
var anywhere = []disturbance{
	{name: "undisturbed", begin: nothing, end: nothing},
	{name: "paused",
		begin: func(r *round) error { return r.server.pause() },
		end:   func(r *round) error { return r.server.resume() }},
	{name: "slow disk",
		begin: func(r *round) error { return r.server.inject(injected{CommitDelay: r.upTo(longestCommit)}) },
		end:   func(r *round) error { return r.server.inject(injected{}) }},
	{name: "clock jumped",
		begin: func(r *round) error { return r.server.inject(injected{ClockAhead: r.upTo(longestJump)}) },
		end:   func(r *round) error { return r.server.inject(injected{}) }},
}

// toDatabase are the disturbances of the network to the database.
var toDatabase = []disturbance{
	{name: "database cut off", database: true,
		begin: func(r *round) error { r.engine.toDatabase.SetCut(true); return nil },
		end:   func(r *round) error { r.engine.toDatabase.SetCut(false); return nil }},
	{name: "slow network to the database",
		begin: func(r *round) error { r.engine.toDatabase.SetDelay(r.upTo(longestPacket)); return nil },
		end:   func(r *round) error { r.engine.toDatabase.SetDelay(0); return nil }},
}

// toQueue are the disturbances of the network to the message queue.
var toQueue = []disturbance{
	{name: "message queue cut off",
		begin: func(r *round) error { r.engine.queue.proxy.SetCut(true); return nil },
		end:   func(r *round) error { r.engine.queue.proxy.SetCut(false); return nil }},
	{name: "slow network to the message queue",
		begin: func(r *round) error { r.engine.queue.proxy.SetDelay(r.upTo(longestMessage)); return nil },
		end:   func(r *round) error { r.engine.queue.proxy.SetDelay(0); return nil }},
}

// choose picks a fault and a disturbance for each strike, in turn, so that every combination occurs
// with and without a message queue.
func (r *round) choose(strike int) (fault, disturbance) {
	n := r.before*r.options.strikes + strike
	f := faults[n%len(faults)]
	var all []disturbance
	if r.server.queue != nil {
		all = append(all, toQueue...)
	}
	all = append(all, anywhere...)
	if r.engine.toDatabase != nil {
		all = append(all, toDatabase...)
	}
	if f == killDatabase && r.engine.cluster == nil {
		f = killServer
	}
	return f, all[n%len(all)]
}

// wait waits for a random time under load.
func (r *round) wait(ctx context.Context) error {
	span := r.shortest + r.upTo(r.longest-r.shortest+1)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(span / 2):
		return nil
	}
}

// strike disturbs the server for a while and then applies a fault. Some servers are killed while
// they are disturbed.
func (r *round) strike(ctx context.Context, number int) error {
	f, d := r.choose(number)
	r.strikes[string(f)]++
	r.strikes[d.name]++
	if f == killDatabase || d.database {
		r.databaseLost.Store(true)
	}
	if err := r.wait(ctx); err != nil {
		return err
	}
	if err := d.begin(r); err != nil {
		return fmt.Errorf("%s: %w", d.name, err)
	}
	err := r.wait(ctx)
	meanwhile := f == killServer && r.random.IntN(2) == 0
	if err == nil && meanwhile {
		err = r.server.kill()
	}
	if ended := d.end(r); ended != nil {
		return fmt.Errorf("end of %s: %w", d.name, ended)
	}
	if err != nil || meanwhile {
		return err
	}
	if err := r.wait(ctx); err != nil {
		return err
	}
	switch f {
	case stopServer:
		return r.server.stop()
	case killServer:
		return r.server.kill()
	}
	if err := r.engine.cluster.Restart(); err != nil {
		return err
	}
	return r.wait(ctx)
}

// restart starts the server if the fault ended it.
func (r *round) restart(ctx context.Context) error {
	if r.server.process != nil {
		return nil
	}
	r.http.CloseIdleConnections()
	began := time.Now()
	err := r.server.start(ctx)
	r.restarted = max(r.restarted, time.Since(began))
	return err
}
