package event

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/powercut"
	"punchcard/platform/testwait"
)

var (
	powerCuts = flag.Int("power-cuts", 3, "how often the power is cut below the message queue")
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
		now, err := c.disk.Syncs()
		c.must(err)
		events, syncs = events+c.events, syncs+now
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
	disk := powercut.RemoteConfig{Program: os.Args[0], Data: filepath.Join(folder, "data"),
		Removed: filepath.Join(folder, "removed"), At: c.at, Seed: random.Uint64()}
	for _, name := range []string{disk.Data, disk.Removed, disk.At} {
		c.must(os.Mkdir(name, 0o700))
	}
	var err error
	c.disk, err = powercut.Start(disk)
	c.must(err)
	t.Cleanup(func() { c.must(c.disk.Close()) })
	return c
}

// cutQueue is a queue on a disk whose power is cut.
type cutQueue struct {
	*testing.T
	random *rand.Rand
	db     *db.DB // on another disk
	disk   *powercut.Remote
	at     string
	events int
}

func (c *cutQueue) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *cutQueue) off() bool {
	off, err := c.disk.Off()
	c.must(err)
	return off
}

func (c *cutQueue) mount() {
	err := c.disk.Mount()
	if err != nil && strings.Contains(err.Error(), syscall.EPERM.Error()) {
		c.Skipf("FUSE is refused: %v", err)
	}
	c.must(err)
}

// unmount waits for files that the queue closes after its end.
func (c *cutQueue) unmount() {
	testwait.Until(c.T, "the end of the mount", func() bool {
		err := c.disk.Unmount()
		if err != nil && !strings.Contains(err.Error(), syscall.EBUSY.Error()) {
			c.Fatal(err)
		}
		return err == nil
	})
}

// use relays events until the power is cut.
func (c *cutQueue) use() {
	const mostChanges, mostEvents, longText = 200, 60, 400_000
	c.mount()
	c.must(c.disk.CutAfter(c.random.Int64N(mostChanges)))
	q, err := OpenQueue(c.Context(), QueueConfig{Folder: filepath.Join(c.at, "queue")})
	if err != nil && !c.off() {
		c.Fatal(err)
	}
	if err == nil {
		leave := connectReader(c.T, q)
		_, stop := startRelay(c.db, q, alone())
		for n := c.random.IntN(mostEvents); n > 0 && !c.off(); n-- {
			c.add(strings.Repeat("x", c.random.IntN(longText)))
		}
		stop()
		leave()
		q.Close()
	}
	c.must(c.disk.Cut())
	c.unmount()
	c.must(c.disk.Restore())
}

func (c *cutQueue) add(text string) {
	c.events++
	entry := Entry{AggregateID: fmt.Sprint(c.events), Fact: wrote{text}}
	c.must(c.db.Write(c.Context(), func(tx *db.Tx) error { return Append(tx, 7, entry) }))
}

// check starts the queue and the relay, and compares the messages with the events.
func (c *cutQueue) check(cut int) {
	c.mount()
	defer c.unmount()
	q, err := OpenQueue(c.Context(), QueueConfig{Folder: filepath.Join(c.at, "queue")})
	c.must(err)
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
