// Package replica keeps a copy of a SQLite database off the machine. It reads what is committed from the write-ahead
// log, and stores it, somewhat more often than each second, as files of the format LTX, which Litestream restores too.
package replica

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/platform/db"
)

const (
	// shipEvery is how often changes are stored.
	shipEvery = 700 * time.Millisecond
	// retryFirst and retryMost are the pauses after an error of the place.
	retryFirst, retryMost = 500 * time.Millisecond, 15 * time.Second
	// stopLimit is how long Stop stores what is left.
	stopLimit = 10 * time.Second
	// storeLimit and storePace, in bytes per second, are how long storing a file may take.
	storeLimit = 30 * time.Second
	storePace  = 64 << 10
)

// Config describes a copy.
type Config struct {
	Place Place
	Seal  *Seal
	// Retention is for how long any moment can be restored.
	Retention time.Duration
	// Folder is the folder of the database. It gets a file with its id, and for a while a snapshot to store.
	Folder string
}

// Files in the folder of the database.
const (
	idName      = "punchcard.db.replica"
	scratchName = "punchcard.db.snapshot"
)

func (c *Config) scratch() string { return filepath.Join(c.Folder, scratchName) }

// readID returns the id of a data folder, which it makes at the first call.
func readID(folder string) (string, error) {
	name := filepath.Join(folder, idName)
	id, err := os.ReadFile(name)
	if err == nil && len(id) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return string(id), err
	}
	made := db.NewID()
	return made, os.WriteFile(name, []byte(made), 0o600)
}

// Replicator keeps the copy of a database.
type Replicator struct {
	Config
	db       *db.DB
	log      *slog.Logger
	follower db.Follower
	lease    lease
	nudged   chan struct{}
	stopping chan struct{}
	ended    chan struct{}
	cancel   context.CancelFunc

	// Microseconds of the clock: of the first commit that is not read, and of the first one that is read and not
	// stored. 0 means that there is none.
	unread, unstored atomic.Int64
	storing          atomic.Int64 // bytes

	mutex   sync.Mutex
	next    chan struct{} // closed when what is committed before the next read is stored
	taken   []chan struct{}
	failure string
}

// Start starts to copy a database, with a snapshot. Errors of the place are retried.
func Start(d *db.DB, config Config) (*Replicator, error) {
	if err := os.Remove(config.scratch()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	id, err := readID(config.Folder)
	if err != nil {
		return nil, err
	}
	follower, err := d.Follow()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &Replicator{
		Config: config, db: d, log: d.Log(), follower: follower,
		lease:  lease{place: config.Place, db: d, folder: id, holder: db.NewID()},
		nudged: make(chan struct{}, 1), stopping: make(chan struct{}), ended: make(chan struct{}), cancel: cancel,
		next: make(chan struct{}),
	}
	r.unstored.Store(d.Now().UnixMicro()) // everything
	d.OnCommit(func() { r.unread.CompareAndSwap(0, d.Now().UnixMicro()) })
	d.BeforeClose(r.stop)
	go r.run(ctx)
	return r, nil
}

// stop stores what is left, for stopLimit at most. Then it ends all waits.
func (r *Replicator) stop() {
	close(r.stopping)
	late := time.AfterFunc(stopLimit, r.cancel)
	defer late.Stop()
	<-r.ended
	r.cancel()
}

// Wait waits until everything that is committed now is stored. An error does not mean that it is lost.
func (r *Replicator) Wait(ctx context.Context) error {
	r.mutex.Lock()
	stored := r.next
	r.mutex.Unlock()
	select {
	case r.nudged <- struct{}{}:
	default:
	}
	select {
	case <-stored:
		return nil
	case <-r.ended:
		select {
		case <-stored:
			return nil
		default:
			return db.ErrBusy
		}
	case <-ctx.Done():
		return db.WaitError(ctx)
	}
}

// Lag measures the commits that are not stored.
type Lag struct {
	Age   time.Duration // of the oldest commit; 0 if everything is stored
	Bytes int64
}

// Lag returns how much a crash now would lose.
func (r *Replicator) Lag() Lag {
	oldest := r.unstored.Load()
	if oldest == 0 {
		oldest = r.unread.Load()
	}
	lag := Lag{Bytes: r.storing.Load() + r.follower.Waiting()}
	if oldest != 0 {
		lag.Age = max(0, r.db.Now().Sub(time.UnixMicro(oldest)))
	}
	return lag
}

// take begins to read what is committed until now.
func (r *Replicator) take() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.taken = append(r.taken, r.next)
	r.next = make(chan struct{})
	if since := r.unread.Swap(0); since != 0 {
		r.unstored.CompareAndSwap(0, since)
	}
}

// stored is called when everything that was taken is stored.
func (r *Replicator) stored() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, done := range r.taken {
		close(done)
	}
	r.taken = nil
	r.unstored.Store(0)
	if r.failure != "" {
		r.failure = ""
		r.log.Info("the copy off the machine is up to date again")
	}
}

// fail logs an error once.
func (r *Replicator) fail(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if text := err.Error(); text != r.failure {
		r.failure = text
		r.log.Error("the copy off the machine is not up to date", "error", err)
	}
}

// run writes generations until ctx ends or the last changes are stored.
func (r *Replicator) run(ctx context.Context) {
	defer close(r.ended)
	defer func() {
		if err := errors.Join(r.lease.release(ctx), r.follower.Close(), r.Place.Close()); err != nil {
			r.fail(err)
		}
	}()
	last := false // attempt, after Stop
	for pause := retryFirst; ; pause = min(2*pause, retryMost) {
		err := r.writeGeneration(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		r.fail(err)
		if last {
			return
		}
		select {
		case <-r.stopping:
			last = true
		case <-time.After(pause):
		}
	}
}
