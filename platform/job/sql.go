package job

import (
	"time"

	"punchcard/platform/db"
)

// noRun is the next run in rows that are only a lease.
const noRun = 0

// register inserts the row of a name if it is missing.
func register(tx *db.Tx, name string, nextRun int64) error {
	return tx.Insert("jobs", "name, owner, lease_until, last_run_at, next_run_at, done, error",
		"ON CONFLICT (name) DO NOTHING", []any{name, "", 0, nil, nextRun, 0, ""})
}

// limitWait moves the next run forward when it is later than the schedule allows, such as after a
// change of the schedule or a wrong clock.
func limitWait(tx *db.Tx, name string, latest time.Time) error {
	_, err := tx.Exec(`UPDATE jobs SET next_run_at = ? WHERE name = ? AND next_run_at > ?`,
		latest.UnixMicro(), name, latest.UnixMicro())
	return err
}

// farthest returns the latest plausible end of a lease. A lease that ends later was acquired under a
// wrong clock and is ignored.
func farthest(tx *db.Tx) int64 { return tx.Now().Add(2 * LeaseTerm).UnixMicro() }

func leaseIsFree(tx *db.Tx, name, node string) (bool, error) {
	taken, err := db.Value[int64](tx,
		`SELECT COUNT(*) FROM jobs WHERE name = ? AND owner <> ? AND lease_until > ? AND lease_until <= ?`,
		name, node, tx.Now().UnixMicro(), farthest(tx))
	return taken == 0, err
}

func takeLease(tx *db.Tx, name, node string, until time.Time) (bool, error) {
	if err := register(tx, name, noRun); err != nil {
		return false, err
	}
	taken, err := tx.Exec(
		`UPDATE jobs SET owner = ?, lease_until = ?
		WHERE name = ? AND (owner = ? OR lease_until <= ? OR lease_until > ?)`,
		node, until.UnixMicro(), name, node, tx.Now().UnixMicro(), farthest(tx))
	return taken == 1, err
}

// release gives up a lease, unless another node has acquired it meanwhile.
func release(tx *db.Tx, name, node string) error {
	_, err := tx.Exec(`UPDATE jobs SET owner = '', lease_until = 0, began_at = NULL WHERE name = ? AND owner = ?`,
		name, node)
	return err
}

// dueNames returns the jobs that are due and not running.
func dueNames(tx *db.Tx) ([]string, error) {
	return db.AllValues[string](tx,
		`SELECT name FROM jobs WHERE next_run_at > 0 AND next_run_at <= ?
			AND (lease_until <= ? OR lease_until > ?) ORDER BY name`,
		tx.Now().UnixMicro(), tx.Now().UnixMicro(), farthest(tx))
}

// claim acquires the lease of a due job and returns when it was due; found is false when another
// node was faster.
func claim(tx *db.Tx, name, owner string, until time.Time) (due time.Time, found bool, err error) {
	return db.One(tx, func(due *time.Time) []any { return []any{db.Time(due)} },
		`UPDATE jobs SET owner = ?, lease_until = ?, began_at = ?
		WHERE name = ? AND next_run_at <= ? AND (lease_until <= ? OR lease_until > ?) RETURNING next_run_at`,
		owner, until.UnixMicro(), tx.Now().UnixMicro(), name, tx.Now().UnixMicro(), tx.Now().UnixMicro(), farthest(tx))
}

// renew extends the lease of a running job. It returns false when another node has taken over the
// job.
func renew(tx *db.Tx, name, owner string, until time.Time) (bool, error) {
	renewed, err := tx.Exec(`UPDATE jobs SET lease_until = ? WHERE name = ? AND owner = ?`,
		until.UnixMicro(), name, owner)
	return renewed == 1, err
}

// finish stores the outcome of a run and frees the job, unless another node took it over.
func finish(tx *db.Tx, name, owner string, o outcome) error {
	_, err := tx.Exec(
		`UPDATE jobs SET owner = '', lease_until = 0, began_at = NULL, last_run_at = ?, next_run_at = ?, done = ?,
		error = ?, last_end_at = ?, last_node = ? WHERE name = ? AND owner = ?`,
		db.Time(&o.began), db.Time(&o.next), o.done, o.failure, db.Time(&o.ended), nodeOf(owner), name, owner)
	return err
}

var table = db.NewTable("jobs", "name", func(s *State) db.Row {
	return db.Row{
		"name", &s.Name, "owner", &s.Owner, "lease_until", db.Time(&s.LeaseUntil), "began_at", db.Time(&s.BeganAt),
		"last_run_at", db.Time(&s.LastRunAt), "last_end_at", db.Time(&s.LastEndAt), "last_node", &s.LastNode,
		"next_run_at", db.Time(&s.NextRunAt), "done", &s.Done, "error", &s.Error,
	}
})

// Status returns all jobs by name, including those that only other versions of the program have.
func Status(tx *db.Tx) ([]State, error) {
	return table.All(tx, `SELECT * FROM jobs WHERE next_run_at > 0 ORDER BY name`)
}
