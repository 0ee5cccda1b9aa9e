package db

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	driver "modernc.org/sqlite" // also registers the database/sql driver named sqlite
	"zombiezen.com/go/sqlite"
)

// leastFree is the free space in bytes below which a disk that fails counts as full. SQLite calls it an I/O error when
// the memory-mapped index of its log cannot grow.
const leastFree = 1 << 20

// explainDisk adds to an error of the disk that holds a SQLite file which disk that is and whether it is full. Other
// errors stay as they are.
func explainDisk(file string, err error) error {
	code := resultCode(err)
	switch code {
	case sqlite.ResultFull, sqlite.ResultIOErr, sqlite.ResultCantOpen:
	default:
		return err
	}
	folder := filepath.Dir(file)
	var disk syscall.Statfs_t
	if syscall.Statfs(folder, &disk) != nil {
		return err
	}
	free, size := disk.Bavail*uint64(disk.Bsize), disk.Blocks*uint64(disk.Bsize)
	name := fmt.Sprintf("the disk mounted at %s, which holds %s,", mountPoint(folder), folder)
	switch {
	case disk.Files > 0 && disk.Ffree == 0:
		return fmt.Errorf("%s is full (no room for another file): %w", name, err)
	case code == sqlite.ResultFull || free < leastFree:
		return fmt.Errorf("%s is full (%d of %d bytes free): %w", name, free, size, err)
	case code == sqlite.ResultIOErr:
		return fmt.Errorf("%s does not work: %w", name, err)
	}
	return err
}

// resultCode is the primary code of an error of SQLite, from either of the two packages that speak to it.
func resultCode(err error) sqlite.ResultCode {
	if known, ok := errors.AsType[*driver.Error](err); ok {
		return sqlite.ResultCode(known.Code()).ToPrimary()
	}
	return sqlite.ErrCode(err).ToPrimary()
}

// mountPoint is the uppermost folder on the disk of the folder.
func mountPoint(folder string) string {
	top, err := filepath.Abs(folder)
	if err == nil {
		top, err = filepath.EvalSymlinks(top)
	}
	if err != nil {
		return folder
	}
	for top != filepath.Dir(top) && device(filepath.Dir(top)) == device(top) {
		top = filepath.Dir(top)
	}
	return top
}

// device tells the disks of files apart; it is 0 for a file that cannot be looked at.
func device(name string) uint64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return uint64(info.Sys().(*syscall.Stat_t).Dev)
}
