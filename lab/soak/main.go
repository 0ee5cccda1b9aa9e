// Command soak shows that nothing is lost: it kills the product under load, restarts it, and
// compares every response with what is stored.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	program  string // the product
	engines  []string
	rounds   int
	writes   int // acknowledged writes below which further rounds follow
	seed     uint64
	strikes  int // faults in each round
	clients  int
	database string        // URL of an empty database on an existing PostgreSQL server
	shortest time.Duration // load before the fault
	longest  time.Duration
	ledger   string // path of the ledger, which adds up runs; empty for none
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	o, err := readOptions()
	if err == nil {
		err = buildAndSoak(ctx, o)
	}
	if err != nil {
		if ctx.Err() != nil {
			err = errors.New("interrupted") // errors caused by the interruption are of no interest
		}
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func buildAndSoak(ctx context.Context, o options) (err error) {
	folder, err := os.MkdirTemp("", "punchcard-program-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if o.program, err = build(ctx, folder); err != nil {
		return err
	}
	commit := commitOf(ctx, ".") // of the build; the tree may change later
	all, err := soak(ctx, o, os.Stdout)
	if o.ledger == "" {
		return err
	}
	return errors.Join(err, addUp(o, commit, all))
}

// addUp adds a run, complete or interrupted, to the ledger and prints its sums.
func addUp(o options, commit string, all []totals) error {
	if err := appendRuns(o.ledger, commit, o.seed, all); err != nil {
		return err
	}
	entries, err := readLedger(o.ledger)
	if err != nil {
		return err
	}
	return printTotals(os.Stdout, entries)
}

func readOptions() (options, error) {
	o := options{shortest: 100 * time.Millisecond}
	engines := flag.String("engine", "sqlite,postgres", "databases, separated by commas")
	flag.IntVar(&o.rounds, "rounds", 50, "rounds of each database")
	flag.IntVar(&o.writes, "writes", 10_000, "acknowledged writes of each database: further rounds follow until then")
	flag.IntVar(&o.strikes, "strikes", 4, "faults of a round")
	flag.StringVar(&o.ledger, "ledger", "", "file that what was reached is appended to")
	flag.Uint64Var(&o.seed, "seed", 0, "what to draw the load and the faults from; 0 draws a seed, which is printed")
	flag.IntVar(&o.clients, "clients", 32, "concurrent clients")
	flag.StringVar(&o.database, "database", "", "URL of an empty PostgreSQL database to use instead of a temporary one")
	flag.DurationVar(&o.longest, "load", time.Second, "longest load before a fault")
	flag.Parse()
	o.engines = strings.Split(*engines, ",")
	for _, name := range o.engines {
		if !slices.Contains([]string{"sqlite", "postgres"}, name) {
			return o, fmt.Errorf("-engine: there is no engine %q", name)
		}
	}
	if o.rounds < 1 || o.strikes < 1 || o.clients < 2 || o.longest < o.shortest || flag.NArg() > 0 {
		return o, fmt.Errorf("want a round, a fault, two clients, a load of %v at least, and nothing but flags", o.shortest)
	}
	if o.seed == 0 {
		o.seed = rand.Uint64()
	}
	return o, nil
}

// totals are the sums over all rounds on a database.
type totals struct {
	engine   string
	rounds   int
	findings int
	strikes  map[string]int // faults and disturbances by name
	counts
}

// errFindings reports that promises were broken; each was printed.
var errFindings = errors.New("promises were broken")

// soak runs the rounds of all databases and prints one line for each round and each database.
func soak(ctx context.Context, o options, out io.Writer) (all []totals, err error) {
	folder, err := os.MkdirTemp("", "punchcard-soak-")
	if err != nil {
		return nil, err
	}
	keep := false // the files, after a finding
	defer func() {
		if keep {
			fmt.Fprintln(out, "the databases and logs stay in", folder)
			return
		}
		err = errors.Join(err, os.RemoveAll(folder))
	}()
	fmt.Fprintf(out, "seed %d\n", o.seed)
	for _, name := range o.engines {
		sum, err := soakEngine(ctx, o, name, filepath.Join(folder, name), out)
		all = append(all, sum)
		keep = keep || sum.findings > 0
		if err != nil {
			return all, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(out, "%s: %d rounds, %v, %s, %d findings\n", name, sum.rounds, sum.strikes, sum.counts, sum.findings)
	}
	if keep {
		return all, errFindings
	}
	return all, nil
}

func soakEngine(ctx context.Context, o options, name, folder string, out io.Writer) (sum totals, err error) {
	sum.engine, sum.strikes = name, map[string]int{}
	e, err := newEngine(name, folder, o.database)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, e.stop()) }()
	s, err := openServer(o.program, folder, e.flags, e.queue)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, s.stop(), s.log.Close()) }()
	if err := s.start(ctx); err != nil {
		return sum, err
	}
	shop, err := openShop(ctx, s)
	if err != nil {
		return sum, err
	}
	for number := 0; number < o.rounds || sum.verified < o.writes; number++ {
		q, before := e.turn(number)
		if err := s.switchQueue(ctx, q); err != nil {
			return sum, fmt.Errorf("before round %d: %w: %s", number, err, s.log.Tail())
		}
		r := &round{options: o, engine: e, server: s, shop: shop, number: number, before: before, folder: folder,
			epoch: time.Now(), strikes: map[string]int{},
			random: rand.New(rand.NewPCG(o.seed, uint64(number)))}
		if err := r.run(ctx); err != nil {
			return sum, fmt.Errorf("round %d: %w: %s", number, err, s.log.Tail())
		}
		sum.rounds++
		sum.findings += len(r.findings)
		sum.add(r.counts)
		for strike, n := range r.strikes {
			sum.strikes[strike] += n
		}
		fmt.Fprintf(out, "%s round %d: %v, %s, restarted in %d ms, %d findings\n", name, number, r.strikes, r.counts,
			r.restarted.Milliseconds(), len(r.findings))
		for _, finding := range r.findings {
			fmt.Fprintln(out, "  FINDING", finding)
		}
	}
	return sum, nil
}
