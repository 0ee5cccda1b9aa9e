//go:build unix

package filelock

import (
	"os"
	"syscall"
)

func lock(file *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	return syscall.Flock(int(file.Fd()), how)
}
