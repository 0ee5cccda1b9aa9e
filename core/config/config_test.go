package config

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// setting is a row of message_settings, with a number in place of settings.
type setting struct {
	storeKey int64
	number   string
	key      string
}

var settingTable = db.NewConfiguration("message_settings", "store_id", func(s *setting) db.Row {
	return db.Row{
		"store_id", &s.storeKey, "email", &s.number, "sms", db.Derived(&s.number, strings.Clone), "push",
		db.Derived(&s.number, strings.Clone), "unsubscribe_key", &s.key,
	}
}).Traffic("unsubscribe_key")

// word is a row of languages, with a number in place of the content.
type word struct {
	code, content string
	at            time.Time
	position      int64
	isDefault     bool
}

var wordTable = db.NewConfiguration("languages", "code", func(w *word) db.Row {
	return db.Row{
		"code", &w.code, "name", db.Derived(&w.code, strings.Clone), "content", &w.content, "updated_at", db.Time(&w.at),
		"position", &w.position, "is_default", &w.isDefault,
	}
})

var (
	settings = NewPart(readSettings, settingTable.Schema)
	words    = NewPart(func(tx *db.Tx, _ int64) ([]word, error) {
		return wordTable.All(tx, `SELECT * FROM languages ORDER BY code`)
	}, wordTable.Schema)
)

func readSettings(tx *db.Tx, storeKey int64) ([]setting, error) {
	return settingTable.All(tx, `SELECT * FROM message_settings WHERE store_id = ?`, storeKey)
}

const shop, other = 7, 8

func put(tx *db.Tx, storeKey int64, number string) error {
	return settingTable.Put(tx, &setting{storeKey: storeKey, number: number})
}

// number returns the number of a store that an operation sees.
func number(tx *db.Tx, of *Part[[]setting], storeKey int64) (string, error) {
	found, err := of.Of(tx, storeKey)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0].number, nil
}

type fixture struct {
	*testing.T
	d        *db.DB
	settings *Part[[]setting]
	loads    int64 // how often they were read
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	f := &fixture{T: t, d: d}
	f.settings = NewPart(func(tx *db.Tx, storeKey int64) ([]setting, error) {
		f.loads++
		return readSettings(tx, storeKey)
	}, settingTable.Schema)
	return f
}

func (f *fixture) write(run func(tx *db.Tx) error) {
	f.Helper()
	if err := f.d.Write(context.Background(), run); err != nil {
		f.Fatal(err)
	}
}

// sees checks the number that a read sees, and how often values are read for it.
func (f *fixture) sees(what string, storeKey int64, want string, wantLoads int64) {
	f.Helper()
	before := f.loads
	if err := f.d.Read(context.Background(), func(tx *db.Tx) error {
		got, err := number(tx, f.settings, storeKey)
		if got != want {
			f.Errorf("%s: %q, want %q", what, got, want)
		}
		return err
	}); err != nil {
		f.Fatal(err)
	}
	if n := f.loads - before; n != wantLoads {
		f.Errorf("%s: %d loads, want %d", what, n, wantLoads)
	}
}

// A value is read again after each change of its tables, however it was made, and only then.
func TestValuesFollowChanges(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		f.sees("at first", shop, "", 1)
		f.sees("again", shop, "", 0)
		for _, c := range []struct {
			name   string
			change func(tx *db.Tx) error
			want   string
			loads  int64
		}{
			{"insert", func(tx *db.Tx) error { return put(tx, shop, "1") }, "1", 1},
			{"put", func(tx *db.Tx) error { return put(tx, shop, "2") }, "2", 1},
			{"update", func(tx *db.Tx) error {
				return settingTable.Update(tx, "email", &setting{storeKey: shop, number: "3"})
			}, "3", 1},
			{"update one", func(tx *db.Tx) error {
				_, err := settingTable.UpdateOne(tx, "email", &setting{storeKey: shop, number: "4"})
				return err
			}, "4", 1},
			{"statement of the table", func(tx *db.Tx) error {
				_, err := settingTable.Exec(tx, shop, `UPDATE message_settings SET email = '5' WHERE store_id = ?`, shop)
				return err
			}, "5", 1},
			{"plain statement", func(tx *db.Tx) error {
				_, err := tx.Exec(`UPDATE message_settings SET email = '6' WHERE store_id = ?`, shop)
				return err
			}, "6", 1},
			{"plain query", func(tx *db.Tx) error {
				_, err := db.Value[string](tx, `UPDATE message_settings SET email = '7' WHERE store_id = ? RETURNING email`, shop)
				return err
			}, "7", 1},
			{"plain update", func(tx *db.Tx) error {
				return tx.Update("message_settings", []db.Column{{Name: "store_id", Type: "BIGINT"}},
					[]db.Column{{Name: "email", Type: "TEXT"}}, []any{shop, "8"})
			}, "8", 1},
			{"other store", func(tx *db.Tx) error { return put(tx, other, "x") }, "8", 0},
			{"other table", func(tx *db.Tx) error {
				return wordTable.Insert(tx, &word{code: "xx", at: tx.Now()})
			}, "8", 0},
			{"traffic", func(tx *db.Tx) error {
				return settingTable.Update(tx, "unsubscribe_key", &setting{storeKey: shop, key: "k"})
			}, "8", 0},
			{"insert new", func(tx *db.Tx) error {
				_, err := settingTable.InsertNew(tx, &setting{storeKey: shop, number: "y"})
				return err
			}, "8", 1},
			{"delete", func(tx *db.Tx) error { return settingTable.Delete(tx, &setting{storeKey: shop}) }, "", 1},
		} {
			f.write(c.change)
			f.sees(c.name, shop, c.want, c.loads)
			f.sees(c.name+", again", shop, c.want, 0)
		}
	})
}

