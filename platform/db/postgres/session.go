package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var errSharedSessions = errors.New("connect to PostgreSQL: the pooler shares sessions, as PgBouncer does with " +
	"pool_mode=transaction, so that settings and prepared statements are lost: use pool_mode=session, or no pooler")

// atConnect are parameters that must be known when a connection begins. A pooler knows them.
var atConnect = []string{"application_name", "client_encoding", "options", "replication", "timezone"}

// setAfterConnect sets the parameters of the address, and defaults for the others, after a connection has begun: a
// pooler refuses to begin one with parameters that it does not know.
func setAfterConnect(config *pgxpool.Config, defaults map[string]string) {
	begin, set := map[string]string{}, map[string]string{}
	maps.Copy(set, defaults)
	maps.Copy(set, config.ConnConfig.RuntimeParams)
	var calls []string
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if slices.Contains(atConnect, name) {
			begin[name] = set[name]
			continue
		}
		calls = append(calls, fmt.Sprintf("set_config(%s, %s, false)", quoted(name), quoted(set[name])))
	}
	config.ConnConfig.RuntimeParams = begin
	config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.PgConn().Exec(ctx, "SELECT "+strings.Join(calls, ", ")).ReadAll()
		return err
	}
}

// quoted returns a text as a literal, whatever the setting standard_conforming_strings is.
func quoted(text string) string {
	return " E'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}

// refuseSharedSessions returns an error if a pooler gives the sessions of connections to others between transactions.
// It holds the session of one connection, and looks whether it was or becomes another's.
func refuseSharedSessions(ctx context.Context, pool *pgxpool.Pool) error {
	first, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer first.Release()
	before, err := sessionOf(ctx, first.Conn())
	if err != nil || before == first.Conn().PgConn().PID() { // no pooler
		return err
	}
	second, err := pgx.ConnectConfig(ctx, pool.Config().ConnConfig) // the pool may be as small as one
	if err != nil {
		return err
	}
	defer func() { _ = second.Close(ctx) }()
	tx, err := second.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	held, err := sessionOf(ctx, second)
	if err != nil {
		return err
	}
	after, err := sessionOf(ctx, first.Conn())
	if err == nil && (held == before || after != before) {
		err = errSharedSessions
	}
	return err
}

// sessionOf returns the id of the server's process for a connection.
func sessionOf(ctx context.Context, c *pgx.Conn) (pid uint32, err error) {
	err = c.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&pid)
	return pid, err
}
