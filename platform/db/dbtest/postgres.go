// Package dbtest provides real databases for tests and benchmarks, including temporary PostgreSQL clusters.
package dbtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the database/sql driver named pgx

	"punchcard/platform/testmode"
)

// serverVariable is the environment variable with the URL of an existing server to use instead of a temporary
// one.
const serverVariable = "PUNCHCARD_TEST_POSTGRES"

// templateVariable is the environment variable with the name of a database of that server that is migrated and empty.
const templateVariable = "PUNCHCARD_TEST_POSTGRES_TEMPLATE"

var shared struct {
	start   sync.Once
	cluster *Cluster
	err     error
}

// Postgres returns the PostgreSQL cluster of this test process: a temporary one, which the first call starts
// and Main stops, or the server at PUNCHCARD_TEST_POSTGRES if that is set.
func Postgres() (*Cluster, error) {
	shared.start.Do(func() {
		if server := os.Getenv(serverVariable); server != "" {
			shared.cluster, shared.err = useServer(server)
			return
		}
		shared.cluster, shared.err = StartCluster(Options{})
	})
	return shared.cluster, shared.err
}

// Main runs the tests of a package, stops the cluster that Postgres started, and ends the process. TestMain
// calls it, and passes what else is to be stopped.
func Main(m *testing.M, stops ...func() error) {
	setRounds()
	code := m.Run()
	for _, stop := range stops {
		if err := stop(); err != nil {
			fmt.Fprintln(os.Stderr, "dbtest: stop:", err)
			code = max(code, 1)
		}
	}
	// A later call of Postgres must not start a cluster that nothing stops.
	shared.start.Do(func() { shared.err = errors.New("the tests of this process have ended") })
	if shared.cluster != nil {
		if err := shared.cluster.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "dbtest: stop PostgreSQL:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// setRounds chooses how many random inputs each property is checked with, unless the command line does.
func setRounds() {
	if checks := flag.Lookup("rapid.checks"); checks != nil {
		if err := checks.Value.Set(strconv.Itoa(testmode.Of(20, 100, 400))); err != nil {
			panic(err) // it takes a number
		}
	}
}

// MainOnBoth is Main for a package whose tests all run on both databases in every mode, as if each called Both.
func MainOnBoth(m *testing.M, stops ...func() error) {
	allOnBoth.Store(true)
	Main(m, stops...)
}

// Cluster is a PostgreSQL server for test databases. Databases may be created concurrently. Nothing else may
// use the cluster during Kill, Restart and Stop.
type Cluster struct {
	base     url.URL // without a database
	admin    string  // URL of the database that receives CREATE DATABASE
	template string  // full name of a migrated, empty database to copy; empty if there is none
	prefix   string  // of every database name, so that processes can share one server
	server   *server // nil for an existing server

	mu      sync.Mutex
	created map[string]bool // databases to drop at Stop on an existing server
}

// useServer uses an existing server, whose user must be allowed to create databases.
func useServer(address string) (*Cluster, error) {
	base, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(base.Scheme, "postgres") {
		return nil, errors.New(serverVariable + " is not a URL of the form postgres://user@host/database")
	}
	c := &Cluster{
		base: *base, admin: address, template: os.Getenv(templateVariable), created: map[string]bool{},
		prefix: "punchcard_" + strings.ToLower(rand.Text()[:10]) + "_",
	}
	return c, c.Execute("SELECT 1")
}

// URL returns the address of a database of this cluster, in the form that pgx reads.
func (c *Cluster) URL(database string) string {
	address := c.base
	address.Path = "/" + c.prefix + database
	return address.String()
}

// CreateDatabase creates an empty database that sorts by bytes. The name consists of at most 40 lower-case
// letters, digits and underscores.
func (c *Cluster) CreateDatabase(name string) error {
	return c.create(name, "template0 LOCALE 'C' ENCODING 'UTF8'")
}

// CopyDatabase creates a copy of another database of this cluster, to which nothing may be connected.
func (c *Cluster) CopyDatabase(name, from string) error {
	if err := checkName(from); err != nil {
		return err
	}
	return c.create(name, c.prefix+from)
}

// create copies a template file by file, which is several times faster than the default of writing it to the
// log.
func (c *Cluster) create(name, template string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := c.Execute(fmt.Sprintf("CREATE DATABASE %s%s TEMPLATE %s STRATEGY file_copy",
		c.prefix, name, template)); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.created[name] = true
	return nil
}

// DropDatabase removes a database and ends the sessions that are connected to it. An unknown name is no error.
func (c *Cluster) DropDatabase(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := c.Execute("DROP DATABASE IF EXISTS " + c.prefix + name + " WITH (FORCE)"); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.created, name)
	return nil
}

// Kill ends a temporary server as a crash does: sessions break, nothing is flushed, and the next start
// recovers from the write-ahead log.
func (c *Cluster) Kill() error {
	if c.server == nil {
		return errForeign
	}
	return c.server.kill()
}

// Folder is the data folder of a temporary server, which may be exchanged after Kill.
func (c *Cluster) Folder() (string, error) {
	if c.server == nil {
		return "", errForeign
	}
	return c.server.data(), nil
}

// Restart kills a temporary server and starts it again, with the same databases at the same URLs.
func (c *Cluster) Restart() error {
	if err := c.Kill(); err != nil {
		return err
	}
	return c.startServer()
}

// Stop ends a temporary server and removes its files. On an existing server it drops the databases that were
// created. A second call does nothing.
func (c *Cluster) Stop() error {
	if c.server != nil {
		return errors.Join(c.server.kill(), os.RemoveAll(c.server.folder))
	}
	c.mu.Lock()
	left := slices.Sorted(maps.Keys(c.created))
	c.mu.Unlock()
	var failures []error
	for _, name := range left {
		failures = append(failures, c.DropDatabase(name))
	}
	return errors.Join(failures...)
}

var errForeign = errors.New("this PostgreSQL server was given by " + serverVariable + " and cannot be killed")

// Execute runs one statement on its own connection to the database postgres, so that none stays open across a kill.
func (c *Cluster) Execute(statement string) error {
	admin, err := sql.Open("pgx", c.admin)
	if err != nil {
		return err
	}
	defer admin.Close()
	if _, err := admin.ExecContext(context.Background(), statement); err != nil {
		return fmt.Errorf("PostgreSQL: %q: %w", statement, err)
	}
	return nil
}

// namePattern leaves space for the prefix within PostgreSQL's limit of 63 bytes.
var namePattern = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,39}$`)

func checkName(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("database name %q: want up to 40 lower-case letters, digits and underscores", name)
	}
	return nil
}
