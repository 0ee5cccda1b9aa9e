package replica

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/superfly/ltx"

	"punchcard/platform/db"
)

// generation is one that is being written.
type generation struct {
	*Replicator
	name    string
	last    ltx.TXID     // stored
	content bytes.Buffer // of the changes that are being stored

	mutex   sync.Mutex
	changes []file // stored, and not joined yet
	due     bool   // a snapshot
}

// writeGeneration stores a snapshot, and then what is committed, until Stop. An error ends the generation.
func (r *Replicator) writeGeneration(ctx context.Context) error {
	if err := r.lease.renew(ctx); err != nil {
		return err
	}
	name, err := r.newName(ctx)
	if err != nil {
		return err
	}
	g := &generation{Replicator: r, name: name, last: 1}
	writing, end := context.WithCancelCause(ctx)
	var beside sync.WaitGroup
	defer beside.Wait()
	defer end(nil)
	beside.Go(func() { g.keepLease(writing, end) })
	r.take()
	if err := g.storeSnapshot(writing); err != nil {
		return errors.Join(context.Cause(writing), err)
	}
	r.stored()
	beside.Go(func() { g.tidy(writing) })
	tick := time.NewTicker(shipEvery)
	defer tick.Stop()
	for stopping := false; !stopping; {
		select {
		case <-tick.C:
		case <-r.nudged:
		case <-r.stopping:
			stopping = true
		case <-writing.Done():
			return context.Cause(writing)
		}
		if err := g.ship(writing); err != nil {
			return errors.Join(context.Cause(writing), err)
		}
		if g.takeDue() {
			snapshot, err := r.follower.Snapshot()
			if err != nil {
				return err
			}
			last := g.last
			beside.Go(func() { g.storeLater(writing, snapshot, last) })
		}
	}
	return nil
}

// nameFormat orders generations by the time when they began.
const nameFormat = "20060102T150405.000000Z"

// newName returns the name of a generation, after those that are there even if the clock was set back.
func (r *Replicator) newName(ctx context.Context) (string, error) {
	generations, err := listGenerations(ctx, r.Place)
	if err != nil {
		return "", err
	}
	began := r.db.Now()
	for _, files := range generations {
		if at, err := time.Parse(nameFormat, files[0].generation); err == nil && !at.Before(began) {
			began = at.Add(time.Microsecond)
		}
	}
	return began.Format(nameFormat), nil
}

// keepLease renews the lease. It ends the generation when it is lost.
func (g *generation) keepLease(ctx context.Context, end context.CancelCauseFunc) {
	tick := time.NewTicker(leaseRenew)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := g.lease.renew(ctx); errors.Is(err, errHeld) {
			end(err)
			return
		}
	}
}

// ship stores what was committed since the last call.
func (g *generation) ship(ctx context.Context) error {
	g.take()
	changes, err := g.follower.Changes()
	if err != nil {
		return err
	}
	if len(changes.Pages) > 0 {
		f := g.file(changesLevel, g.last+1, g.last+1)
		g.content.Reset()
		if err := g.encode(&g.content, &f, changes); err != nil {
			return err
		}
		f.bytes = int64(g.content.Len())
		if err := g.store(ctx, &f, bytes.NewReader(g.content.Bytes())); err != nil {
			return err
		}
		g.last = f.max
		g.mutex.Lock()
		g.changes = append(g.changes, f)
		g.mutex.Unlock()
	}
	g.stored()
	return nil
}

func (g *generation) encode(to io.Writer, f *file, changes db.Changes) error {
	return write(to, g.Seal, g.header(f, changes.Size), func(add func(uint32, []byte) error) error {
		for _, number := range slices.Sorted(maps.Keys(changes.Pages)) {
			if err := add(number, changes.Pages[number]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (g *generation) file(level int, first, last ltx.TXID) file {
	return file{generation: g.name, level: level, min: first, max: last, sealed: g.Seal != nil}
}

// header has the present time: all commits of the file are older.
func (g *generation) header(f *file, size uint32) ltx.Header {
	return ltx.Header{PageSize: uint32(g.follower.PageBytes()), Commit: size, MinTXID: f.min, MaxTXID: f.max,
		Timestamp: g.db.Now().UnixMilli()}
}

// store repeats to store a file until it is stored or ctx ends.
func (g *generation) store(ctx context.Context, f *file, content io.ReadSeeker) error {
	g.storing.Add(f.bytes)
	defer g.storing.Add(-f.bytes)
	limit := storeLimit + time.Duration(f.bytes/storePace)*time.Second
	for pause := retryFirst; ; pause = min(2*pause, retryMost) {
		limited, cancel := context.WithTimeout(ctx, limit)
		_, err := content.Seek(0, io.SeekStart)
		if err == nil {
			err = g.Place.Put(limited, f.name(), content, f.bytes)
		}
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
		g.fail(err)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// storeSnapshot stores the first file of the generation.
func (g *generation) storeSnapshot(ctx context.Context) error {
	snapshot, err := g.follower.Snapshot()
	if err != nil {
		return err
	}
	return g.storePages(ctx, snapshot, g.file(snapshotLevel, 1, 1))
}

// storePages writes a snapshot into the scratch file, because the log grows until it is read, and then stores it.
func (g *generation) storePages(ctx context.Context, snapshot db.PageSnapshot, f file) (err error) {
	scratch, err := os.OpenFile(g.scratch(), os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return errors.Join(err, snapshot.Close())
	}
	defer func() { err = errors.Join(err, scratch.Close(), os.Remove(g.scratch())) }()
	buffered := bufio.NewWriterSize(scratch, readBytes)
	err = write(buffered, g.Seal, g.header(&f, snapshot.Size()), func(add func(uint32, []byte) error) error {
		return snapshot.Each(func(number uint32, page []byte) error { return errors.Join(ctx.Err(), add(number, page)) })
	})
	if err := errors.Join(err, buffered.Flush(), snapshot.Close()); err != nil {
		return err
	}
	info, err := scratch.Stat()
	if err != nil {
		return err
	}
	f.bytes = info.Size()
	return g.store(ctx, &f, scratch)
}
