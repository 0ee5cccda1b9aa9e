package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"punchcard/platform/db/dbtest"
)

// engine is the database of a run. SQLite runs with the embedded message queue, a temporary PostgreSQL server with a
// NATS server in this process, each behind a proxy.
type engine struct {
	name       string
	flags      []string        // that say where the data is
	queueFlags []string        // that say where the message queue is; empty for the embedded one
	cluster    *dbtest.Cluster // nil when there is no PostgreSQL server of our own
	queue      *nats.Server    // nil for the embedded one

	toDatabase, toQueue *proxy // nil where there is none
}

// newEngine prepares an empty database below the folder, or takes the PostgreSQL database at the address.
func newEngine(name, folder, address string) (*engine, error) {
	data := filepath.Join(folder, "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	e := &engine{name: name, flags: []string{"--data", data}}
	if name == "sqlite" {
		return e, nil
	}
	if address != "" {
		e.flags = append(e.flags, "--database", address)
		return e, nil
	}
	if err := errors.Join(e.startDatabase(), e.startQueue(filepath.Join(folder, "queue"))); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	return e, nil
}

// startDatabase starts a PostgreSQL server that the product reaches through a proxy.
func (e *engine) startDatabase() error {
	port, err := freePort()
	if err != nil {
		return err
	}
	if e.cluster, err = dbtest.StartCluster(dbtest.Options{Durable: true, TCPPort: port}); err != nil {
		return err
	}
	const database = "soak"
	if err := e.cluster.CreateDatabase(database); err != nil {
		return err
	}
	address, err := url.Parse(e.cluster.URL(database))
	if err != nil {
		return err
	}
	if e.toDatabase, err = startProxy(address.Host); err != nil {
		return err
	}
	address.Host = e.toDatabase.address()
	e.flags = append(e.flags, "--database", address.String())
	return nil
}

// freePort returns a port of the loopback address that nobody listens on at the moment.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}

// queueStart is how long the message queue may take to start.
const queueStart = 30 * time.Second

// startQueue starts a NATS server that the product reaches through a proxy.
func (e *engine) startQueue(folder string) (err error) {
	e.queue, err = nats.NewServer(&nats.Options{
		Host: "127.0.0.1", Port: nats.RANDOM_PORT, JetStream: true, StoreDir: folder, NoLog: true, NoSigs: true,
	})
	if err != nil {
		return err
	}
	e.queue.Start()
	if !e.queue.ReadyForConnections(queueStart) {
		return fmt.Errorf("NATS does not start within %v", queueStart)
	}
	if e.toQueue, err = startProxy(e.queue.Addr().String()); err != nil {
		return err
	}
	e.queueFlags = []string{"--nats", "nats://" + e.toQueue.address()}
	return nil
}

func (e *engine) stop() error {
	var all []error
	for _, p := range []*proxy{e.toDatabase, e.toQueue} {
		if p != nil {
			all = append(all, p.stop())
		}
	}
	if e.queue != nil {
		e.queue.Shutdown()
		e.queue.WaitForShutdown()
	}
	if e.cluster != nil {
		all = append(all, e.cluster.Stop())
	}
	return errors.Join(all...)
}
