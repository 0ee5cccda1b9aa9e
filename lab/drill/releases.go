package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"punchcard/app"
	"punchcard/app/apptest"
)

// programs are three releases: this one, and two test builds after it with one additive migration each.
type programs struct{ current, next, afterNext string }

// nextSchema is the migration that each of the test builds adds: a column and an index of a table that is written all
// the time, a table, and the versions of programs that may use the schema.
const nextSchema = `-- +goose Up
ALTER TABLE customers ADD COLUMN %[1]s TEXT NOT NULL DEFAULT 'none';
CREATE INDEX customers_%[1]s ON customers (store_id, %[1]s, customer_id);
CREATE TABLE %[1]s_pets (
    store_id BIGINT NOT NULL,
    pet_id   TEXT   NOT NULL,
    PRIMARY KEY (store_id, pet_id)
) WITHOUT ROWID;
UPDATE schema_programs SET made_by = '%[2]s', oldest = '%[3]s';
`

// versionAfter returns the minor version after this program's by a number of releases.
func versionAfter(releases int) string {
	var major, minor int
	if _, err := fmt.Sscanf(semver.MajorMinor("v"+app.Version), "v%d.%d", &major, &minor); err != nil {
		panic(err) // the version is a constant
	}
	return fmt.Sprintf("%d.%d.0", major, minor+releases)
}

// buildReleases builds the three programs into the folder.
func buildReleases(ctx context.Context, folder string) (p programs, err error) {
	migrations := map[string]string{}
	for i, to := range []*string{&p.current, &p.next, &p.afterNext} {
		if i > 0 {
			name := fmt.Sprintf("migrations/%d_release.sql", 9000+i)
			migrations[name] = fmt.Sprintf(nextSchema, fmt.Sprintf("extra%d", i), versionAfter(i), versionAfter(i-1))
		}
		built := filepath.Join(folder, fmt.Sprintf("release%d", i))
		if err := os.Mkdir(built, 0o700); err != nil {
			return p, err
		}
		overlay, err := writeOverlay(ctx, built, migrations, i)
		if err != nil {
			return p, err
		}
		*to, err = apptest.Build(ctx, built, []string{"CGO_ENABLED=0"}, "-overlay", overlay)
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

// writeOverlay writes the files that a test build has in place of those of the repository, and returns their list.
func writeOverlay(ctx context.Context, folder string, migrations map[string]string, releases int) (
	list string, err error) {
	root, err := apptest.Root(ctx)
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(filepath.Join(root, "app/version.go"))
	if err != nil {
		return "", err
	}
	files := map[string]string{}
	for name, text := range migrations {
		files[name] = text
	}
	if releases > 0 {
		files["app/version.go"] = strings.Replace(string(source), `"`+app.Version+`"`, `"`+versionAfter(releases)+`"`, 1)
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, text := range files {
		to := filepath.Join(folder, filepath.Base(name))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		overlay.Replace[filepath.Join(root, name)] = to
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	list = filepath.Join(folder, "overlay.json")
	return list, os.WriteFile(list, text, 0o600)
}
