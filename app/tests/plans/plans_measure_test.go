package plans_test

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/db"
)

// effort is the cost of executing a statement.
type effort struct {
	rows   float64 // that nodes of the plan handed on or dropped
	pages  float64
	plan   string
	sample int // index of the arguments
}

// exceeds reports whether a statement that reads a growing table costs far more than usual.
func (e effort) exceeds(usual effort) bool {
	const few = 1000
	grows := slices.ContainsFunc(growing, func(table string) bool {
		return strings.Contains(e.plan, `"Relation Name": "`+table+`"`)
	})
	return grows && (e.rows > 3*usual.rows+few || e.pages > 3*usual.pages+few)
}

var measured atomic.Int64

// measure executes a statement with each of its samples, rolls back, and returns the greatest effort.
func measure(t *testing.T, d *db.DB, s *statement, mode string) (greatest effort) {
	t.Helper()
	for i, args := range s.samples {
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			prepared := fmt.Sprint("measured_", measured.Add(1)) // which outlives a failure
			for _, command := range []string{"SET LOCAL plan_cache_mode = " + mode, "PREPARE " + prepared + " AS " + s.query} {
				if _, err := tx.Exec(command); err != nil {
					return err
				}
			}
			text, err := db.Value[string](tx,
				"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE "+prepared+literals(args))
			if err != nil {
				return err
			}
			if _, err := tx.Exec("DEALLOCATE " + prepared); err != nil {
				return err
			}
			var plans []struct{ Plan executed }
			if err := json.Unmarshal([]byte(text), &plans); err != nil {
				return err
			}
			root := &plans[0].Plan
			if e := (effort{root.handled(), root.Hit + root.Read, text, i}); e.rows >= greatest.rows {
				greatest = e
			}
			return servertest.ErrUndo
		})
		// An update may give a row a key that a later one has.
		if err != nil && !errors.Is(err, servertest.ErrUndo) && !strings.Contains(err.Error(), "duplicate key") {
			t.Errorf("%s: %v", s.query, err)
		}
	}
	return greatest
}

// executed is a node of a plan with what its execution did.
type executed struct {
	Rows     float64 `json:"Actual Rows"` // of each loop, as are the next three
	Filtered float64 `json:"Rows Removed by Filter"`
	Unjoined float64 `json:"Rows Removed by Join Filter"`
	Recheck  float64 `json:"Rows Removed by Index Recheck"`
	Loops    float64 `json:"Actual Loops"`
	Hit      float64 `json:"Shared Hit Blocks"` // of this node and those below
	Read     float64 `json:"Shared Read Blocks"`
	Plans    []executed
}

func (n *executed) handled() float64 {
	sum := (n.Rows + n.Filtered + n.Unjoined + n.Recheck) * n.Loops
	for i := range n.Plans {
		sum += n.Plans[i].handled()
	}
	return sum
}

// literals returns the arguments for EXECUTE, which takes no parameters.
func literals(args []any) string {
	if len(args) == 0 {
		return ""
	}
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = "NULL"
		if text, ok := literal(reflect.ValueOf(arg)); ok {
			texts[i] = "'" + strings.ReplaceAll(text, "'", "''") + "'"
		}
	}
	return " (" + strings.Join(texts, ", ") + ")"
}

// literal returns a value as PostgreSQL reads it; ok is false for NULL.
func literal(v reflect.Value) (string, bool) {
	if v.IsValid() && v.CanInterface() {
		if valuer, ok := v.Interface().(driver.Valuer); ok {
			stored, err := valuer.Value()
			if err != nil {
				return err.Error(), true
			}
			v = reflect.ValueOf(stored)
		}
	}
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		return "", false
	case v.Kind() == reflect.String:
		return v.String(), true
	case v.CanInt():
		return fmt.Sprint(v.Int()), true
	case v.Kind() != reflect.Slice:
		return fmt.Sprint(v), true
	case v.Type().Elem().Kind() == reflect.Uint8:
		return fmt.Sprintf(`\x%x`, v.Bytes()), true
	}
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = "NULL"
		if text, ok := literal(v.Index(i)); ok {
			parts[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
		}
	}
	return "{" + strings.Join(parts, ",") + "}", true
}

// playTranscripts plays all transcripts on one server and ignores the responses. Those that change passwords and
// settings come last.
func playTranscripts(t *testing.T, base string) {
	t.Helper()
	files, err := filepath.Glob("../../../docs/transcripts/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	last := func(file string) bool { return strings.HasPrefix(filepath.Base(file), "1") }
	slices.SortStableFunc(files, func(a, b string) int {
		switch {
		case last(a) == last(b):
			return strings.Compare(a, b)
		case last(a):
			return 1
		}
		return -1
	})
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := servertest.NewPlayer(t, base)
		p.Lenient = true
		p.Play(string(text))
	}
}
