//go:build unix

package disk

import (
	"os"
	"path/filepath"
	"syscall"
)

func usageOf(folder string) (u usage, ok bool) {
	var disk syscall.Statfs_t
	if syscall.Statfs(folder, &disk) != nil {
		return u, false
	}
	return usage{
		free: disk.Bavail * uint64(disk.Bsize), size: disk.Blocks * uint64(disk.Bsize),
		noFiles: disk.Files > 0 && disk.Ffree == 0,
	}, true
}

// mountPoint returns the uppermost folder on the disk of the folder.
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

// device returns the number of the disk of a file, or 0 if the file cannot be read.
func device(name string) uint64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return uint64(info.Sys().(*syscall.Stat_t).Dev)
}
