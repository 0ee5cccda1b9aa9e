package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/dbtest"
)

// engine creates copies of a prepared database. For PostgreSQL it runs its own cluster, which
// commits durably and has the memory that the manual recommends for a small server.
type engine struct {
	name     string
	folder   string
	template db.Config
	copies   int

	cluster    *dbtest.Cluster // nil for SQLite
	postmaster int             // its first process
}

const templateName = "template"

func newEngine(ctx context.Context, name, folder string) (*engine, error) {
	e := &engine{name: name, folder: filepath.Join(folder, name)}
	e.template.File = filepath.Join(e.folder, templateName, databaseFile)
	if err := os.MkdirAll(filepath.Dir(e.template.File), 0o700); err != nil || name == "sqlite" {
		return e, err
	}
	var err error
	if e.cluster, err = dbtest.StartCluster(dbtest.Options{Durable: true, Buffers: "1GB"}); err != nil {
		return nil, err
	}
	if err := e.cluster.CreateDatabase(templateName); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	e.template = db.Config{URL: patient(e.cluster.URL(templateName))}
	if err := e.tune(ctx); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	return e, nil
}

// patient returns the address without a statement timeout, for filling and vacuuming.
func patient(address string) string {
	separator := "?"
	if strings.Contains(address, separator) {
		separator = "&"
	}
	return address + separator + "statement_timeout=0"
}

// tune enlarges the WAL of the cluster, finds its postmaster, and verifies that commits are durable.
func (e *engine) tune(ctx context.Context) error {
	return withDatabase(ctx, e.template, func(d *db.DB) error {
		return d.Read(ctx, func(tx *db.Tx) error { // ALTER SYSTEM must run outside a transaction
			for _, statement := range []string{`ALTER SYSTEM SET max_wal_size = '4GB'`, `SELECT pg_reload_conf()`} {
				if _, err := tx.Exec(statement); err != nil {
					return err
				}
			}
			for _, setting := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
				value, err := db.Value[string](tx, `SHOW `+setting)
				if err != nil {
					return err
				}
				if value != "on" {
					return fmt.Errorf("%s is %s: commits are not durable", setting, value)
				}
			}
			process, err := db.Value[int](tx, `SELECT pg_backend_pid()`)
			if err != nil {
				return err
			}
			own, err := readStat(process)
			e.postmaster = own.parent
			return err
		})
	})
}

func (e *engine) stop() error {
	if e.cluster == nil {
		return nil
	}
	return e.cluster.Stop()
}

// time returns the CPU time of the database processes; SQLite has none.
func (e *engine) time() (time.Duration, error) {
	if e.cluster == nil {
		return 0, nil
	}
	return ofFamily(e.postmaster, processTime)
}

// database is the prepared one or a copy of it.
type database struct {
	config db.Config
	data   string   // the product's data folder
	flags  []string // of the product
	engine *engine
	name   string
}

// databaseFile is the name that the product gives its SQLite file.
const databaseFile = "punchcard.db"

// copy creates a database for one server.
func (e *engine) copy() (*database, error) {
	e.copies++
	c := e.named(fmt.Sprintf("copy_%d", e.copies))
	if err := os.Mkdir(c.data, 0o700); err != nil {
		return nil, err
	}
	if e.cluster != nil {
		return c, e.cluster.CopyDatabase(c.name, templateName)
	}
	return c, copyFile(c.config.File, e.template.File)
}

// named returns the database of a name, which is a copy or the prepared one.
func (e *engine) named(name string) *database {
	c := &database{engine: e, name: name, data: filepath.Join(e.folder, name)}
	c.flags = []string{"--data", c.data}
	if e.cluster != nil {
		c.config = db.Config{URL: e.cluster.URL(name)}
		c.flags = append(c.flags, "--database", c.config.URL)
	} else {
		c.config = db.Config{File: filepath.Join(c.data, databaseFile)}
	}
	return c
}

func (c *database) remove() error {
	err := os.RemoveAll(c.data)
	if c.engine.cluster != nil {
		err = errors.Join(err, c.engine.cluster.DropDatabase(c.name))
	}
	return err
}

// copyFile copies a file and syncs it, so that no writeback runs during a measurement.
func copyFile(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close())
}

// withDatabase opens and migrates a database, and closes it after use.
func withDatabase(ctx context.Context, config db.Config, use func(d *db.DB) error) (err error) {
	d, err := dbopen.Open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.Migrate(ctx, migrations.Files); err != nil {
		return err
	}
	return use(d)
}
