package dbtest

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"punchcard/platform/testinstall"
)

const (
	startLimit  = 60 * time.Second      // a start after a crash replays the log first
	startPoll   = 10 * time.Millisecond // pause between two attempts to connect
	socketLimit = 100                   // bytes in the path of a unix socket; the kernel allows 107
	defaultPort = 5432                  // without TCP it only names the socket
	logTail     = 2000                  // bytes of the server's log in an error
)

// Options describe a cluster. The zero value suits tests.
type Options struct {
	Durable bool     // commits are synced to the disk, as in production; false is faster
	Buffers string   // value of shared_buffers; empty means 128MB
	More    []string // further settings, such as wal_level=logical
	TCPPort int      // of 127.0.0.1 to listen on as well, without a password, and to use in URL; 0 means socket only
}

// server is one PostgreSQL server process and its folder.
type server struct {
	folder   string // holds data, socket and log; removed at the end
	program  string // absolute path of the postgres program
	owner    *syscall.Credential
	settings []string
	process  *os.Process   // nil when not running
	exited   chan struct{} // closed once process has ended
}

// errNoPrograms tells a developer without PostgreSQL how to install it.
var errNoPrograms = errors.New("PostgreSQL's programs initdb and postgres were not found: install PostgreSQL 15 or " +
	"later, run as root on a Debian-like system, or set " + serverVariable + " to the URL of a server")

// Programs returns the folder of PostgreSQL's programs, such as initdb. It installs them if they are missing
// and it may.
func Programs() (string, error) {
	folder, found, err := testinstall.PostgreSQL.Path()
	if err == nil && !found {
		err = errNoPrograms
	}
	return folder, err
}

// StartCluster starts a temporary cluster and returns once it accepts connections. It ends with this process.
// Stop also removes its files.
func StartCluster(options Options) (*Cluster, error) {
	programs, err := Programs()
	if err != nil {
		return nil, err
	}
	folder, err := temporaryFolder(options.Durable)
	if err != nil {
		return nil, err
	}
	port := options.TCPPort
	if port == 0 {
		port = defaultPort
	}
	socket := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/", RawQuery: url.Values{
		"host": {folder}, "port": {strconv.Itoa(port)}, "sslmode": {"disable"}}.Encode()}
	c := &Cluster{base: socket, created: map[string]bool{}, server: &server{
		folder:   folder,
		program:  filepath.Join(programs, "postgres"),
		settings: settings(folder, port, options),
	}}
	// Through the socket: on a port in use, another server would answer.
	c.admin = c.URL("postgres")
	if options.TCPPort != 0 {
		c.base.Host, c.base.RawQuery = fmt.Sprintf("127.0.0.1:%d", port), "sslmode=disable"
	}
	if err := c.server.initialize(filepath.Join(programs, "initdb")); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := c.startServer(); err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// temporaryFolder makes a folder whose path is short enough for a socket. It is in memory if commits need not
// be durable and there is enough: a database consists of hundreds of files, which disks create and remove
// slowly.
func temporaryFolder(durable bool) (string, error) {
	parents := []string{os.TempDir(), "/tmp"}
	if memory, ok := memoryFolder(); ok && !durable {
		parents = []string{memory}
	}
	for _, parent := range parents {
		folder, err := os.MkdirTemp(parent, "punchcard-pg-")
		if err != nil || len(folder)+len("/.s.PGSQL.65535") < socketLimit {
			return folder, err
		}
		if err := os.Remove(folder); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%v: too long for the path of a socket", parents)
}

func settings(folder string, port int, options Options) []string {
	listen, durable := "", "off"
	if options.TCPPort != 0 {
		listen = "127.0.0.1"
	}
	if options.Durable {
		durable = "on"
	}
	buffers := cmp.Or(options.Buffers, "128MB")
	all := []string{
		"listen_addresses=" + listen,
		"port=" + strconv.Itoa(port),
		"unix_socket_directories=" + folder,
		"max_connections=500", // of several test processes
		"shared_buffers=" + buffers,
		"fsync=" + durable,
		"synchronous_commit=" + durable,
		"full_page_writes=" + durable,
		"timezone=UTC",
	}
	if !options.Durable {
		// Hundreds of short-lived databases need no vacuum, whose workers would visit each, and no replication.
		all = append(all, "autovacuum=off", "wal_level=minimal", "max_wal_senders=0")
	}
	return append(all, options.More...)
}

// initialize creates the data folder. PostgreSQL refuses to run as root, so root gives the folder to another
// user.
func (s *server) initialize(initdb string) error {
	if os.Geteuid() == 0 {
		if err := s.giveAway(); err != nil {
			return err
		}
	}
	command := s.command(initdb, "-D", s.data(), "-U", "postgres", "-A", "trust",
		"--no-sync", "--locale=C", "-E", "UTF8")
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, output)
	}
	return nil
}

// giveAway gives the folder to the user postgres, or to nobody if there is no such user.
func (s *server) giveAway() error {
	account, err := user.Lookup("postgres")
	if err != nil {
		account, err = user.Lookup("nobody")
	}
	if err != nil {
		return fmt.Errorf("PostgreSQL cannot run as root, and no other user was found: %w", err)
	}
	uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
	if err := errors.Join(uidErr, gidErr); err != nil {
		return err
	}
	s.owner = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(s.folder, int(uid), int(gid))
}

func (s *server) data() string { return filepath.Join(s.folder, "data") }

func (s *server) log() string { return filepath.Join(s.folder, "log") }

// command runs a program as the owner of the folder, in it, and without the PG* variables of this process.
func (s *server) command(program string, arguments ...string) *exec.Cmd {
	command := exec.Command(program, arguments...)
	command.Dir = s.folder
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	command.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner}
	dieWithParent(command.SysProcAttr)
	return command
}

// startServer starts the process and returns once it accepts connections.
func (c *Cluster) startServer() error {
	if err := c.server.run(); err != nil {
		return err
	}
	limit, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	admin, err := sql.Open("pgx", c.admin)
	if err != nil {
		return err
	}
	defer admin.Close()
	poll := time.NewTicker(startPoll)
	defer poll.Stop()
	for {
		refused := admin.PingContext(limit)
		if refused == nil {
			return nil
		}
		select {
		case <-c.server.exited:
			return fmt.Errorf("PostgreSQL ended at its start: %s", c.server.lastLog())
		case <-limit.Done():
			return fmt.Errorf("PostgreSQL did not start within %s: %w: %s", startLimit, refused, c.server.lastLog())
		case <-poll.C:
		}
	}
}

// run starts the process. The kernel ties the death signal to the thread that started it, so a goroutine keeps
// that thread until the process has ended.
func (s *server) run() error {
	arguments := []string{"-D", s.data()}
	for _, setting := range s.settings {
		arguments = append(arguments, "-c", setting)
	}
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	command := s.command(s.program, arguments...)
	command.Stdout, command.Stderr = log, log
	started, exited := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(exited)
		err := command.Start()
		started <- err
		if err == nil {
			_ = command.Wait() // the log says more than the exit status
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	s.process, s.exited = command.Process, exited
	return nil
}

// kill does an immediate shutdown and waits for its end. It does nothing if the server is not running.
func (s *server) kill() error {
	if s.process == nil {
		return nil
	}
	if err := s.process.Signal(syscall.SIGQUIT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.exited
	s.process = nil
	return nil
}

// lastLog returns the end of the server's log, for an error.
func (s *server) lastLog() string {
	text, err := os.ReadFile(s.log())
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-logTail):])
}
