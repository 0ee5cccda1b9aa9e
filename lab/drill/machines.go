package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
)

// machines are three machines with everything on each: etcd, PostgreSQL under Patroni, NATS, a node and a proxy. The
// configurations are those of packaging/cluster.
type machines struct {
	*network
	folder        string
	product, nats string // programs
	postgres      string // folder of programs
	ways          []*apptest.Proxy
	proxies       []string // base addresses, by machine, through the network
	nodes         []string // the same of the nodes themselves
	local         []string // proxies as clients on their own machine reach them
}

const machineCount = 3

// servers are the programs of a machine in the order of their start; databaseServer are those of PostgreSQL.
var (
	servers        = []string{"etcd", "patroni", "nats-server", "punchcard", "haproxy"}
	databaseServer = []string{"patroni", "postgres"}
)

// openMachines starts everything, and returns when it works.
func openMachines(ctx context.Context, folder, product, nats string) (m *machines, err error) {
	m = &machines{folder: folder, product: product, nats: nats}
	if m.postgres, err = dbtest.Programs(); err != nil {
		return nil, err
	}
	if m.network, err = openNetwork(ctx, machineCount); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.close(ctx))
		}
	}()
	if err := m.writeFiles(); err != nil {
		return nil, err
	}
	if err := m.openWays(ctx); err != nil {
		return nil, err
	}
	for _, program := range servers[:2] {
		for number := 1; number <= machineCount; number++ {
			if err := m.start(ctx, number, program); err != nil {
				return nil, err
			}
		}
	}
	if err := await(ctx, func() error { _, err := m.roles(ctx); return err }); err != nil {
		return nil, err
	}
	if _, err := m.inside(ctx, filepath.Join(m.postgres, "psql"), "--quiet", "--dbname="+m.database("postgres"),
		"--command=CREATE DATABASE punchcard TEMPLATE template0 LOCALE 'C' ENCODING 'UTF8'"); err != nil {
		return nil, err
	}
	for _, program := range servers[2:] {
		for number := 1; number <= machineCount; number++ {
			if err := m.start(ctx, number, program); err != nil {
				return nil, err
			}
		}
	}
	return m, await(ctx, func() error { return m.whole(ctx) })
}

// close ends everything.
func (m *machines) close(ctx context.Context) error {
	var failed []error
	for _, way := range m.ways {
		failed = append(failed, way.Stop())
	}
	return errors.Join(append(failed, m.network.close(context.WithoutCancel(ctx)))...)
}

// at returns the folder of a machine.
func (m *machines) at(number int) string { return filepath.Join(m.folder, strconv.Itoa(number)) }

// configurations are the files of packaging/cluster.
var configurations = []string{"patroni.yml", "nats.conf", "haproxy.cfg"}

