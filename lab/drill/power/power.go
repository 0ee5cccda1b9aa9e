// Package power cuts the power below the parts that store something, and compares what is left with what was
// acknowledged.
package power

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/sqlite/cutvfs"
	"punchcard/platform/powercut"
)

const (
	sqliteCuts   = 1000
	postgresCuts = 50
	flippedBits  = 1000
	cutsOfAFile  = 50 // then a new database begins, so that comparing it stays quick
	fewPages     = 64 // of the log until a checkpoint
	mostChanges  = 3000
	callsAtMost  = 60 // of each goroutine until a cut
	fileCodes    = 20_000
	seedVariable = "DRILL_POWER_SEED" // repeats the choices of a run, though not the order in which goroutines run
)

// Run cuts the power below each part that stores something, and flips bits. It prints the seed of its choices.
func Run(ctx context.Context, folder string, out io.Writer) error {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(seedVariable); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			return fmt.Errorf("%s: %w", seedVariable, err)
		}
	}
	fmt.Fprintf(out, "%s=%d\n", seedVariable, seed)
	t, err := cutSQLite(ctx, filepath.Join(folder, "sqlite"), sqliteCuts, seed, out)
	failed := t.report("SQLite", err, out)
	data, log, err := flipDatabase(ctx, filepath.Join(folder, "flipped"), flippedBits, seed, out)
	failed = errors.Join(failed, data.report(err, out), log.reportLog(out))
	if _, err := os.Stat("/dev/fuse"); err != nil || os.Geteuid() != 0 {
		return errors.Join(failed,
			fmt.Errorf("FUSE is refused here, so PostgreSQL is left out: %v", err))
	}
	t, err = cutPostgres(ctx, postgresCuts, seed, out)
	return errors.Join(failed, t.report("PostgreSQL", err, out))
}

// tally is the outcome of a drill.
type tally struct {
	acknowledged, lost, damaged int
	syncs                       int64
	opening, using, closing     int // cuts, by what the database did
}

// count adds what a power cut has lost or damaged in an opened database.
func (t *tally) count(ctx context.Context, of *shop, d *db.DB, out io.Writer) error {
	lost, err := of.lost(ctx, d, out)
	t.lost += lost
	if err != nil {
		return err
	}
	found, err := damaged(ctx, d, out)
	t.damaged += found
	return err
}

func (t *tally) report(name string, err error, out io.Writer) error {
	fmt.Fprintf(out, "%s: %d cuts (%d while it started, %d in use, %d while it ended), %d writes acknowledged in "+
		"%d syncs, %d lost, %d findings of check\n", name, t.opening+t.using+t.closing, t.opening, t.using, t.closing,
		t.acknowledged, t.syncs, t.lost, t.damaged)
	if err == nil && t.lost+t.damaged > 0 {
		err = errors.New("a power cut lost or damaged something")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// cutSQLite cuts the power below SQLite: in the middle of commits and checkpoints, and while a database is closed.
func cutSQLite(ctx context.Context, folder string, cuts int, seed uint64, out io.Writer) (*tally, error) {
	t := &tally{}
	template := filepath.Join(folder, "template")
	if err := os.MkdirAll(template, 0o700); err != nil {
		return t, err
	}
	random := rand.New(rand.NewPCG(seed, 1))
	for first := 0; first < cuts; first += cutsOfAFile {
		f := &cutFile{folder: filepath.Join(folder, fmt.Sprint(first)), random: random, tally: t, out: out}
		if err := f.run(ctx, min(cutsOfAFile, cuts-first)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// cutFile is a SQLite database on a disk whose power is cut.
type cutFile struct {
	folder string
	random *rand.Rand
	disk   *powercut.Disk
	shop   *shop
	tally  *tally
	out    io.Writer
}

func (f *cutFile) open(ctx context.Context) (*db.DB, error) {
	return dbopen.Open(ctx, db.Config{File: filepath.Join(f.folder, "data", "punchcard.db"), CheckpointPages: fewPages})
}

func (f *cutFile) run(ctx context.Context, cuts int) (err error) {
	data, removed := filepath.Join(f.folder, "data"), filepath.Join(f.folder, "removed")
	if err := errors.Join(os.MkdirAll(data, 0o700), os.Mkdir(removed, 0o700)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(f.folder)) }()
	f.disk = powercut.New(data, removed, f.random)
	detach, err := cutvfs.Attach(data, f.disk)
	if err != nil {
		return err
	}
	defer detach()
	d, err := f.open(ctx)
	if err != nil {
		return err
	}
	if err := d.Migrate(ctx, migrations.Files); err != nil {
		return errors.Join(err, d.Close())
	}
	if f.shop, err = openShop(ctx, d, fileCodes); err != nil {
		return errors.Join(err, d.Close())
	}
	if err := d.Close(); err != nil {
		return err
	}
	for range cuts {
		if err := f.cut(ctx); err != nil {
			return err
		}
	}
	f.tally.acknowledged += f.shop.written()
	f.tally.syncs += f.disk.Syncs()
	return nil
}

// cut uses the database until the power is cut, and compares what is left with what was acknowledged.
func (f *cutFile) cut(ctx context.Context) error {
	whileClosing := f.random.IntN(4) == 0
	if !whileClosing {
		f.disk.CutAfter(f.random.Int64N(1 + f.random.Int64N(mostChanges)))
	}
	d, err := f.open(ctx)
	phase := &f.tally.opening
	if err == nil {
		phase = &f.tally.using
		err = f.shop.trade(ctx, d, f.random, f.random.IntN(callsAtMost))
		if !f.disk.Off() {
			phase = &f.tally.closing
		}
		if whileClosing {
			f.disk.CutAfter(f.random.Int64N(mostChanges / 10))
		}
		err = errors.Join(err, d.Close())
	}
	if err != nil && !f.disk.Off() {
		return err
	}
	*phase++
	f.disk.Cut()
	if err := f.disk.Restore(); err != nil {
		return err
	}
	if d, err = f.open(ctx); err != nil {
		return err
	}
	return errors.Join(f.tally.count(ctx, f.shop, d, f.out), d.Close())
}
