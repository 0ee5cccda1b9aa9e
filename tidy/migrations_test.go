package tidy

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// migrationRules checks that no two migrations have the same number: the server would refuse to start.
func migrationRules(migrations map[string]string) []string {
	var violations []string
	numbered := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(migrations)) {
		number, _, _ := strings.Cut(path.Base(name), "_")
		if former, taken := numbered[number]; taken {
			violations = append(violations, fmt.Sprintf("%s has the number of %s", name, former))
		}
		numbered[number] = name
	}
	return violations
}

func TestMigrationNumbers(t *testing.T) {
	expect(t, migrationRules(map[string]string{"migrations/0001_a.sql": "", "migrations/0002_a.sql": ""}), "")
	expect(t, migrationRules(map[string]string{"migrations/0002_a.sql": "", "migrations/0002_b.sql": ""}),
		"migrations/0002_b.sql has the number of migrations/0002_a.sql")
}
