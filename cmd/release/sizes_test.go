package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestParts(t *testing.T) {
	for symbol, want := range map[string]string{
		"main.main": "Punchcard", "punchcard/loyalty/pos.(*Service).Create": "Punchcard",
		"github.com/nats-io/nats%2ego.(*Conn).Publish":       "NATS",
		"github.com/jackc/pgx/v5.Connect":                    "PostgreSQL",
		"modernc.org/sqlite/lib.Xsqlite3_open":               "SQLite",
		"slices.SortFunc[go.shape.[]string,go.shape.string]": standardLibrary,
		"vendor/golang.org/x/net/idna.init":                  standardLibrary,
		"type:.eq.punchcard/app.Config":                      otherData,
	} {
		if got := partOf(symbol); got != want {
			t.Errorf("%s belongs to %s, want %s", symbol, got, want)
		}
	}
}

// The parts of a program add up to what is in its file without the names of functions.
func TestWeights(t *testing.T) {
	source, program := filepath.Join(t.TempDir(), "main.go"), filepath.Join(t.TempDir(), "program")
	text := "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := output(t.Context(), targets[0].environment(), "go", "build", "-o", program, source); err != nil {
		t.Fatal(err)
	}
	weights, err := weightsOf(program)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	var total int64
	for part, weight := range weights {
		total += weight
		if weight < 0 {
			t.Errorf("%s weighs %d bytes", part, weight)
		}
	}
	if total < info.Size()/3 || total > info.Size() || weights["Punchcard"] == 0 || weights[standardLibrary] == 0 {
		t.Errorf("%d bytes of %d: %v", total, info.Size(), weights)
	}
}
