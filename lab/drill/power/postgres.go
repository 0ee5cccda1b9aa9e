package power

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"punchcard/lab/fusedisk"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/powercut"
)

const (
	mostPostgresChanges = 10_000
	// postgresCalls is how many operations each goroutine does at most before the power is cut.
	postgresCalls = 400
	postgresCodes = 200_000
	unmountLimit  = 30 * time.Second
	unmountPoll   = 50 * time.Millisecond
)

// cutPostgres cuts the power below a PostgreSQL server: in the middle of commits and checkpoints, and while it
// recovers.
func cutPostgres(ctx context.Context, cuts int, seed uint64, out io.Writer) (t *tally, err error) {
	t = &tally{}
	cluster, err := dbtest.StartCluster(dbtest.Options{Durable: true, More: []string{
		"checkpoint_timeout=30s", "max_wal_size=32MB", // often
	}})
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	c := &cutCluster{cluster: cluster, random: rand.New(rand.NewPCG(seed, 2)), tally: t, out: out}
	if err := c.fill(ctx); err != nil {
		return t, err
	}
	if err := c.move(); err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, c.end()) }()
	for t.using+t.opening < cuts {
		if err := c.cut(ctx); err != nil {
			return t, err
		}
	}
	t.acknowledged, t.syncs = c.shop.written(), c.disk.Syncs()
	return t, nil
}

// cutCluster is a PostgreSQL server on a disk whose power is cut.
type cutCluster struct {
	cluster *dbtest.Cluster
	at      string // where it has its data
	data    string // where they are
	random  *rand.Rand
	disk    *powercut.Disk
	unmount func() error // nil while nothing is mounted
	shop    *shop
	tally   *tally
	out     io.Writer
}

func (c *cutCluster) open(ctx context.Context) (*db.DB, error) {
	return dbopen.Open(ctx, db.Config{URL: c.cluster.URL("power"), Wait: time.Minute})
}

func (c *cutCluster) fill(ctx context.Context) error {
	if err := c.cluster.CreateDatabase("power"); err != nil {
		return err
	}
	d, err := c.open(ctx)
	if err != nil {
		return err
	}
	if err := d.Migrate(ctx, migrations.Files); err != nil {
		return errors.Join(err, d.Close())
	}
	c.shop, err = openShop(ctx, d, postgresCodes)
	return errors.Join(err, d.Close())
}

// move moves the data of the server to a folder, which is shown at the place of the data.
func (c *cutCluster) move() (err error) {
	if c.at, err = c.cluster.Folder(); err != nil {
		return err
	}
	if err := c.cluster.Kill(); err != nil {
		return err
	}
	removed := filepath.Join(filepath.Dir(c.at), "removed")
	c.data = filepath.Join(filepath.Dir(c.at), "disk")
	if err := errors.Join(os.Rename(c.at, c.data), os.Mkdir(c.at, 0o700), os.Mkdir(removed, 0o700)); err != nil {
		return err
	}
	c.disk = powercut.New(c.data, removed, c.random)
	return c.start()
}

func (c *cutCluster) start() (err error) {
	if c.unmount, err = fusedisk.Mount(c.disk, c.at); err != nil {
		return err
	}
	return c.cluster.Restart()
}

// end stops the server and waits until its last process has closed its files.
func (c *cutCluster) end() error {
	if c.unmount == nil {
		return nil
	}
	if err := c.cluster.Kill(); err != nil {
		return err
	}
	for began := time.Now(); ; time.Sleep(unmountPoll) {
		err := c.unmount()
		if err == nil {
			c.unmount = nil
			return nil
		}
		if time.Since(began) > unmountLimit {
			return fmt.Errorf("unmount %s: %w", c.at, err)
		}
	}
}

// cut uses the database until the power is cut, and compares what is left with what was acknowledged.
func (c *cutCluster) cut(ctx context.Context) error {
	d, err := c.open(ctx)
	if err != nil {
		return err
	}
	c.disk.CutAfter(c.random.Int64N(1 + c.random.Int64N(mostPostgresChanges)))
	err = c.shop.trade(ctx, d, c.random, postgresCalls)
	if err != nil && !c.disk.Off() {
		return errors.Join(err, d.Close())
	}
	c.disk.Cut()
	_ = d.Close() // the server may have ended
	c.tally.using++
	if err := c.lose(); err != nil {
		return err
	}
	if c.random.IntN(3) == 0 { // again, while it recovers
		c.disk.CutAfter(c.random.Int64N(mostPostgresChanges / 10))
		if c.unmount, err = fusedisk.Mount(c.disk, c.at); err != nil {
			return err
		}
		if err := c.cluster.Restart(); err != nil && !c.disk.Off() {
			return err
		}
		c.disk.Cut()
		c.tally.opening++
		if err := c.lose(); err != nil {
			return err
		}
	}
	if err := c.start(); err != nil {
		return err
	}
	if d, err = c.open(ctx); err != nil {
		return err
	}
	return errors.Join(c.tally.count(ctx, c.shop, d, c.out), d.Close())
}

// lose ends the server, and makes of its files what the power cut leaves.
func (c *cutCluster) lose() error {
	if err := errors.Join(c.end(), c.disk.Restore()); err != nil {
		return err
	}
	// PostgreSQL refuses an empty lock file. The scripts that start it remove one that an earlier boot has left.
	err := os.Remove(filepath.Join(c.data, "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
