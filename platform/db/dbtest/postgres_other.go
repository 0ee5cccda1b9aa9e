//go:build !linux

package dbtest

import "syscall"

// dieWithParent does nothing: only Linux can tie a process to its parent, elsewhere Main and Stop end the server.
func dieWithParent(*syscall.SysProcAttr) {}

// memoryFolder is not known elsewhere.
func memoryFolder() (string, bool) { return "", false }
