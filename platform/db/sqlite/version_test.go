package sqlite

import (
	"testing"

	driver "zombiezen.com/go/sqlite"
)

// Version 3.51.3 mends a reset of the WAL that can damage a database with several connections.
func TestVersion(t *testing.T) {
	if driver.VersionNumber < 3_051_003 {
		t.Errorf("SQLite is %s, want 3.51.3 or newer", driver.Version)
	}
}
