package power

import (
	"errors"
	"testing"

	"punchcard/platform/testmode"
)

// TestPowerCutsOfSQLite is a short form of the drill.
func TestPowerCutsOfSQLite(t *testing.T) {
	testmode.SkipQuick(t)
	tally, err := cutSQLite(t.Context(), t.TempDir(), 15, 1, t.Output())
	if err := tally.report("sqlite", err, t.Output()); err != nil {
		t.Error(err)
	}
}

// TestFlippedBits is a short form of the drill.
func TestFlippedBits(t *testing.T) {
	testmode.SkipQuick(t)
	data, log, err := flipDatabase(t.Context(), t.TempDir(), 40, 1, t.Output())
	if err := errors.Join(data.report(err, t.Output()), log.reportLog(t.Output())); err != nil {
		t.Error(err)
	}
}
