package main

import (
	"os"
	"path/filepath"

	"punchcard/platform/db/dbtest"
)

// engine is the database of a run.
type engine struct {
	name    string
	flags   []string        // of the product
	cluster *dbtest.Cluster // nil when there is no PostgreSQL server of our own
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
	if address == "" {
		var err error
		if e.cluster, err = dbtest.StartCluster(dbtest.Options{Durable: true}); err != nil {
			return nil, err
		}
		const database = "soak"
		if err := e.cluster.CreateDatabase(database); err != nil {
			return nil, err
		}
		address = e.cluster.URL(database)
	}
	e.flags = append(e.flags, "--database", address)
	return e, nil
}

func (e *engine) stop() error {
	if e.cluster == nil {
		return nil
	}
	return e.cluster.Stop()
}
