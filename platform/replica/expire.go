package replica

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/superfly/ltx"

	"punchcard/platform/db"
)

const (
	// joinEvery is how often changes are joined, so that a restore reads fewer files.
	joinEvery = time.Minute
	// joinBytes limits a joined file. Larger changes stay as they are: joining takes as much processor time as storing.
	joinBytes = 4 << 20
	// fineTime is for how long the files that were joined are kept, so that each of them can be restored.
	fineTime = time.Hour
	// expireEvery is how often files are deleted that no restore needs.
	expireEvery = time.Hour
	// snapshotEvery is the time between snapshots.
	snapshotEvery = 24 * time.Hour
)

// tidy joins changes, and deletes what is older than the retention. An error waits for the next time.
func (g *generation) tidy(ctx context.Context) {
	join, expire, snapshot := time.NewTicker(joinEvery), time.NewTicker(expireEvery), time.NewTicker(snapshotEvery)
	defer join.Stop()
	defer expire.Stop()
	defer snapshot.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-join.C:
			err = g.join(ctx)
		case <-expire.C:
			err = Expire(ctx, g.Place, g.db.Now(), g.Retention)
		case <-snapshot.C:
			g.mutex.Lock()
			g.due = true
			g.mutex.Unlock()
		}
		if err != nil && ctx.Err() == nil {
			g.log.Warn("the copy off the machine is not tidied", "error", err)
		}
	}
}

// takeDue reports whether a snapshot is due, once.
func (g *generation) takeDue() bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	due := g.due
	g.due = false
	return due
}

// storeLater stores a snapshot that the generation does not need, beside the changes.
func (g *generation) storeLater(ctx context.Context, snapshot db.PageSnapshot, last ltx.TXID) {
	if err := g.storePages(ctx, snapshot, g.file(snapshotLevel, 1, last)); err != nil && ctx.Err() == nil {
		g.log.Warn("a snapshot is not stored", "error", err)
	}
}

// join stores the changes since the last call as one file, or as several if they are large.
func (g *generation) join(ctx context.Context) error {
	for {
		g.mutex.Lock()
		n, size := 0, int64(0)
		for n < len(g.changes) && (n == 0 || size+g.changes[n].bytes <= joinBytes) {
			size += g.changes[n].bytes
			n++
		}
		some := g.changes[:n:n]
		g.mutex.Unlock()
		switch n {
		case 0:
			return nil
		case 1: // stays as it is
		default:
			if err := g.joinFiles(ctx, some); err != nil {
				return err
			}
		}
		g.mutex.Lock()
		g.changes = g.changes[n:]
		g.mutex.Unlock()
	}
}

func (g *generation) joinFiles(ctx context.Context, files []file) error {
	readers := make([]io.Reader, len(files))
	for i := range files {
		content, err := open(ctx, g.Place, g.Seal, &files[i])
		if err != nil {
			return err
		}
		text, err := io.ReadAll(content)
		if err := errors.Join(err, content.Close()); err != nil {
			return err
		}
		readers[i] = bytes.NewReader(text)
	}
	joined := g.file(minuteLevel, files[0].min, files[len(files)-1].max)
	var content bytes.Buffer
	out, err := g.Seal.encrypt(&content)
	if err != nil {
		return err
	}
	compactor, err := ltx.NewCompactor(out, readers)
	if err != nil {
		return err
	}
	compactor.HeaderFlags = ltx.HeaderFlagNoChecksum
	if err := errors.Join(compactor.Compact(ctx), out.Close()); err != nil {
		return err
	}
	return g.Place.Put(ctx, joined.name(), bytes.NewReader(content.Bytes()), int64(content.Len()))
}

// Expire deletes the files that no restore to a moment within the retention needs.
func Expire(ctx context.Context, place Place, now time.Time, retention time.Duration) error {
	generations, err := listGenerations(ctx, place)
	if err != nil {
		return err
	}
	needed := true // the generation
	for i := len(generations) - 1; i >= 0; i-- {
		for _, f := range expired(generations[i], needed, now, retention) {
			if err := place.Delete(ctx, f.name()); err != nil {
				return err
			}
		}
		// An older one is needed if this one began within the retention.
		needed = needed && firstSnapshot(generations[i]).After(now.Add(-retention))
	}
	return nil
}

// firstSnapshot is when the first snapshot of a generation was stored.
func firstSnapshot(files []file) (at time.Time) {
	for _, f := range files {
		if f.level == snapshotLevel && (at.IsZero() || f.stored.Before(at)) {
			at = f.stored
		}
	}
	return at
}

// expired returns the files of a generation that can be deleted.
func expired(files []file, needed bool, now time.Time, retention time.Duration) (old []file) {
	if !needed {
		return files
	}
	var base ltx.TXID // the last snapshot before the retention
	var joined []file
	for _, f := range files {
		switch {
		case f.level == snapshotLevel && !f.stored.After(now.Add(-retention)):
			base = max(base, f.max)
		case f.level == minuteLevel:
			joined = append(joined, f)
		}
	}
	slices.SortFunc(joined, func(a, b file) int { return cmp.Compare(a.max, b.max) })
	for _, f := range files {
		switch {
		case f.max < base, f.max == base && f.level != snapshotLevel,
			f.level == changesLevel && f.stored.Before(now.Add(-fineTime)) && isJoined(&f, joined):
			old = append(old, f)
		}
	}
	return old
}

// isJoined reports whether one of the joined files, which are in order, has the changes of a file.
func isJoined(f *file, joined []file) bool {
	i, _ := slices.BinarySearchFunc(joined, f.max, func(j file, last ltx.TXID) int { return cmp.Compare(j.max, last) })
	return i < len(joined) && joined[i].min <= f.min
}
