package dbtest

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"punchcard/platform/testwait"
)

// orphanVariable makes the test binary start a cluster, print its URL and wait to be killed.
const orphanVariable = "PUNCHCARD_DBTEST_ORPHAN"

func TestMain(m *testing.M) {
	if os.Getenv(orphanVariable) != "" {
		waitForDeath()
	}
	Main(m)
}

func TestPostgresStartsOneClusterWithSeparateDatabases(t *testing.T) {
	first := sharedCluster(t)
	if second := sharedCluster(t); second != first {
		t.Fatal("a second call of Postgres started a second cluster")
	}
	for _, name := range []string{"separate_a", "separate_b"} {
		createDatabase(t, first, name)
	}
	run(t, first.URL("separate_a"), "CREATE TABLE only_in_a (id TEXT PRIMARY KEY)")
	if got := value(t, first.URL("separate_b"), "SELECT to_regclass('only_in_a') IS NULL"); got != "true" {
		t.Errorf("the table of one database is seen in the other")
	}
	if got := value(t, first.URL("separate_b"), "SELECT 'B' < 'a'"); got != "true" {
		t.Errorf("the database does not sort by bytes")
	}
}

func TestCopyDatabaseHoldsWhatTheOriginalHolds(t *testing.T) {
	cluster := sharedCluster(t)
	createDatabase(t, cluster, "copy_from")
	run(t, cluster.URL("copy_from"), "CREATE TABLE kept AS SELECT 'copied' AS word")
	if err := cluster.CopyDatabase("copy_to", "copy_from"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dropDatabase(t, cluster, "copy_to") })
	if got := value(t, cluster.URL("copy_to"), "SELECT word FROM kept"); got != "copied" {
		t.Errorf("the copy holds %q", got)
	}
}

func TestCreateDatabaseRefusesOtherNames(t *testing.T) {
	cluster := sharedCluster(t)
	for _, name := range []string{"", "Upper", "1st", "a b", "a;b", strings.Repeat("a", 41)} {
		if err := cluster.CreateDatabase(name); err == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
}

func TestDurableClusterKeepsCommitsAcrossAKill(t *testing.T) {
	port := freePort(t)
	cluster, err := StartCluster(Options{Durable: true, TCPPort: port})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, cluster) })
	if err := cluster.CreateDatabase("crash"); err != nil {
		t.Fatal(err)
	}
	address := cluster.URL("crash")
	if want := fmt.Sprintf("@127.0.0.1:%d/crash", port); !strings.Contains(address, want) {
		t.Errorf("URL %q, want %q in it", address, want)
	}
	for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
		if got := value(t, address, "SHOW "+name); got != "on" {
			t.Errorf("%s is %s on a durable cluster", name, got)
		}
	}
	run(t, address, "CREATE TABLE kept AS SELECT 'committed' AS word")
	if err := cluster.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := ping(t, address); err == nil {
		t.Error("the killed server answers")
	}
	for range 2 { // the second time the server is running
		if err := cluster.Restart(); err != nil {
			t.Fatal(err)
		}
		if got := value(t, address, "SELECT word FROM kept"); got != "committed" {
			t.Errorf("after the restart the row reads %q", got)
		}
	}
}

