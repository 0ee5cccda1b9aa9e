package event

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/powercut"
)

var (
	powerCuts = flag.Int("power-cuts", 0, "how often the power is cut below the message queue")
	powerSeed = flag.Uint64("power-seed", 1, "seed of the choices when the power is cut")
)

// wrote is an event with a text.
type wrote struct {
	Text string `json:"text"`
}

func (wrote) EventType() string { return "Platform.Domain.Test.Event.Wrote" }

// The power is cut below the embedded queue again and again, while events are relayed, and while the queue starts. Each
// time it starts again, and gets every event in order, once.
func TestPowerCutsOfTheQueue(t *testing.T) {
	if *powerCuts == 0 {
		t.Skip("make drill DRILL=power cuts the power: a process that waits for its own mount can hang")
	}
	if _, err := os.Stat("/dev/fuse"); err != nil || os.Geteuid() != 0 {
		t.Skipf("only root can mount through FUSE: %v", err)
	}
	random := rand.New(rand.NewPCG(*powerSeed, 3))
	events, syncs := 0, int64(0)
	for cut := 0; cut < *powerCuts; {
		c := newCutQueue(t, random)
		for range min(cutsOfAQueue, *powerCuts-cut) {
			c.use()
			c.check(cut)
			cut++
		}
		events, syncs = events+c.events, syncs+c.disk.Syncs()
	}
	t.Logf("message queue: %d cuts, %d events recorded, %d syncs, 0 lost", *powerCuts, events, syncs)
}

// cutsOfAQueue is how many cuts a queue has before an empty one begins, because all events may be relayed after each.
const cutsOfAQueue = 5

func newCutQueue(t *testing.T, random *rand.Rand) *cutQueue {
	folder := t.TempDir()
	c := &cutQueue{
		T: t, random: random, at: filepath.Join(folder, "queue"),
		db: dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now),
	}
	data, removed := filepath.Join(folder, "data"), filepath.Join(folder, "removed")
	for _, name := range []string{c.at, data, removed} {
		if err := os.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c.disk = powercut.New(data, removed, c.random)
	return c
}

// cutQueue is a queue on a disk whose power is cut.
type cutQueue struct {
	*testing.T
	random *rand.Rand
	db     *db.DB // on another disk
	disk   *powercut.Disk
	at     string
	events int
}

func (c *cutQueue) mount() (unmount func()) {
	end, err := c.disk.Mount(c.at)
	if err != nil {
		c.Fatal(err)
	}
	return func() {
		if err := end(); err != nil {
			c.Fatal(err)
		}
	}
}

// use relays events until the power is cut.
func (c *cutQueue) use() {
	const mostChanges, mostEvents, longText = 200, 60, 400_000
	unmount := c.mount()
	c.disk.CutAfter(c.random.Int64N(mostChanges))
	q, err := OpenQueue(c.Context(), QueueConfig{Folder: c.at})
	if err != nil && !c.disk.Off() {
		c.Fatal(err)
	}
	if err == nil {
		leave := connectReader(c.T, q)
		_, stop := startRelay(c.db, q, alone())
		for n := c.random.IntN(mostEvents); n > 0 && !c.disk.Off(); n-- {
			c.add(strings.Repeat("x", c.random.IntN(longText)))
		}
		stop()
		leave()
		q.Close()
	}
	c.disk.Cut()
	unmount()
	if err := c.disk.Restore(); err != nil {
		c.Fatal(err)
	}
}

func (c *cutQueue) add(text string) {
	c.events++
	entry := Entry{AggregateID: fmt.Sprint(c.events), Fact: wrote{text}}
	if err := c.db.Write(c.Context(), func(tx *db.Tx) error { return Append(tx, 7, entry) }); err != nil {
		c.Fatal(err)
	}
}

// check starts the queue and the relay, and compares the messages with the events.
func (c *cutQueue) check(cut int) {
	unmount := c.mount()
	defer unmount()
	q, err := OpenQueue(c.Context(), QueueConfig{Folder: c.at})
	if err != nil {
		c.Fatal(err)
	}
	defer q.Close()
	defer connectReader(c.T, q)()
	c.add("after the cut")
	_, stop := startRelay(c.db, q, alone())
	defer stop()
	relayUntil(c.T, int64(c.events), c.db)
	checkComplete(c.T, q, int64(c.events))
	if c.Failed() {
		c.Fatalf("after cut %d", cut)
	}
}

// A power failure can lose messages in the middle of the embedded queue, which no message after them shows. The relay
// fills the queue again from the database.
func TestEmbeddedQueueWithAHole(t *testing.T) {
	d, folder := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now), t.TempDir()
	q := openRead(t, folder)
	appendMany(t, d, "a", 1, 10)
	_, stop := startRelay(d, q, alone())
	relayUntil(t, 10, d)
	stop()
	stream, err := q.stream.Stream(t.Context(), StreamName)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.DeleteMsg(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	q.Close()
	q = openRead(t, folder)
	defer q.Close()
	appendMany(t, d, "b", 1, 1)
	_, stop = startRelay(d, q, alone())
	defer stop()
	relayUntil(t, 11, d)
	checkComplete(t, q, 11)
}

// A stream that refuses twice what follows its end is made anew and filled from the database; once, it stays.
func TestEmbeddedQueueThatDoesNotGoOn(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now)
	q := openRead(t, t.TempDir())
	defer q.Close()
	appendMany(t, d, "a", 1, 10)
	r, stop := startRelay(d, q, alone())
	relayUntil(t, 10, d)
	stop()
	refused := &jetstream.APIError{ErrorCode: jetstream.JSErrCodeStreamWrongLastSequence}
	for _, want := range []uint64{10, 0} {
		if err := r.renewDamaged(t.Context(), refused); !errors.Is(err, refused) {
			t.Errorf("the error is %v", err)
		}
		stream, err := q.ensureStream(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := stream.CachedInfo().State.Msgs; n != want {
			t.Errorf("the stream has %d messages, want %d", n, want)
		}
	}
	appendMany(t, d, "b", 1, 1)
	_, stop = startRelay(d, q, alone())
	defer stop()
	relayUntil(t, 11, d)
	checkComplete(t, q, 11)
}
