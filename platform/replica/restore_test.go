package replica_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/platform/replica"
)

// names returns the files of a place at a level, in the order of their changes.
func names(t *testing.T, place replica.Place, level string) (all []string) {
	t.Helper()
	stored, err := place.List(background)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stored {
		if strings.Contains(s.Name, "/ltx/"+level+"/") {
			all = append(all, s.Name)
		}
	}
	slices.Sort(all)
	return all
}

// Each moment is restored as the database was then, from changes one by one and joined. Old files expire only where no
// restore needs them, and a copy with a gap is refused.
func TestMoments(t *testing.T) {
	address, access := site(t, "folder")
	r := newRun(t, open(t, address, access), nil, 1)
	begun, calls := time.Now(), atomic.Int64{}
	r.clock = func() time.Time { return begun.Add(time.Duration(calls.Add(1)) * 10 * time.Millisecond) }
	r.start()
	type moment struct {
		at      time.Time
		content []byte
	}
	var moments []moment
	for range 6 {
		r.write(r.db, r.insert(5)...)
		r.wait()
		at := r.clock()
		content, _, err := restore(t, r.place, nil, time.Time{})
		r.must(err)
		moments = append(moments, moment{at, content})
	}
	compare := func(what string) {
		t.Helper()
		for i, m := range moments {
			content, done, err := restore(t, r.place, nil, m.at)
			r.must(err)
			if !bytes.Equal(content, m.content) || done.Last.After(m.at) {
				t.Errorf("%s: moment %d (%v) is restored as %v", what, i, m.at, done.Last)
			}
		}
	}
	compare("changes one by one")
	changes := names(t, r.place, "0")
	generation, _, _ := strings.Cut(changes[0], "/")
	r.must(replica.Join(r.copied, generation, r.place))
	if joined := names(t, r.place, "1"); len(joined) != 1 {
		t.Fatalf("joined: %q", joined)
	}
	compare("joined")
	r.must(replica.Expire(background, r.place, time.Now(), time.Hour))
	compare("nothing is old")

	r.must(replica.Expire(background, r.place, time.Now().Add(replica.Fresh), 24*time.Hour))
	if left := names(t, r.place, "0"); len(left) != 0 {
		t.Errorf("changes that were joined stay: %q", left)
	}
	content, done, err := restore(t, r.place, nil, time.Time{})
	r.must(err)
	if last := moments[len(moments)-1]; !bytes.Equal(content, last.content) || done.Files != 2 {
		t.Errorf("after changes expired, %d files are restored", done.Files)
	}
	first := names(t, r.place, "9")
	r.stop(false)
	r.start() // another generation
	r.must(replica.Expire(background, r.place, time.Now(), time.Hour))
	if left := names(t, r.place, "9"); len(left) != 2 {
		t.Errorf("snapshots within the retention: %q", left)
	}
	r.must(replica.Expire(background, r.place, time.Now().Add(2*time.Hour), time.Hour))
	if left := names(t, r.place, "9"); len(left) != 1 || left[0] == first[0] {
		t.Errorf("snapshots after the retention: %q", left)
	}
	r.stop(false)
}

// Large changes, and those between two large ones, are not joined with others. They do not expire before the retention.
func TestLargeChanges(t *testing.T) {
	for _, seal := range []*replica.Seal{nil, newSeal(t)} {
		address, access := site(t, "folder")
		r := newRun(t, open(t, address, access), seal, 3)
		r.start()
		for _, size := range []int{10, 10, 5 << 20, 10, 6 << 20, 10, 10} {
			r.write(r.db, fmt.Sprintf("INSERT INTO notes (body) VALUES (randomblob(%d))", size))
			r.wait()
		}
		r.stop(false)
		want, _, err := restore(t, r.place, seal, time.Time{})
		r.must(err)
		changes := names(t, r.place, "0")
		generation, _, _ := strings.Cut(changes[0], "/")
		r.must(replica.Join(r.copied, generation, r.place))
		r.must(replica.Expire(background, r.place, time.Now().Add(replica.Fresh), 24*time.Hour))
		joined, left := names(t, r.place, "1"), names(t, r.place, "0")
		if len(joined) != 2 || len(left) != 3 {
			t.Errorf("of %q, %q are joined, and %q left", changes, joined, left)
		}
		content, done, err := restore(t, r.place, seal, time.Time{})
		r.must(err)
		if !bytes.Equal(content, want) || done.Files != 6 {
			t.Errorf("%d files are restored to something else", done.Files)
		}
	}
}

