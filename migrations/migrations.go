// Package migrations holds the schema: one text for both databases, only ever added to.
package migrations

import "embed"

// Files are the migrations in goose form, run in the order of their numbers.
//
//go:embed *.sql
var Files embed.FS
