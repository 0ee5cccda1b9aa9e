package powercut

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// What was synced survives every cut. Of the rest, each outcome occurs: old and new sectors side by side, names that
// are there and that are not.
func TestOnlySyncedChangesAreSafe(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(200) {
		folder := filepath.Join(t.TempDir(), "disk")
		removed := folder + "-removed"
		if err := errors.Join(os.Mkdir(folder, 0o700), os.Mkdir(removed, 0o700)); err != nil {
			t.Fatal(err)
		}
		d := New(folder, removed, rand.New(rand.NewPCG(seed, 0)))
		use(t, d, folder)
		d.Cut()
		if err := d.Create(filepath.Join(folder, "late"), func() error { return nil }); !errors.Is(err, ErrOff) {
			t.Fatalf("a file is created without power: %v", err)
		}
		if err := d.Restore(); err != nil {
			t.Fatal(err)
		}
		seen[outcome(t, folder)]++
	}
	for _, part := range []string{"both old", "both new", "torn", "gone there", "gone absent", "fresh there",
		"fresh absent", "from there", "to there"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(o string) bool { return strings.Contains(o, part) }) {
			t.Errorf("%q never occurs: %v", part, seen)
		}
	}
}

const synced, unsynced = "s", "u"

// use syncs the files named file, gone and from, and then changes them without a sync.
func use(t *testing.T, d *Disk, folder string) {
	t.Helper()
	for _, name := range []string{"file", "gone", "from"} {
		write(t, d, filepath.Join(folder, name), synced, true)
	}
	must(t, d.SyncFolder(folder))
	write(t, d, filepath.Join(folder, "file"), unsynced, false)
	must(t, d.Remove(filepath.Join(folder, "gone")))
	write(t, d, filepath.Join(folder, "fresh"), synced, true)
	must(t, d.Rename(filepath.Join(folder, "from"), filepath.Join(folder, "to")))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write fills two sectors of a file.
func write(t *testing.T, d *Disk, name, letter string, sync bool) {
	t.Helper()
	if _, err := os.Stat(name); err != nil {
		must(t, d.Create(name, func() error { return os.WriteFile(name, nil, 0o600) }))
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	must(t, err)
	info, err := f.Stat()
	must(t, err)
	number := info.Sys().(*syscall.Stat_t).Ino
	must(t, d.Write(number, OSFile{f}, bytes.Repeat([]byte(letter), 2*sector), 0))
	if sync {
		must(t, d.Sync(number))
	}
	must(t, f.Close())
}

// outcome describes what a cut left of use.
func outcome(t *testing.T, folder string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(folder, "file"))
	must(t, err)
	if len(content) != 2*sector {
		t.Fatalf("a synced file has %d bytes", len(content))
	}
	first, second := string(content[0]), string(content[sector])
	if !bytes.Equal(content, slices.Concat(bytes.Repeat([]byte(first), sector), bytes.Repeat([]byte(second), sector))) {
		t.Fatal("a sector is torn")
	}
	file := "torn"
	if first == second {
		file = map[string]string{synced: "both old", unsynced: "both new"}[first]
	}
	text := file
	is := map[string]string{}
	for _, name := range []string{"gone", "fresh", "from", "to"} {
		is[name] = "absent"
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			is[name] = "there"
		}
		text += fmt.Sprint(", ", name, " ", is[name])
	}
	if is["from"] == is["to"] {
		t.Fatalf("after a rename: %s", text)
	}
	return text
}