func TestStopRemovesTheFiles(t *testing.T) {
	cluster, err := StartCluster(Options{})
	if err != nil {
		t.Fatal(err)
	}
	folder := cluster.server.folder
	if socket := folder + "/.s.PGSQL.65535"; len(socket) >= socketLimit {
		t.Errorf("the socket's path %s is too long", socket)
	}
	if got := value(t, cluster.URL("postgres"), "SHOW fsync"); got != "off" {
		t.Errorf("fsync is %s on a cluster for tests", got)
	}
	if got := value(t, cluster.URL("postgres"), "SHOW listen_addresses"); got != "" {
		t.Errorf("the cluster listens on %s", got)
	}
	for range 2 { // the second call does nothing
		stop(t, cluster)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestStartClusterTellsWhyTheServerEnded(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cluster, err := StartCluster(Options{TCPPort: taken.Addr().(*net.TCPAddr).Port})
	if err == nil {
		stop(t, cluster)
		t.Fatal("a cluster started on a port that is taken")
	}
	if !strings.Contains(err.Error(), "Address already in use") {
		t.Errorf("the error does not tell the reason: %v", err)
	}
}

func TestForeignServerIsLeftAsItWas(t *testing.T) {
	own := sharedCluster(t)
	list := "SELECT count(*) FROM pg_database WHERE datname LIKE 'punchcard\\_%\\_foreign'"
	foreign, err := useServer(own.admin)
	if err != nil {
		t.Fatal(err)
	}
	if err := foreign.CreateDatabase("foreign"); err != nil {
		t.Fatal(err)
	}
	if err := ping(t, foreign.URL("foreign")); err != nil {
		t.Error(err)
	}
	if got := value(t, own.admin, list); got != "1" {
		t.Errorf("%s databases were made", got)
	}
	if err := foreign.Kill(); err == nil {
		t.Error("the server of somebody else was killed")
	}
	stop(t, foreign)
	if got := value(t, own.admin, list); got != "0" {
		t.Errorf("%s databases were left behind", got)
	}
}

func TestUseServerHidesThePassword(t *testing.T) {
	_, err := useServer("mysql://somebody:secret@host/name")
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v, want an error without the password", err)
	}
}

func TestServerDiesWithItsProcess(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), orphanVariable+"=1")
	parent.Stderr = os.Stderr
	output, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(line)
	t.Cleanup(func() { removeSocketFolder(t, address) })
	connection := open(t, address)
	if err := connection.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	broken := make(chan error, 1)
	go func() {
		_, err := connection.ExecContext(t.Context(), "SELECT pg_sleep(60)")
		broken <- err
	}()
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // tells of the kill
	if err := <-broken; err == nil {
		t.Error("the server outlived its parent")
	}
}

// waitForDeath is the life of the process that TestServerDiesWithItsProcess kills.
func waitForDeath() {
	cluster, err := StartCluster(Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(cluster.URL("postgres"))
	<-cluster.server.exited
	os.Exit(1)
}

func sharedCluster(t *testing.T) *Cluster {
	t.Helper()
	cluster, err := Postgres()
	if err != nil {
		t.Fatal(err)
	}
	return cluster
}

func createDatabase(t *testing.T, cluster *Cluster, name string) {
	t.Helper()
	if err := cluster.CreateDatabase(name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dropDatabase(t, cluster, name) })
}

func dropDatabase(t *testing.T, cluster *Cluster, name string) {
	t.Helper()
	if err := cluster.DropDatabase(name); err != nil {
		t.Error(err)
	}
}

func stop(t *testing.T, cluster *Cluster) {
	t.Helper()
	if err := cluster.Stop(); err != nil {
		t.Error(err)
	}
}

// removeSocketFolder clears up after a process that was killed before it could.
func removeSocketFolder(t *testing.T, address string) {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Error(err)
		return
	}
	if err := os.RemoveAll(parsed.Query().Get("host")); err != nil {
		t.Error(err)
	}
}

func open(t *testing.T, address string) *sql.DB {
	t.Helper()
	connection, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := connection.Close(); err != nil {
			t.Error(err)
		}
	})
	return connection
}

func ping(t *testing.T, address string) error {
	t.Helper()
	limit, cancel := context.WithTimeout(t.Context(), testwait.Limit())
	defer cancel()
	connection := open(t, address)
	defer connection.Close()
	return connection.PingContext(limit)
}

func run(t *testing.T, address, statement string) {
	t.Helper()
	connection := open(t, address)
	defer connection.Close()
	if _, err := connection.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// value returns the single value that a query answers, as text.
func value(t *testing.T, address, query string) string {
	t.Helper()
	connection := open(t, address)
	defer connection.Close()
	var text string
	if err := connection.QueryRowContext(t.Context(), query).Scan(&text); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return text
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