func TestGapIsRefused(t *testing.T) {
	address, access := site(t, "folder")
	r := newRun(t, open(t, address, access), nil, 2)
	r.start()
	for range 4 {
		r.write(r.db, r.insert(2)...)
		r.wait()
	}
	r.stop(false)
	refused := func(want string) {
		t.Helper()
		if _, _, err := restore(t, r.place, nil, time.Time{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("restored with %v, want %q", err, want)
		}
	}
	changes := names(t, r.place, "0")
	whole := read(t, r.place, changes[1])
	r.must(r.place.Delete(background, changes[1]))
	refused("the copy is incomplete")
	for _, text := range []string{whole[:len(whole)/2], "", strings.Replace(whole, whole[200:210], "0123456789", 1)} {
		r.must(r.place.Put(background, changes[1], strings.NewReader(text), int64(len(text))))
		refused("the copy is damaged: " + changes[1])
	}
	r.must(r.place.Put(background, changes[1], strings.NewReader(whole), int64(len(whole))))
	r.compare()
	r.must(r.place.Delete(background, names(t, r.place, "9")[0]))
	refused("has no snapshot")
}

// A copy in which the disk changed a single bit is refused, unless its pages are unpacked to the same bytes.
func TestFlippedBitOfACopyIsRefused(t *testing.T) {
	address, access := site(t, "folder")
	r := newRun(t, open(t, address, access), nil, 5)
	r.start()
	for range 3 {
		r.write(r.db, r.insert(2)...)
		r.wait()
	}
	r.stop(false)
	intact, _, err := restore(t, r.place, nil, time.Time{})
	r.must(err)
	refused := 0
	for range 60 {
		all := append(names(t, r.place, "0"), names(t, r.place, "9")...)
		name := all[r.random.IntN(len(all))]
		whole := read(t, r.place, name)
		flipped := []byte(whole)
		at := r.random.IntN(len(flipped))
		flipped[at] ^= 1 << r.random.IntN(8)
		r.must(r.place.Put(background, name, bytes.NewReader(flipped), int64(len(flipped))))
		content, _, err := restore(t, r.place, nil, time.Time{})
		if err != nil {
			refused++
		} else if !bytes.Equal(content, intact) {
			t.Errorf("restored other pages with a flipped bit at %d of %d in %s", at, len(flipped), name)
		}
		r.must(r.place.Put(background, name, strings.NewReader(whole), int64(len(whole))))
	}
	if refused < 50 {
		t.Errorf("only %d of 60 were refused", refused)
	}
	r.compare()
}

// Another server waits while one replicates to the place, and stores its snapshot once that one has stopped.
func TestOneServerForAPlace(t *testing.T) {
	address, access := site(t, "folder")
	first := newRun(t, open(t, address, access), nil, 3)
	first.start()
	second := newRun(t, open(t, address, access), nil, 4)
	before := len(names(t, first.place, "9"))
	d := second.open()
	if lag := second.copied.Lag(); lag.Age <= 0 {
		t.Errorf("the second server has a lag of %v", lag)
	}
	second.must(second.other.Close())
	second.must(d.Close())
	if after := len(names(t, first.place, "9")); after != before {
		t.Errorf("the second server stored %d snapshots", after-before)
	}
	first.stop(false)
	second.start()
	second.stop(false)
}
