package filelock_test

import (
	"os"
	"path/filepath"
	"testing"

	"punchcard/platform/filelock"
)

// One opened file holds the lock, until it is closed.
func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		return file
	}
	first, second := open(), open()
	if err := filelock.Lock(first); err != nil {
		t.Fatal(err)
	}
	if err := filelock.TryLock(second); err == nil {
		t.Error("a locked file can be locked again")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := filelock.TryLock(second); err != nil {
		t.Error(err)
	}
}
