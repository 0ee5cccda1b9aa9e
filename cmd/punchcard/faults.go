//go:build faults

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"punchcard/app"
)

// faultsVariable names the environment variable with the path of a file that says what goes wrong: JSON with the
// members commitDelay and clockAhead, in nanoseconds. The file is read at the start and at every SIGUSR1.
const faultsVariable = "FAULTS_FILE"

// injectFaults lets each commit wait, and lets the clock run ahead, as the file says.
func injectFaults(config *app.Config) error {
	path := os.Getenv(faultsVariable)
	if path == "" {
		return nil
	}
	var delay, ahead atomic.Int64
	read := func() error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var faults struct{ CommitDelay, ClockAhead int64 }
		if err := json.Unmarshal(text, &faults); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		delay.Store(faults.CommitDelay)
		ahead.Store(faults.ClockAhead)
		return nil
	}
	if err := read(); err != nil {
		return err
	}
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGUSR1)
	go func() {
		for range changed {
			if err := read(); err != nil {
				panic(err)
			}
		}
	}()
	config.Clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	config.BeforeCommit = func() {
		if wait := delay.Load(); wait > 0 {
			time.Sleep(time.Duration(wait))
		}
	}
	return nil
}
