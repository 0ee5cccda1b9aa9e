package main

import (
	"testing"
	"time"

	"punchcard/app/apptest"
)

// The machine is lost after a short load, with and without --replicate-sync.
func TestLostMachine(t *testing.T) {
	program, err := apptest.Build(t.Context(), t.TempDir(), []string{"CGO_ENABLED=0"})
	if err != nil {
		t.Fatal(err)
	}
	for name, inSync := range map[string]bool{"async": false, "sync": true} {
		t.Run(name, func(t *testing.T) {
			d := &drill{program: program, folder: t.TempDir(), load: 2 * time.Second}
			if err := loseMachine("folder", inSync)(t.Context(), d); err != nil {
				t.Error(err)
			}
		})
	}
}
