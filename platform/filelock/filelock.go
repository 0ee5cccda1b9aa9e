// Package filelock locks files between processes. Closing the file, or the end of the process, releases the lock.
package filelock

import "os"

// Lock locks a file, and waits until another process has released it.
func Lock(file *os.File) error { return lock(file, true) }

// TryLock locks a file, or returns an error at once if another process has locked it.
func TryLock(file *os.File) error { return lock(file, false) }
