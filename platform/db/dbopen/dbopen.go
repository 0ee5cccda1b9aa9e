// Package dbopen opens a database: PostgreSQL if the configuration has its address, otherwise SQLite.
package dbopen

import (
	"context"

	"punchcard/platform/db"
	"punchcard/platform/db/postgres"
	"punchcard/platform/db/sqlite"
)

// Open connects to the database. It does not create or change tables; Migrate does.
func Open(ctx context.Context, config db.Config) (*db.DB, error) {
	if config.URL != "" {
		return postgres.Open(ctx, config)
	}
	return sqlite.Open(config)
}
