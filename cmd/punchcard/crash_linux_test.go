package main_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"punchcard/platform/testwait"
)

// smallDisk mounts a file system of its own, which is soon full.
func smallDisk(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	switch err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=64m"); {
	case errors.Is(err, syscall.EPERM):
		t.Skip("this user may not mount a small disk; platform/db fills one without mounting")
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// fill leaves no room on the disk of the folder, and returns how to make some.
func fill(t *testing.T, folder string) (free func()) {
	t.Helper()
	ballast := filepath.Join(folder, "ballast")
	file, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	chunk := make([]byte, 4096)
	for err == nil {
		_, err = file.Write(chunk)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDiskIsFullAndHasRoomAgain(t *testing.T) {
	t.Parallel()
	folder := smallDisk(t)
	b := newBuyer(start(t, demoIn(t, folder)...))
	var free func()
	b.survive(func() { free = fill(t, folder) }, func() { free() })
	if !b.saidFull(folder) {
		t.Errorf("the log does not name the disk: %s", b.Log)
	}
	if status := b.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

func (p *process) saidFull(folder string) bool {
	p.t.Helper()
	return strings.Contains(p.Log.String(),
		fmt.Sprintf("the disk mounted at %[1]s, which holds %[1]s, is full (", folder))
}

// A start without room names the disk, wherever the room ends; with room, the next one goes well.
func TestStartOnFullDisk(t *testing.T) {
	t.Parallel()
	folder := smallDisk(t)
	data := filepath.Join(folder, "data")
	for _, room := range []int64{0, 8 << 10, 40 << 10, 200 << 10, 1000 << 10, 1300 << 10} { // bytes
		free := fill(t, folder)
		ballast := filepath.Join(folder, "ballast")
		info, err := os.Stat(ballast)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(ballast, info.Size()-room); err != nil {
			t.Fatal(err)
		}
		said, status := tool(t, "serve", "--listen", "127.0.0.1:0", "--data", data)
		want := fmt.Sprintf("the disk mounted at %s, which holds %s, is full (", folder, data)
		if status != 1 || !strings.Contains(said, want) {
			t.Errorf("with %d bytes: exit status %d, %s", room, status, said)
		}
		free()
		if err := os.RemoveAll(data); err != nil {
			t.Fatal(err)
		}
	}
	free := fill(t, folder)
	if _, status := tool(t, "migrate", "--data", data); status != 1 {
		t.Errorf("migrate without room: exit status %d", status)
	}
	free()
	if status := start(t, "--data", data).stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// The database is elsewhere. The disk of the data folder has no room, and nothing is written there: the server starts,
// sells and is healthy.
func TestDataFolderWithoutDatabaseIsFull(t *testing.T) {
	t.Parallel()
	folder := smallDisk(t)
	free := fill(t, folder)
	b := newBuyer(start(t, "--data", filepath.Join(folder, "data"), "--database", ownCluster(t).URL("crash"), "--demo"))
	testwait.Until(t, "health", b.isHealthy)
	for range 20 {
		if !b.buy() || !b.isHealthy() {
			t.Fatal("nothing is sold, or the server is not healthy")
		}
	}
	free()
	b.checkOwned()
	if status := b.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// limitFiles lets a process write files up to so many bytes; what is beyond fails as on a broken disk.
func limitFiles(t *testing.T, pid int, bytes uint64) {
	t.Helper()
	const fileSize = 1 // RLIMIT_FSIZE
	limit := syscall.Rlimit{Cur: bytes, Max: unlimited}
	if _, _, err := syscall.Syscall6(syscall.SYS_PRLIMIT64, uintptr(pid), fileSize,
		uintptr(unsafe.Pointer(&limit)), 0, 0, 0); err != 0 {
		t.Fatal(err)
	}
}

const unlimited = ^uint64(0)

// SQLite's log cannot grow: each write fails with an input or output error.
func TestDiskRefusesWritesAndTakesThemAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := newBuyer(start(t, demoIn(t, folder)...))
	b.survive(func() {
		log, err := os.Stat(filepath.Join(folder, "punchcard.db-wal"))
		if err != nil {
			t.Fatal(err)
		}
		limitFiles(t, b.PID(), uint64(log.Size()))
		b.checkOnlyDatabaseFails(`{"name":"search index","status":"OK"}`)
	}, func() { limitFiles(t, b.PID(), unlimited) })
	if status := b.stop(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
}
