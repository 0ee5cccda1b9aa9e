package main

import (
	"fmt"
	"testing"

	"punchcard/app/apptest"
	"punchcard/platform/testmode"
)

// TestLostMachine is a short form of the drill: a folder has the copy, with and without --replicate-sync.
func TestLostMachine(t *testing.T) {
	testmode.SkipQuick(t)
	program, err := apptest.Build(t.Context(), t.TempDir(), []string{"CGO_ENABLED=0"})
	if err != nil {
		t.Fatal(err)
	}
	const writes = 100
	for _, inSync := range []bool{false, true} {
		t.Run(fmt.Sprint(inSync), func(t *testing.T) {
			err := loseMachine(t.Context(), program, t.TempDir(), "folder", inSync, writes, patience, t.Output())
			if err != nil {
				t.Error(err)
			}
		})
	}
}
