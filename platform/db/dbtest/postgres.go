// Package dbtest gives tests and measurements real databases, among them temporary PostgreSQL clusters.
package dbtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the database/sql driver named pgx
)

// serverVariable names the environment variable with the URL of an existing server to use instead of a temporary one.
const serverVariable = "PUNCHCARD_TEST_POSTGRES"

var shared struct {
	once    sync.Once
	cluster *Cluster
	err     error
}

// Postgres returns the one PostgreSQL cluster of this test process and starts it at the first call.
// It is a temporary cluster, or the server at PUNCHCARD_TEST_POSTGRES when that is set. Main stops it.
func Postgres() (*Cluster, error) {
	shared.once.Do(func() {
		if server := os.Getenv(serverVariable); server != "" {
			shared.cluster, shared.err = useServer(server)
			return
		}
		shared.cluster, shared.err = StartCluster(Options{})
	})
	return shared.cluster, shared.err
}

// Main runs a package's tests, stops the cluster that Postgres started, and ends the process. Call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()
	// A call of Postgres after this one finds no cluster instead of starting one that nobody stops.
	shared.once.Do(func() { shared.err = errors.New("the tests of this process are over") })
	if shared.cluster != nil {
		if err := shared.cluster.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "dbtest: stop PostgreSQL:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// Cluster is a PostgreSQL server that databases can be made on. Tests may make them at the same time; Kill, Restart
// and Stop need a caller that is alone.
type Cluster struct {
	base   url.URL // where the server is; the path is left to URL
	admin  string  // URL of the database that CREATE DATABASE is sent to
	prefix string  // put before every database name, so that processes can share one server
	server *server // nil for a server that somebody else runs

	mu      sync.Mutex
	created map[string]bool // databases that are there, to drop at Stop on a server that somebody else runs
}

// useServer takes a server that somebody else runs. Its user must be allowed to create databases.
func useServer(address string) (*Cluster, error) {
	base, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(base.Scheme, "postgres") {
		return nil, errors.New(serverVariable + " is not a URL of the form postgres://user@host/database")
	}
	c := &Cluster{
		base: *base, admin: address, created: map[string]bool{},
		prefix: "punchcard_" + strings.ToLower(rand.Text()[:10]) + "_",
	}
	return c, c.execute("SELECT 1")
}

// URL returns the address of a database of this cluster, in the form that pgx reads.
func (c *Cluster) URL(database string) string {
	address := c.base
	address.Path = "/" + c.prefix + database
	return address.String()
}

// CreateDatabase makes an empty database that sorts by bytes. The name is made of lower-case letters, digits and
// underscores, 40 at most.
func (c *Cluster) CreateDatabase(name string) error {
	return c.create(name, "template0 LOCALE 'C' ENCODING 'UTF8'")
}

// CopyDatabase makes a database with all that another one of this cluster holds. Nobody may be connected to that one.
func (c *Cluster) CopyDatabase(name, from string) error {
	if err := checkName(from); err != nil {
		return err
	}
	return c.create(name, c.prefix+from)
}

// create copies a template file by file, which is several times faster than writing it to the log as the default does.
func (c *Cluster) create(name, template string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := c.execute(fmt.Sprintf("CREATE DATABASE %s%s TEMPLATE %s STRATEGY file_copy",
		c.prefix, name, template)); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.created[name] = true
	return nil
}

// DropDatabase removes a database, and ends the sessions that are connected to it. An unknown name is no error.
func (c *Cluster) DropDatabase(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := c.execute("DROP DATABASE IF EXISTS " + c.prefix + name + " WITH (FORCE)"); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.created, name)
	return nil
}

// Kill ends a temporary server at once, as a crash does: sessions break, nothing is flushed, and the next start
// recovers from the write-ahead log.
func (c *Cluster) Kill() error {
	if c.server == nil {
		return errForeign
	}
	return c.server.kill()
}

// Restart kills a temporary server and starts it again, with the same databases at the same URLs.
func (c *Cluster) Restart() error {
	if err := c.Kill(); err != nil {
		return err
	}
	return c.startServer()
}

// Stop ends a temporary server and removes its files. On a server that somebody else runs, it drops the databases
// that were created. A second call does nothing.
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

// execute runs one statement in a connection of its own, so that none stays open across a kill.
func (c *Cluster) execute(statement string) error {
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

// namePattern leaves room for the prefix within PostgreSQL's limit of 63 bytes a name.
var namePattern = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,39}$`)

func checkName(name string) error {
	if !namePattern.MatchString(name) {
		return fmt.Errorf("database name %q: want up to 40 lower-case letters, digits and underscores", name)
	}
	return nil
}
