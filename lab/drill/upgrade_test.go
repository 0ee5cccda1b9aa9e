package main

import (
	"testing"

	"punchcard/platform/db/dbtest"
	"punchcard/platform/testmode"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// TestUpgradeNodeByNode is a short form of the drill: the next release, and back, with clients that write.
func TestUpgradeNodeByNode(t *testing.T) {
	testmode.SkipQuick(t)
	p, err := buildReleases(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const writes = 20
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		var err error
		if engine == "sqlite" {
			err = upgradeFile(t.Context(), p, t.TempDir(), writes, patience, t.Output())
		} else {
			err = upgradeNodes(t.Context(), p, t.TempDir(), dbtest.Empty(t, engine).URL, writes, t.Output())
		}
		if err != nil {
			t.Error(err)
		}
	})
}
