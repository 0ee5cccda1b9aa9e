package main

import (
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"

	"punchcard/platform/db/dbtest"
)

// engine is the database of a run. SQLite runs with the embedded message queue, a temporary
// PostgreSQL server with a NATS server in this process, each behind a proxy.
type engine struct {
	name       string
	flags      []string        // say where the data is
	queueFlags []string        // say where the message queue is; empty for the embedded one
	cluster    *dbtest.Cluster // nil unless soak runs a PostgreSQL server
	toDatabase *proxy          // nil where there is none
	queue      *queue          // nil for the embedded one
}

// newEngine prepares an empty database below the folder, or uses the PostgreSQL database at the address.
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
	err := e.startDatabase()
	if err == nil {
		e.queue, err = startQueue(filepath.Join(folder, "queue"))
	}
	if err != nil {
		return nil, errors.Join(err, e.stop())
	}
	e.queueFlags = []string{"--nats", e.queue.url()}
	return e, nil
}

// startDatabase starts a PostgreSQL server behind a proxy.
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

// freePort returns a loopback port that is free at the moment.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}

func (e *engine) stop() error {
	var all []error
	if e.toDatabase != nil {
		all = append(all, e.toDatabase.stop())
	}
	if e.queue != nil {
		all = append(all, e.queue.stop())
	}
	if e.cluster != nil {
		all = append(all, e.cluster.Stop())
	}
	return errors.Join(all...)
}