// An operation sees its own changes. Others see them after the commit, and never if it is undone.
func TestChangesThatAreNotCommitted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		f.write(func(tx *db.Tx) error { return put(tx, shop, "1") })
		f.sees("at first", shop, "1", 1)
		undone := errors.New("undone")
		changing := func(tx *db.Tx) error {
			if _, err := number(tx, f.settings, shop); err != nil {
				return err
			}
			err := put(tx, shop, "2")
			if got, failed := number(tx, f.settings, shop); got != "2" || failed != nil {
				t.Errorf("its own change: %q, %v", got, failed)
			}
			return err
		}
		err := d.Write(t.Context(), func(tx *db.Tx) error { return errors.Join(changing(tx), undone) })
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		f.sees("undone", shop, "1", 0)
		if err := d.DryRun(t.Context(), func(ctx context.Context) error {
			err := d.Write(ctx, changing)
			return errors.Join(err, d.Write(ctx, func(tx *db.Tx) error {
				got, err := number(tx, f.settings, shop)
				if got != "2" {
					t.Errorf("later in the dry run: %q", got)
				}
				return err
			}))
		}); err != nil {
			t.Fatal(err)
		}
		f.sees("after a dry run", shop, "1", 0)
		f.write(changing)
		f.sees("committed", shop, "2", 1)
	})
}

// Values go when there are too many, and are not used for longer than CacheTime.
func TestCache(t *testing.T) {
	c, now := newCache(), time.Now()
	const size = CacheBytes / 4
	text := strings.Repeat("x", size)
	for i := range int64(6) {
		c.put(&entry{id: key{"part", i}, value: []string{text}, version: 1, seen: totals{i, 0}, readAt: now}, false)
		c.find(key{"part", 1}, totals{1, 0}, now)
	}
	for i := range int64(6) {
		if _, is := c.find(key{"part", i}, totals{i, 0}, now); is != (i == 1 || i >= 4) {
			t.Errorf("value %d: %t", i, is)
		}
	}
	if _, is := c.find(key{"part", 1}, totals{1, 0}, now.Add(CacheTime)); is {
		t.Error("a value does not age")
	}
	c.put(&entry{id: key{"part", 1}, value: []string{"old"}, version: 0, seen: totals{9, 0}, readAt: now}, false)
	if _, is := c.find(key{"part", 1}, totals{9, 0}, now); is {
		t.Error("an old value replaces a newer one")
	}
	if c.bytes > CacheBytes || len(c.byKey) != c.order.Len() {
		t.Errorf("%d bytes, %d and %d values", c.bytes, len(c.byKey), c.order.Len())
	}
}

// model changes two tables together, to the same number.
type model struct {
	*testing.T
	nodes            []*db.DB
	begun, committed atomic.Int64 // the number of the last change
	decided, refused atomic.Int64
	each             testwait.Signal // after each decision
}

func (m *model) change(node *db.DB, n int64) {
	m.begun.Store(n)
	if err := node.Write(context.Background(), func(tx *db.Tx) error {
		text := fmt.Sprint(n)
		return errors.Join(wordTable.Put(tx, &word{code: "xx", content: text, at: tx.Now()}), put(tx, shop, text))
	}); err != nil {
		m.Error(err)
	}
	m.committed.Store(n)
}

// decide checks that an operation sees the same number in both tables: that of the last change that was committed when
// it began, or a later one. If again, it reads versions again in between.
func (m *model) decide(node *db.DB, again bool) {
	defer m.each.Send()
	least := m.committed.Load()
	var first, second string
	err := node.Write(context.Background(), func(tx *db.Tx) (err error) {
		if first, err = number(tx, settings, shop); err != nil {
			return err
		}
		if again {
			if err := tx.Run(VersionsAgain(tx, shop)); err != nil {
				return err
			}
		}
		found, err := words.Of(tx, shop)
		if len(found) > 0 {
			second = found[len(found)-1].content
		}
		return err
	})
	var n int64
	switch _, scanned := fmt.Sscan(first, &n); {
	case errors.Is(err, db.ErrBusy):
		m.refused.Add(1)
	case err != nil || scanned != nil || first != second || n < least || n > m.begun.Load():
		m.Errorf("a decision sees %q and %q after change %d: %v", first, second, least, err)
	default:
		m.decided.Add(1)
	}
}

// Each decision of two nodes is explained by the configuration of one moment inside its transaction, whatever changes
// meanwhile.
func TestEveryDecisionIsOfOneMoment(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		config := dbtest.Config(t, engine)
		m := &model{T: t, nodes: []*db.DB{dbtest.Open(t, config, time.Now)}, each: testwait.NewSignal()}
		if engine == "postgres" {
			m.nodes = append(m.nodes, dbtest.Open(t, config, time.Now))
		}
		const changes = 100
		m.change(m.nodes[0], 1)
		var deciding sync.WaitGroup
		var done atomic.Bool
		for i := range 6 {
			deciding.Go(func() {
				for !done.Load() {
					m.decide(m.nodes[i%len(m.nodes)], i%3 == 0)
				}
			})
		}
		stop := func() {
			done.Store(true)
			deciding.Wait()
		}
		defer stop()
		for n := int64(2); n <= changes; n++ {
			m.change(m.nodes[rand.IntN(len(m.nodes))], n)
			m.each.Until(t, "a decision after each change", func() bool { return m.decided.Load()+m.refused.Load() >= n })
		}
		stop()
		if decided, refused := m.decided.Load(), m.refused.Load(); decided < changes/2 {
			t.Errorf("%d decisions, %d refused", decided, refused)
		}
	})
}
