package main

import (
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"

	"punchcard/app/apptest"
	"punchcard/platform/db/dbtest"
)

// engine is the database of a run, and a NATS server in this process. A temporary PostgreSQL server
// is behind a proxy, as the NATS server is.
type engine struct {
	name       string
	flags      []string        // say where the data is
	cluster    *dbtest.Cluster // nil unless soak runs a PostgreSQL server
	toDatabase *apptest.Proxy  // nil where there is none
	queue      *queue
}

// newEngine prepares an empty database below the folder, or uses the PostgreSQL database at the address.
func newEngine(name, folder, address string) (*engine, error) {
	data := filepath.Join(folder, "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		return nil, err
	}
	e := &engine{name: name, flags: []string{"--data", data}}
	var err error
	switch {
	case name == "sqlite":
	case address != "":
		e.flags = append(e.flags, "--database", address)
	default:
		err = e.startDatabase()
	}
	if err == nil {
		e.queue, err = startQueue(filepath.Join(folder, "queue"))
	}
	if err != nil {
		return nil, errors.Join(err, e.stop())
	}
	return e, nil
}

// turn returns the message queue of a round, nil for none, and the number of earlier rounds with the same. Every second
// round on SQLite has none. In the next one the relay must continue where it ended before.
func (e *engine) turn(round int) (q *queue, before int) {
	switch {
	case e.name != "sqlite":
		return e.queue, round
	case round%2 == 0:
		return e.queue, round / 2
	}
	return nil, round / 2
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
	if e.toDatabase, err = apptest.StartProxy("tcp", address.Host); err != nil {
		return err
	}
	address.Host = e.toDatabase.Address()
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
		all = append(all, e.toDatabase.Stop())
	}
	if e.queue != nil {
		all = append(all, e.queue.stop())
	}
	if e.cluster != nil {
		all = append(all, e.cluster.Stop())
	}
	return errors.Join(all...)
}
