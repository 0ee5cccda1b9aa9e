package migrations_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"punchcard/migrations"
)

var update = flag.Bool("update", false, "add new files to checksums.txt")

const checksums = "checksums.txt"

// TestChecksums shows that no migration changes after it was committed: databases that have applied it would not get
// the change. -update adds new files, and changes no line.
func TestChecksums(t *testing.T) {
	text, err := os.ReadFile(checksums)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		listed[name] = sum
	}
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	added := ""
	for _, name := range names {
		file, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			t.Fatal(err)
		}
		sum := fmt.Sprintf("%x", sha256.Sum256(file))
		switch before, known := listed[name]; {
		case !known && *update:
			added += sum + "  " + name + "\n"
		case !known:
			t.Errorf("%s is not in %s: run go test ./migrations -update", name, checksums)
		case before != sum:
			t.Errorf("%s has changed: leave it as it was, and write a new file", name)
		}
		delete(listed, name)
	}
	for name := range listed {
		t.Errorf("%s is missing: a migration is never removed", name)
	}
	if added != "" {
		if err := os.WriteFile(checksums, append(text, added...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