// writeFiles makes the folder of each machine, with its configurations, for the user postgres.
func (m *machines) writeFiles() error {
	owner, err := user.Lookup("postgres")
	if err != nil {
		return err
	}
	id, err := strconv.Atoi(owner.Uid)
	if err != nil {
		return err
	}
	if err := os.Chmod(m.folder, 0o711); err != nil {
		return err
	}
	for number := 1; number <= machineCount; number++ {
		values := map[string]string{
			"NAME": machineName(number), "ADDRESS": machineAddress(number), "FOLDER": m.at(number),
			"FIRST": machineAddress(1), "SECOND": machineAddress(2), "THIRD": machineAddress(3),
			"NETWORK": networkPrefix, "PROGRAMS": m.postgres,
		}
		if err := os.Mkdir(m.at(number), 0o700); err != nil {
			return err
		}
		if err := os.Chown(m.at(number), id, -1); err != nil {
			return err
		}
		for _, name := range configurations {
			text, err := os.ReadFile(filepath.Join("packaging/cluster", name))
			if err != nil {
				return err
			}
			file := filepath.Join(m.at(number), name)
			filled := os.Expand(string(text), func(name string) string { return values[name] })
			if err := os.WriteFile(file, []byte(filled), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// ways configures a proxy on the clients' side of the network, whose sockets lead to the machines. Sockets in the file
// system can be reached from this process, which is outside of the network.
const ways = `defaults
  mode tcp
  retries 0
  timeout connect 2s
  timeout client 90s
  timeout server 90s
`

// openWays opens addresses of this process that lead to the machines.
func (m *machines) openWays(ctx context.Context) error {
	text := ways
	for number := 1; number <= machineCount; number++ {
		for name, port := range map[string]int{"proxy": 8000, "node": 8080} {
			text += fmt.Sprintf("listen %s%d\n  bind %s/%s%d.sock\n  server s %s:%d\n", name, number, m.folder, name, number,
				machineAddress(number), port)
		}
	}
	config := filepath.Join(m.folder, "ways.cfg")
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return err
	}
	if err := inNamespace(ctx, outside, "root", filepath.Join(m.folder, "ways.log"), "haproxy", "-f", config); err != nil {
		return err
	}
	for number := 1; number <= machineCount; number++ {
		for _, way := range []struct {
			to   *[]string
			path string
		}{
			{&m.proxies, fmt.Sprintf("proxy%d.sock", number)}, {&m.nodes, fmt.Sprintf("node%d.sock", number)},
			{&m.local, fmt.Sprintf("%d/proxy.sock", number)},
		} {
			p, err := apptest.StartProxy("unix", filepath.Join(m.folder, way.path))
			if err != nil {
				return err
			}
			m.ways = append(m.ways, p)
			*way.to = append(*way.to, "http://"+p.Address())
		}
	}
	return nil
}

// database returns the address of a database, for nodes.
func (m *machines) database(name string) string {
	return fmt.Sprintf("postgres://postgres@%s/%s?target_session_attrs=read-write", allAt(5432), name)
}

// allAt lists a port of all machines.
func allAt(port int) string {
	var all []string
	for number := 1; number <= machineCount; number++ {
		all = append(all, fmt.Sprintf("%s:%d", machineAddress(number), port))
	}
	return strings.Join(all, ",")
}

// start starts a program on a machine, as its service manager does after the machine has started.
func (m *machines) start(ctx context.Context, number int, program string) error {
	at, address := m.at(number), machineAddress(number)
	var peers []string
	for other := 1; other <= machineCount; other++ {
		peers = append(peers, fmt.Sprintf("%s=http://%s:2380", machineName(other), machineAddress(other)))
	}
	command := map[string][]string{
		"etcd": {
			"etcd", "--name", machineName(number), "--data-dir", filepath.Join(at, "etcd"),
			"--listen-client-urls", "http://" + address + ":2379", "--advertise-client-urls", "http://" + address + ":2379",
			"--listen-peer-urls", "http://" + address + ":2380", "--initial-advertise-peer-urls",
			"http://" + address + ":2380", "--initial-cluster", strings.Join(peers, ","),
			"--enable-v2", "--heartbeat-interval=250", "--election-timeout=2500", "--log-level=warn",
		},
		"patroni":     {"patroni", filepath.Join(at, "patroni.yml")},
		"nats-server": {m.nats, "--config", filepath.Join(at, "nats.conf")},
		"haproxy":     {"haproxy", "-f", filepath.Join(at, "haproxy.cfg")},
		"punchcard": {
			m.product, "serve", "--log=warn", "--listen", address + ":8080", "--data", filepath.Join(at, "data"),
			"--database", m.database("punchcard"), "--nats", "nats://" + strings.ReplaceAll(allAt(4222), ",", ",nats://"),
			"--trusted-proxy", networkPrefix, "--admin-password", adminPassword, "--result-window=1000000",
		},
	}[program]
	return inNamespace(ctx, machineName(number), "postgres", filepath.Join(m.folder, fmt.Sprintf("%s%d.log", program,
		number)), command...)
}

// startMissing starts what does not run on a machine.
func (m *machines) startMissing(ctx context.Context, number int) error {
	for _, program := range servers {
		running, err := processes(ctx, machineName(number), program)
		if err != nil {
			return err
		}
		if len(running) == 0 {
			if err := m.start(ctx, number, program); err != nil {
				return err
			}
		}
	}
	return nil
}

// signal sends a signal to programs of a machine.
func (m *machines) signal(ctx context.Context, number int, signal syscall.Signal, programs ...string) error {
	all, err := processes(ctx, machineName(number), programs...)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("there is no %v on machine %d", programs, number)
	}
	return signalAll(all, signal)
}

// inside runs a program on the clients' side of the network.
func (m *machines) inside(ctx context.Context, command ...string) (string, error) {
	return shell{}.do(ctx, "ip", append([]string{"netns", "exec", outside}, command...)...)
}

// rolesQuery asks the primary itself: after a fault, Patroni may tell of the time before it.
const rolesQuery = `SELECT host(inet_server_addr()), 'primary' UNION ALL
	SELECT host(client_addr), sync_state FROM pg_stat_replication WHERE state = 'streaming'`

// roles returns the numbers of the machines by the roles of their PostgreSQL. There is an error unless both standbys
// follow the primary, one of them synchronously.
func (m *machines) roles(ctx context.Context) (map[string]int, error) {
	output, err := m.inside(ctx, filepath.Join(m.postgres, "psql"), "--no-align", "--tuples-only",
		"--dbname="+m.database("postgres"), "--command="+rolesQuery)
	if err != nil {
		return nil, err
	}
	roles := map[string]int{}
	for line := range strings.Lines(output) {
		address, role, _ := strings.Cut(strings.TrimSpace(line), "|")
		for number := 1; number <= machineCount; number++ {
			if address == machineAddress(number) {
				roles[role] = number
			}
		}
	}
	if len(roles) != machineCount {
		return nil, fmt.Errorf("the roles are %s", output)
	}
	return roles, nil
}

// whole returns an error unless everything works on each machine, the message queue included.
func (m *machines) whole(ctx context.Context) error {
	if _, err := m.roles(ctx); err != nil {
		return err
	}
	for number, base := range m.nodes {
		for _, address := range []string{base, m.proxies[number], m.local[number]} {
			if err := expect(ctx, http.StatusNoContent, address+"/api/healthcheck", ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// check runs `punchcard check`.
func (m *machines) check(ctx context.Context) error {
	_, err := m.inside(ctx, m.product, "check", "--database", m.database("punchcard"))
	return err
}

// buildNATS builds the NATS server of the version that tests use.
func buildNATS(ctx context.Context, folder string) (string, error) {
	program := filepath.Join(folder, "nats-server")
	command := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/nats-io/nats-server/v2")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build NATS: %w: %s", err, output)
	}
	return program, nil
}
