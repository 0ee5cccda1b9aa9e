package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"punchcard/app/apptest"
)

const (
	// writesBack is how long a client may wait for the acknowledgement of a write while a machine is lost.
	writesBack = 45 * time.Second
	// outOfSight is how long a machine is paused or cut off: longer than until its servers are replaced.
	outOfSight = 40 * time.Second

	// settling is how long a server that is back may take to see what has changed: two rounds of Patroni.
	settling = 10 * time.Second

	outsideClients, insideClients = 24, 2
	betweenFaults                 = 120 // writes that are acknowledged before, during and after a fault
)

// machineFault happens to the machine that has the role in the database.
type machineFault struct {
	name, role string
	strike     func(ctx context.Context, m *machines, victim int) error
	repair     func(ctx context.Context, m *machines, victim int) error // beside starting what does not run
	lasts      time.Duration                                            // at least
}

// killing returns a fault that kills programs of a machine.
func killing(name, role string, programs ...string) machineFault {
	return machineFault{name: name, role: role, strike: func(ctx context.Context, m *machines, victim int) error {
		return m.signal(ctx, victim, syscall.SIGKILL, programs...)
	}, repair: nothing}
}

// pausing returns a fault that pauses programs of a machine, or everything.
func pausing(name, role string, programs ...string) machineFault {
	send := func(signal syscall.Signal) func(context.Context, *machines, int) error {
		return func(ctx context.Context, m *machines, victim int) error {
			return m.signal(ctx, victim, signal, programs...)
		}
	}
	return machineFault{name, role, send(syscall.SIGSTOP), send(syscall.SIGCONT), outOfSight}
}

// cutting returns a fault that cuts a machine off the network.
func cutting(name, role string) machineFault {
	set := func(cut bool) func(context.Context, *machines, int) error {
		return func(ctx context.Context, m *machines, victim int) error { return m.setCut(ctx, victim, cut) }
	}
	return machineFault{name, role, set(true), set(false), outOfSight}
}

func nothing(context.Context, *machines, int) error { return nil }

// Roles of a machine in the database, as rolesQuery has them.
const leader, syncStandby, otherStandby = "primary", "sync", "async"

var machineFaults = []machineFault{
	killing("primary killed", leader, databaseServer...),
	killing("synchronous standby killed", syncStandby, databaseServer...),
	killing("other standby killed", otherStandby, databaseServer...),
	killing("node killed", otherStandby, "punchcard"),
	killing("NATS server killed", leader, "nats-server"),
	killing("proxy killed", leader, "haproxy"),
	killing("etcd server killed", leader, "etcd"),
	pausing("node paused", otherStandby, "punchcard"),
	pausing("primary paused", leader, databaseServer...),
	cutting("network cut, primary alone", leader),
	cutting("network cut, standby alone", syncStandby),
	killing("machine of the primary lost", leader),
}

// outcome is a row of the table that the drill prints.
type outcome struct {
	fault                       string
	acknowledged, lost, doubled int
	back                        time.Duration // the longest time that a client waited for an acknowledgement
	err                         error
}

// runHA lets three machines die in each way, one at a time, while clients write.
func runHA(ctx context.Context, folder string, out io.Writer) (err error) {
	err = need(ctx, map[string]string{
		"patroni": "patroni", "etcd": "etcd-server", "haproxy": "haproxy", "ip": "iproute2",
	})
	if err != nil {
		return err
	}
	product, err := apptest.Build(ctx, folder, []string{"CGO_ENABLED=0"})
	if err != nil {
		return err
	}
	nats, err := buildNATS(ctx, folder)
	if err != nil {
		return err
	}
	m, err := openMachines(ctx, folder, product, nats)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.close(ctx)) }()
	fmt.Fprintln(out, "three machines serve")
	t, err := openTrade(ctx, m.proxies[0], outsideClients+insideClients)
	if err != nil {
		return err
	}
	var outcomes []outcome
	var failed []error
	for number, fault := range machineFaults {
		o := m.endure(ctx, t, fault, fmt.Sprint(number))
		outcomes = append(outcomes, o)
		fmt.Fprintf(out, "%s: %d acknowledged, %.1f s\n", o.fault, o.acknowledged, o.back.Seconds())
		if o.err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", fault.name, o.err))
			break // what follows would only repeat it
		}
	}
	return errors.Join(append(failed, printOutcomes(out, outcomes))...)
}

// endure lets clients write before, during and after a fault, and compares. The key begins those of the writes.
func (m *machines) endure(ctx context.Context, t *trade, f machineFault, key string) (o outcome) {
	o.fault = f.name
	roles, err := m.roles(ctx)
	if err != nil {
		o.err = err
		return o
	}
	victim := roles[f.role]
	remote := t.start(ctx, key+"-away", 0, outsideClients, m.proxies...)
	local := t.start(ctx, key+"-near", outsideClients, insideClients, m.local[victim-1])
	o.err = errors.Join(m.undergo(ctx, f, victim, remote), t.end(remote, local))
	o.acknowledged, o.back = remote.count()+local.count(), remote.longest
	if o.err != nil {
		return o
	}
	lost, doubled, err := t.compare(ctx)
	o.lost, o.doubled = len(lost), len(doubled)
	switch {
	case err != nil:
		o.err = err
	case len(lost)+len(doubled) > 0:
		o.err = fmt.Errorf("lost: %v; doubled: %v", lost, doubled)
	case o.back > writesBack:
		o.err = fmt.Errorf("a client waited for %v, longer than %v", o.back, writesBack)
	default:
		o.err = m.check(ctx)
	}
	return o
}

// undergo lets the fault happen and end, with writes before, meanwhile and afterwards.
func (m *machines) undergo(ctx context.Context, f machineFault, victim int, l *load) error {
	if err := l.more(ctx, betweenFaults); err != nil {
		return err
	}
	began := time.Now()
	if err := f.strike(ctx, m, victim); err != nil {
		return err
	}
	if err := l.more(ctx, betweenFaults); err != nil {
		return fmt.Errorf("meanwhile: %w", err)
	}
	if err := pass(ctx, f.lasts-time.Since(began)); err != nil {
		return err
	}
	if err := errors.Join(f.repair(ctx, m, victim), m.startMissing(ctx, victim)); err != nil {
		return err
	}
	if err := pass(ctx, settling); err != nil {
		return err
	}
	if err := await(ctx, func() error { return m.whole(ctx) }); err != nil {
		return fmt.Errorf("afterwards: %w", err)
	}
	return l.more(ctx, betweenFaults)
}

// pass lets time pass.
func pass(ctx context.Context, span time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(span):
		return nil
	}
}

func printOutcomes(out io.Writer, outcomes []outcome) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.Join([]string{"fault", "acknowledged", "lost", "doubled", "writes back, s"}, "\t"))
	for _, o := range outcomes {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%.1f\n", o.fault, o.acknowledged, o.lost, o.doubled, o.back.Seconds())
	}
	return table.Flush()
}
