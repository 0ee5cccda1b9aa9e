//go:build unix

package main

import "syscall"

// protectFiles lets only the owner read what the program writes: the database holds the keys that sign tokens.
func protectFiles() { syscall.Umask(0o077) }
