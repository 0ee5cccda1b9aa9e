package power

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"punchcard/app"
	"punchcard/loyalty/points"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
)

// flips is the outcome of flipping single bits.
type flips struct {
	refused  int // reading the balances failed
	wrong    int // some balance was another one
	found    int // of those, punchcard check found it
	harmless int // the balances were the same
	noticed  int // of those, punchcard check found something
}

func (f *flips) report(err error, out io.Writer) error {
	fmt.Fprintf(out, "SQLite's file: %d flipped bits changed a balance, of which check found %d; %d made reading fail; "+
		"%d changed no balance, of which check found %d\n", f.wrong, f.found, f.refused, f.harmless, f.noticed)
	if err == nil && f.wrong > f.found {
		err = errors.New("a flipped bit changed a balance, and check found nothing")
	}
	if err != nil {
		return fmt.Errorf("SQLite's file: %w", err)
	}
	return nil
}

// reportLog is report for bits of the write-ahead log.
func (f *flips) reportLog(out io.Writer) error {
	fmt.Fprintf(out, "SQLite's log: %d flipped bits left the balances of an earlier commit, with nothing for check to "+
		"find; %d made reading fail; %d had another effect\n", f.harmless, f.refused, f.wrong)
	if f.wrong > 0 {
		return errors.New("SQLite's log: a flipped bit left balances that never were, or rows that do not agree")
	}
	return nil
}

// flipped is a database with some history, and what it has.
type flipped struct {
	folder   string
	shop     *shop
	data     []byte // of the closed database
	crashed  []byte // of the database beside a log, before it was closed
	log      []byte
	balances map[string]balance
	history  []map[string]balance // balances after each commit that the log has
	random   *rand.Rand
	out      io.Writer
}

const (
	flipCalls  = 10 // of each goroutine before
	flipCodes  = 1000
	flipLogged = 20 // gifts of points that are in the log
)

// flipDatabase flips single bits of a SQLite database, or of its write-ahead log.
func flipDatabase(ctx context.Context, folder string, n int, seed uint64, out io.Writer) (data, log *flips, err error) {
	f := &flipped{folder: folder, random: rand.New(rand.NewPCG(seed, 4)), out: out}
	data, log = &flips{}, &flips{}
	if err := f.prepare(ctx); err != nil {
		return data, log, err
	}
	if err := f.write(f.data, nil); err != nil {
		return data, log, err
	}
	if found, text := f.check(ctx); found {
		return data, log, errors.New("check of the whole file: " + text)
	}
	for range n {
		if err := f.flipData(ctx, data); err != nil {
			return data, log, err
		}
	}
	for range n / 4 {
		if err := f.flipLog(ctx, log); err != nil {
			return data, log, err
		}
	}
	return data, log, nil
}

func (f *flipped) prepare(ctx context.Context) error {
	if err := os.MkdirAll(f.folder, 0o700); err != nil {
		return err
	}
	d, err := dbopen.Open(ctx, db.Config{File: f.file()})
	if err != nil {
		return err
	}
	if err := f.fill(ctx, d); err != nil {
		return errors.Join(err, d.Close())
	}
	if err := d.Close(); err != nil {
		return err
	}
	f.data, err = os.ReadFile(f.file())
	if err != nil {
		return err
	}
	if d, err = dbopen.Open(ctx, db.Config{File: f.file()}); err != nil {
		return err
	}
	return errors.Join(f.fillLog(ctx, d), d.Close())
}

func (f *flipped) fill(ctx context.Context, d *db.DB) (err error) {
	if err := d.Migrate(ctx, migrations.Files); err != nil {
		return err
	}
	if f.shop, err = openShop(ctx, d, flipCodes); err != nil {
		return err
	}
	if err := f.shop.trade(ctx, d, f.random, flipCalls); err != nil {
		return err
	}
	f.balances, err = f.shop.balances(ctx, d)
	return err
}

// fillLog makes commits that are in the log only.
func (f *flipped) fillLog(ctx context.Context, d *db.DB) (err error) {
	f.history = append(f.history, f.balances)
	for i := range flipLogged {
		if err := d.Write(ctx, func(tx *db.Tx) error {
			_, err := f.shop.give(tx, f.shop.customers[i%len(f.shop.customers)], 1)
			return err
		}); err != nil {
			return err
		}
		now, err := f.shop.balances(ctx, d)
		if err != nil {
			return err
		}
		f.history = append(f.history, now)
	}
	if f.crashed, err = os.ReadFile(f.file()); err == nil {
		f.log, err = os.ReadFile(f.file() + "-wal")
	}
	return err
}

