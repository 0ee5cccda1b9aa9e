// Command drill practises what an operator does, with real programs: installing, upgrading, watching. It needs root on
// a Debian-like system, and installs what it uses.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"punchcard/app/apptest"
	"punchcard/lab/drill/power"
)

// drillCase is one exercise. Its files are in a folder of its own, which is removed afterwards.
type drillCase struct {
	name, about string
	run         func(ctx context.Context, folder string, out io.Writer) error
}

var cases = []drillCase{
	{"image", "build the container image and run it with a read-only root", runImage},
	{"compose", "run compose.yaml and compose.scaled.yaml, and restart its nodes one by one under load", runCompose},
	{"upgrade", "upgrade nodes one by one under load, forwards and back", runUpgrade},
	{"copy", "lose a machine under load, and restore its copy from a folder, S3 and SFTP", runCopy},
	{"database", "connect through PgBouncer, and to the one of several servers that takes writes", runDatabase},
	{"power", "cut the power below SQLite and PostgreSQL", power.Run},
	{"backup", "back up PostgreSQL with pgBackRest under load, destroy it, and restore it", runBackup},
	{"ha", "lose each part of three machines under load: databases, nodes, message queues, proxies, the network", runHA},
	{"chart", "lint and render the chart for Kubernetes, and read it as its API does", runChart},
	{"monitoring", "run the queries of the dashboard and of the alerts in Prometheus", runMonitoring},
	{"package", "install, upgrade and remove the packages, and look at the service", runPackage},
	{"install", "time the four ways to install, from the download to the first log-in", runInstall},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "drill:", err)
		os.Exit(1)
	}
}

// run runs the cases with the names, or all, in the folder of the repository.
func run(ctx context.Context, names []string, out io.Writer) error {
	root, err := apptest.Root(ctx)
	if err != nil {
		return err
	}
	if err := os.Chdir(root); err != nil {
		return err
	}
	for _, name := range names {
		if !slices.ContainsFunc(cases, func(c drillCase) bool { return c.name == name }) {
			return fmt.Errorf("there is no case %q; see lab/drill/main.go", name)
		}
	}
	var failed []error
	for _, c := range cases {
		if len(names) > 0 && !slices.Contains(names, c.name) {
			continue
		}
		fmt.Fprintf(out, "%s: %s\n", c.name, c.about)
		began := time.Now()
		if err := inFolder(ctx, c, out); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", c.name, err))
			fmt.Fprintf(out, "%s: FAILED: %v\n", c.name, err)
			continue
		}
		fmt.Fprintf(out, "%s: passed in %.1f s\n", c.name, time.Since(began).Seconds())
	}
	return errors.Join(failed...)
}

func inFolder(ctx context.Context, c drillCase, out io.Writer) (err error) {
	folder, err := os.MkdirTemp("", "punchcard-drill-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	return c.run(ctx, folder, out)
}
