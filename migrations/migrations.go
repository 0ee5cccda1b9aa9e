// Package migrations holds the schema of both databases: one file for each area, and one for each change since the
// first release.
package migrations

import "embed"

// Files are the migrations in goose form, which run in the order of their numbers. Numbers below 100 belong to
// databases from before the first release, which cannot be upgraded.
//
//go:embed *.sql
var Files embed.FS
