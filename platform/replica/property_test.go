package replica_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/sqlite"
	"punchcard/platform/replica"
)

// deaf is a place that takes files and forgets them, once its server is said to be dead.
type deaf struct {
	replica.Place
	dead atomic.Bool
}

func (p *deaf) Put(ctx context.Context, name string, content io.ReadSeeker, size int64) error {
	if p.dead.Load() {
		return nil
	}
	return p.Place.Put(ctx, name, content, size)
}

func (p *deaf) Delete(ctx context.Context, name string) error {
	if p.dead.Load() {
		return nil
	}
	return p.Place.Delete(ctx, name)
}

// run is one history of a database.
type run struct {
	t      *testing.T
	random *rand.Rand
	file   string
	place  replica.Place
	seal   *replica.Seal
	clock  func() time.Time

	server  *deaf
	db      *db.DB
	other   *db.DB // of another process
	copied  *replica.Replicator
	rows    int
	states  map[[sha256.Size]byte]int // number of the commit after which the database was so
	commits int
	certain int // the last commit that was said to be stored
}

func newRun(t *testing.T, place replica.Place, seal *replica.Seal, seed uint64) *run {
	return &run{t: t, random: rand.New(rand.NewPCG(seed, 1)), file: filepath.Join(t.TempDir(), "data.db"), place: place,
		seal: seal, clock: time.Now, states: map[[sha256.Size]byte]int{}}
}

func (r *run) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// start opens the database as a server does, and waits for the snapshot.
func (r *run) start() {
	r.t.Helper()
	r.open()
	r.write(r.db, `CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, body TEXT)`)
	r.wait()
}

func (r *run) open() *db.DB {
	r.t.Helper()
	var err error
	r.db, err = sqlite.Open(db.Config{File: r.file, Clock: r.clock})
	r.must(err)
	r.server = &deaf{Place: r.place}
	r.copied, err = replica.Start(r.db, replica.Config{Place: r.server, Seal: r.seal, Retention: time.Hour,
		Folder: filepath.Dir(r.file)})
	r.must(err)
	r.other, err = sqlite.Open(db.Config{File: r.file})
	r.must(err)
	return r.db
}

// stop closes the database, after what is written does not reach the place any more if the server is killed.
func (r *run) stop(killed bool) {
	r.t.Helper()
	r.server.dead.Store(killed)
	r.must(r.other.Close())
	r.must(r.db.Close())
	if !killed {
		r.certain = r.commits
	}
}

func (r *run) wait() {
	r.t.Helper()
	committed := r.commits
	r.must(r.copied.Wait(background))
	r.certain = committed
}

// write commits statements, and remembers the database as it is then, page for page.
func (r *run) write(on *db.DB, statements ...string) {
	r.t.Helper()
	r.must(on.Write(background, func(tx *db.Tx) error {
		for _, s := range statements {
			if _, err := tx.Exec(s); err != nil {
				return err
			}
		}
		return nil
	}))
	r.commits++
	sum := sha256.New()
	r.must(on.Read(background, func(tx *db.Tx) error {
		return db.Each(tx, func(page *[]byte) []any { return []any{page} }, func(page []byte) { sum.Write(page) },
			`SELECT data FROM sqlite_dbpage('main')`)
	}))
	r.states[[sha256.Size]byte(sum.Sum(nil))] = r.commits
}

func (r *run) insert(n int) (all []string) {
	for range n {
		r.rows++
		text := strings.Repeat("x", r.random.IntN(6000))
		all = append(all, fmt.Sprintf(`INSERT INTO notes VALUES (%d, '%s')`, r.rows, text))
	}
	return all
}

// step does something at random.
func (r *run) step() {
	r.t.Helper()
	on := r.db
	if r.random.IntN(4) == 0 {
		on = r.other
	}
	switch r.random.IntN(12) {
	case 0, 1, 2:
		r.write(on, r.insert(1+r.random.IntN(3))...)
	case 3:
		r.write(on, r.insert(60)...)
	case 4, 5:
		r.write(on, fmt.Sprintf(`UPDATE notes SET body = body || 'y' WHERE id %% 7 = %d`, r.random.IntN(7)))
	case 6:
		r.write(on, fmt.Sprintf(`DELETE FROM notes WHERE id %% 5 = %d`, r.random.IntN(5)))
	case 7, 8:
		mode := []string{"PASSIVE", "FULL", "RESTART", "TRUNCATE"}[r.random.IntN(4)]
		r.must(r.other.Read(background, func(tx *db.Tx) error {
			_, err := db.Value[int64](tx, `PRAGMA wal_checkpoint(`+mode+`)`)
			return err
		}))
	case 9:
		r.wait()
	case 10:
		r.stop(r.random.IntN(2) == 0)
		r.start()
	case 11: // the replicator reads by itself
		r.must(r.other.Read(background, func(tx *db.Tx) error {
			_, err := db.Value[int64](tx, `SELECT COUNT(*) FROM notes`)
			return err
		}))
	}
}

// restore returns the number of the commit that the copy holds, for a moment or the last one.
func restore(t *testing.T, place replica.Place, seal *replica.Seal, at time.Time) ([]byte, replica.Restored, error) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "restored.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	done, err := replica.Restore(background, place, seal, at, file, func(int) {})
	if err != nil {
		return nil, done, err
	}
	content, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return content, done, nil
}

// Whatever is written, by whom, and whenever the log is copied or the server killed: the copy is the database, page for
// page, as it was after a commit, and not before the last one that was said to be stored.
func TestCopyIsTheDatabaseAfterACommit(t *testing.T) {
	const histories, steps = 6, 60
	seal := newSeal(t)
	for i := range histories {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			address, access := site(t, kinds[i%len(kinds)])
			used := seal
			if i%2 == 0 {
				used = nil
			}
			seed := rand.Uint64()
			t.Log("seed", seed)
			r := newRun(t, open(t, address, access), used, seed)
			r.start()
			for n := range steps {
				r.step()
				if n%20 == 19 {
					r.compare()
				}
			}
			r.stop(false)
			r.compare()
			if r.certain != r.commits {
				t.Errorf("the last commit is %d, and %d is said to be stored", r.commits, r.certain)
			}
		})
	}
}

func newSeal(t *testing.T) *replica.Seal {
	t.Helper()
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte(ageKey), 0o600); err != nil {
		t.Fatal(err)
	}
	seal, err := replica.ReadSeal(key)
	if err != nil {
		t.Fatal(err)
	}
	return seal
}

// ageKey is a key of age-keygen that nothing else uses.
const ageKey = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33\n"

func (r *run) compare() {
	r.t.Helper()
	content, done, err := restore(r.t, r.place, r.seal, time.Time{})
	r.must(err)
	commit, known := r.states[sha256.Sum256(content)]
	if !known || commit < r.certain {
		r.t.Fatalf("%d bytes of %d files are commit %d (%v), want %d at least", len(content), done.Files, commit, known,
			r.certain)
	}
}