func (f *flipped) file() string { return filepath.Join(f.folder, "punchcard.db") }

// balance holds the numbers of an account.
type balance [7]points.Amount

// balances returns the accounts of all customers.
func (s *shop) balances(ctx context.Context, d *db.DB) (map[string]balance, error) {
	found := map[string]balance{}
	err := d.Read(ctx, func(tx *db.Tx) error {
		accounts, err := points.Balances(tx, s.store, s.customers...)
		for id, a := range accounts {
			found[id] = balance{a.Points, a.P2P, a.Earned, a.Used, a.Expired, a.Locked, a.Blocked}
		}
		return err
	})
	return found, err
}

// flipBit returns a copy with one flipped bit: in a stored number of points, near the id of a customer, or anywhere.
func (f *flipped) flipBit(content []byte) []byte {
	const around = 64
	at := f.random.IntN(len(content))
	id := f.shop.customers[f.random.IntN(len(f.shop.customers))]
	switch f.random.IntN(3) {
	case 0:
		number := binary.BigEndian.AppendUint32(nil, uint32(f.balances[id][0])) // as SQLite stores it
		if place := bytes.Index(content, number); place >= 0 {
			at = place + f.random.IntN(len(number))
		}
	case 1:
		packed, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
		if near := bytes.Index(content[at:], packed); err == nil && near >= 0 {
			at = min(max(0, at+near+f.random.IntN(2*around)-around), len(content)-1)
		}
	}
	content = bytes.Clone(content)
	content[at] ^= 1 << f.random.IntN(8)
	return content
}

// flipData flips a bit of the closed database.
func (f *flipped) flipData(ctx context.Context, t *flips) error {
	if err := f.write(f.flipBit(f.data), nil); err != nil {
		return err
	}
	balances, err := f.read(ctx)
	if err != nil {
		t.refused++
		return nil
	}
	found, text := f.check(ctx)
	if maps.Equal(balances, f.balances) {
		countBit(&t.harmless, &t.noticed, found)
		return nil
	}
	countBit(&t.wrong, &t.found, found)
	if !found {
		fmt.Fprintf(f.out, "check finds nothing wrong with %v instead of %v: %s\n", balances, f.balances, text)
	}
	return nil
}

// countBit counts a flipped bit, and whether it was found.
func countBit(all, found *int, is bool) {
	*all++
	if is {
		*found++
	}
}

func (f *flipped) write(data, log []byte) error {
	for _, name := range []string{f.file() + "-shm", f.file() + "-wal"} {
		if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	if log != nil {
		if err := os.WriteFile(f.file()+"-wal", log, 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(f.file(), data, 0o600)
}

func (f *flipped) read(ctx context.Context) (map[string]balance, error) {
	d, err := dbopen.Open(ctx, db.Config{File: f.file()})
	if err != nil {
		return nil, err
	}
	balances, err := f.shop.balances(ctx, d)
	return balances, errors.Join(err, d.Close())
}

// check runs punchcard check, which finds something or fails.
func (f *flipped) check(ctx context.Context) (found bool, text string) {
	var said bytes.Buffer
	n, err := app.Check(ctx, app.Database{Data: f.folder, Log: "error"}, app.Kinds{}, &said, io.Discard)
	return err != nil || n > 0, fmt.Sprint(&said, err)
}

// flipLog flips a bit of the log of a database that was not closed. SQLite finds it by its checksums, and does without
// that commit and those after it: the balances are those of an earlier moment, and the rows agree with each other.
func (f *flipped) flipLog(ctx context.Context, t *flips) error {
	if err := f.write(f.crashed, f.flipBit(f.log)); err != nil {
		return err
	}
	balances, err := f.read(ctx)
	if err != nil {
		t.refused++
		return nil
	}
	found, text := f.check(ctx)
	for _, earlier := range f.history {
		if maps.Equal(balances, earlier) && !found {
			t.harmless++
			return nil
		}
	}
	countBit(&t.wrong, &t.found, found)
	fmt.Fprintf(f.out, "with a flipped bit in the log, the balances are %v: %s\n", balances, text)
	return nil
}
