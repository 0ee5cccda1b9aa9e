// Command bench measures the product through HTTP and compares it with a ceiling on the same machine: a handler that
// only verifies the token, parses the body and writes the same bytes.
//
// Absolute numbers on a shared machine change by a factor of two within minutes. Results are therefore median ratios
// over rounds in which all scenarios and their ceilings take turns.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"punchcard/app/apptest"
)

// options are the flags.
type options struct {
	choice
	engines     []string
	connections []int
	rounds      int
	measure     time.Duration // of one round
	warmUp      time.Duration // before each round
	customers   int
	grown       int             // factor by which customers and purchases are multiplied
	loads       []int           // of open loops, in per cent of the rate of the closed one
	codes       int             // for all purchases of one server, shared by its campaigns
	delays      []time.Duration // of PostgreSQL far away, in each direction
	records     int             // of an import
	each        int             // how often each call is made
	against     []string        // other builds of the product
	folder      string
	quick       bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	run := bench
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case ceilingCommand:
			run = serveCeiling
		case loadCommand:
			run = generateLoad
		}
	}
	if err := run(ctx); err != nil {
		if ctx.Err() != nil {
			err = errors.New("interrupted") // errors caused by the interruption are of no interest
		}
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// codesPerSecond is more than one campaign sells in a second, open loops included.
const codesPerSecond = 20_000

// quickly describes -quick, which shows that everything works but not how fast.
const quickly = "smoke test of a few seconds for each database: 1,000 customers, 64 connections, " +
	"one round of half a second"

func readOptions() (*options, error) {
	o := &options{}
	engines := flag.String("engine", "sqlite,postgres", "databases to measure, separated by commas")
	chosen := flag.String("scenario", "", "scenarios, separated by commas: "+strings.Join(scenarioNames(), ", ")+
		"; empty means all")
	connections := flag.String("connections", "1,64,1500", "numbers of connections, separated by commas")
	against := flag.String("against", "", "other builds of the product, paths separated by commas, to measure in turns "+
		"with this one, without ceilings")
	loads := flag.String("loads", "50,80", "rates of the open loops, in per cent of what the closed loop reaches, "+
		"separated by commas; empty measures none")
	seconds := flag.Float64("seconds", 4, "measured time of a round")
	flag.IntVar(&o.rounds, "rounds", 3, "rounds, in each of which product and ceiling take turns")
	flag.IntVar(&o.customers, "customers", 20_000, "customers who send requests")
	flag.IntVar(&o.grown, "grown", 1, "factor by which the stored customers, with five purchases each, "+
		"exceed those who send requests: 50 makes a million of 20,000")
	delays := flag.String("delays", "0.5,2.5", "milliseconds that are added on the way to PostgreSQL and on the way "+
		"back, separated by commas; empty measures none")
	flag.IntVar(&o.records, "records", 100_000, "records of each import")
	flag.StringVar(&o.folder, "dir", os.TempDir(), "folder for temporary data, on the disk to be measured")
	flag.BoolVar(&o.quick, "quick", false, quickly)
	flag.Parse()
	o.warmUp, o.each = time.Second, 20
	if o.quick {
		o.rounds, o.customers, o.warmUp, *seconds, *connections = 1, 1000, 200*time.Millisecond, 0.5, "64"
		o.records, o.each = 1000, 3
	}
	o.measure = time.Duration(*seconds * float64(time.Second))
	var err error
	if o.connections, err = readNumbers("connections", *connections); err != nil {
		return nil, err
	}
	if *loads != "" {
		if o.loads, err = readNumbers("loads", *loads); err != nil {
			return nil, err
		}
	}
	if *delays != "" {
		for text := range strings.SplitSeq(*delays, ",") {
			delay, err := time.ParseDuration(text + "ms")
			if err != nil || delay <= 0 {
				return nil, fmt.Errorf("-delays: %q is no positive number", text)
			}
			o.delays = append(o.delays, delay)
		}
	}
	if *against != "" {
		o.against = strings.Split(*against, ",")
	}
	for name := range strings.SplitSeq(*engines, ",") {
		if !slices.Contains([]string{"sqlite", "postgres"}, name) {
			return nil, fmt.Errorf("-engine: there is no engine %q", name)
		}
		o.engines = append(o.engines, name)
	}
	if o.grown < 1 || o.grown > 1000 {
		return nil, errors.New("-grown: want 1 to 1,000")
	}
	if o.rounds < 1 || o.measure <= 0 || o.customers < 100 || flag.NArg() > 0 {
		return nil, errors.New("want at least one round, some time, 100 customers, and nothing but flags")
	}
	o.codes = int(codesPerSecond * float64(o.rounds) * (o.warmUp + o.measure).Seconds())
	o.choice, err = chooseScenarios(*chosen)
	return o, err
}

// readNumbers reads the value of a flag: positive numbers separated by commas.
func readNumbers(flag, text string) (numbers []int, err error) {
	for number := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-%s: %q is no positive number", flag, number)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// bench measures what the flags select and prints the tables. Wrong or missing responses are errors, and so are
// exceeded limits of scenarios; slow responses are not.
func bench(ctx context.Context) (err error) {
	o, err := readOptions()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(o.folder, "punchcard-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	b := &bencher{options: o, folder: folder}
	if b.product, err = apptest.Build(ctx, folder, []string{"CGO_ENABLED=0"}, "-trimpath"); err != nil {
		return err
	}
	report := &report{options: o}
	for _, name := range o.engines {
		if err := b.measureEngine(ctx, name, report); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := report.write(os.Stdout); err != nil {
		return err
	}
	return report.problems()
}

func progress(format string, values ...any) { fmt.Fprintf(os.Stderr, format+"\n", values...) }
