// Package calendartest lists the time zones for tests that go through all of them.
package calendartest

import (
	"archive/zip"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Zones returns all time zones of the database that Go is distributed with.
func Zones(t *testing.T) []*time.Location {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	var zones []*time.Location
	for _, f := range files.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		zone, err := time.LoadLocation(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
	}
	if len(zones) < 500 {
		t.Fatalf("only %d zones", len(zones))
	}
	return zones
}
