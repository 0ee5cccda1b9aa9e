package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/disk"
	"punchcard/platform/event"
)

// Moving names the database that an installation moves from, and that which it moves to.
type Moving struct {
	From  string `required:"" placeholder:"ADDRESS" help:"Database to read: sqlite:FOLDER or postgres://…"`
	To    string `required:"" placeholder:"ADDRESS" help:"Empty database to fill: sqlite:FOLDER or postgres://…"`
	Check bool   `default:"true" negatable:"" help:"Run punchcard check on both databases."`

	Log       string `default:"warn" enum:"debug,info,warn,error" help:"Minimum severity of the log."`
	LogFormat string `default:"text" enum:"json,text" help:"Lines of the log: JSON objects or text."`
}

// moveName is the application name of the connections of a move to PostgreSQL.
const moveName = "punchcard-move"

// stagingName is the folder in which the SQLite file is made, in the folder where it will be.
const stagingName = databaseName + ".moving"

// errOthersConnected is the error of a PostgreSQL database that a server uses.
var errOthersConnected = errors.New("other processes of Punchcard are connected to this PostgreSQL database: " +
	"stop all servers and commands that use it, then start the move again")

// place returns the settings of an address.
func (m *Moving) place(flag, address string) (Database, error) {
	settings := Database{Log: m.Log, LogFormat: m.LogFormat}
	if folder, is := strings.CutPrefix(address, "sqlite:"); is && folder != "" {
		if filepath.Base(folder) == databaseName {
			folder = filepath.Dir(folder)
		}
		settings.Data = folder
		return settings, nil
	}
	if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
		return settings, fmt.Errorf("--%s: want sqlite:FOLDER, with the data folder of a server such as sqlite:./data, or "+
			"postgres://USER:PASSWORD@HOST/DATABASE", flag)
	}
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	settings.Database = address + separator + "application_name=" + moveName
	return settings, nil
}

// Move copies everything from one database into another, empty one, while no server uses either. It prints a report to
// out, and progress to progress. The source stays as it is. A move that does not end can be started again: of the
// target, nothing is in use before the end.
func Move(ctx context.Context, config Moving, kinds Kinds, out, progress io.Writer) (err error) {
	from, err := config.place("from", config.From)
	if err != nil {
		return err
	}
	to, err := config.place("to", config.To)
	if err != nil {
		return err
	}
	m := &mover{from: from, to: to, final: to.file(), report: newReporter(progress), began: time.Now()}
	release, err := m.lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	findings := int64(0)
	if config.Check {
		m.report.print("checking the source")
		if findings, err = Check(ctx, from, kinds, out, progress); err != nil {
			return fmt.Errorf("--from: %w", err)
		}
	}
	if err := m.move(ctx, out, progress); err != nil {
		return err
	}
	if config.Check {
		m.report.print("checking the target")
		after, err := Check(ctx, m.to, kinds, out, progress)
		if err != nil || after != findings {
			return errors.Join(fmt.Errorf("punchcard check has %d findings in the target and %d in the source: do not "+
				"serve the target", after, findings), err)
		}
	}
	if err := m.publish(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "moved in %v; the source holds what it held. Set it aside, so that no server starts with "+
		"it.\n", time.Since(m.began).Round(time.Second))
	return err
}

// mover is a move that runs.
type mover struct {
	from, to Database
	final    string // the SQLite file of the target
	report   *reporter
	began    time.Time
}

// lock keeps servers away from the folders of SQLite databases, and prepares a folder for the new file.
func (m *mover) lock(ctx context.Context) (release func(), err error) {
	var unlocks []func()
	all := func() {
		for _, unlock := range unlocks {
			unlock()
		}
	}
	defer func() {
		if err != nil {
			all()
		}
	}()
	if m.from.Database == "" {
		if _, err := os.Stat(m.from.file()); err != nil {
			return nil, fmt.Errorf("--from: there is no database: %w", err)
		}
	}
	for i, of := range []*Database{&m.from, &m.to} {
		if of.Database != "" {
			continue
		}
		flag := []string{"from", "to"}[i]
		log, err := of.logger(m.report.to)
		if err != nil {
			return nil, err
		}
		unlock, err := lockFolder(of.Data, log)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w: stop it, then start the move again", flag, err)
		}
		unlocks = append(unlocks, unlock)
	}
	if m.to.Database != "" {
		return all, nil
	}
	if _, err := os.Stat(m.final); !errors.Is(err, os.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("--to: %s exists already: choose a folder without a database", m.final), err)
	}
	staging := filepath.Join(m.to.Data, stagingName)
	if err := os.RemoveAll(staging); err != nil {
		return nil, err
	}
	m.to.Data = staging
	unlocks = append(unlocks, func() { _ = os.RemoveAll(staging) }) // a leftover is removed by the next move
	return all, ctx.Err()
}

// publish gives the SQLite file of the target its place, or marks that of the source.
func (m *mover) publish() error {
	if m.to.Database == "" {
		return errors.Join(publish(m.to.file(), m.final), removeIfThere(m.final+movedSuffix))
	}
	if m.from.Database == "" {
		return markMoved(&m.from)
	}
	return nil
}

// move opens both databases, and copies the rows and what is derived from them.
func (m *mover) move(ctx context.Context, out, progress io.Writer) (err error) {
	source, err := m.openSource(ctx, progress)
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if err := m.tellSpace(ctx, source); err != nil {
		return err
	}
	target, err := m.openTarget(ctx, progress)
	if err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	tables, err := movedTables(ctx, source, target)
	if err != nil {
		return err
	}
	if err := refuseFull(ctx, target, tables); err != nil {
		return fmt.Errorf("--to: %w", err)
	}
	if err := m.copyRows(ctx, source, target, tables, out); err != nil {
		return err
	}
	return m.derive(ctx, target)
}

// openSource opens a database and numbers its events. It refuses the schema of another program.
func (m *mover) openSource(ctx context.Context, logTo io.Writer) (*db.DB, error) {
	d, err := openToWrite(ctx, m.from, logTo)
	if err != nil {
		return nil, err
	}
	current, newest, err := d.CheckSchema(ctx, migrations.Files)
	switch {
	case err != nil:
	case current == 0:
		err = errors.New("the database is empty")
	case current < newest:
		err = fmt.Errorf("the database has schema %d, made by an older program: run punchcard migrate to bring it to %d",
			current, newest)
	case current > newest:
		err = fmt.Errorf("the database has schema %d, made by a newer program than this one: move it by that program",
			current)
	default:
		if err = errors.Join(refuseServers(ctx, d), refuseUnfinished(ctx, d)); err == nil {
			_, err = event.Number(ctx, d)
		}
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// openTarget makes the schema.
func (m *mover) openTarget(ctx context.Context, logTo io.Writer) (*db.DB, error) {
	d, err := openToWrite(ctx, m.to, logTo)
	if err != nil {
		return nil, err
	}
	if err = refuseServers(ctx, d); err == nil {
		err = d.Migrate(ctx, migrations.Files)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// refuseServers returns an error if another program of Punchcard is connected to PostgreSQL.
func refuseServers(ctx context.Context, d *db.DB) error {
	if d.Engine() != "postgres" {
		return nil // the folder is locked
	}
	var others int64
	err := d.Read(ctx, func(tx *db.Tx) (err error) {
		others, err = db.Value[int64](tx, `SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
			AND application_name LIKE '%punchcard%' AND application_name <> ?`, moveName)
		return err
	})
	if err == nil && others > 0 {
		err = errOthersConnected
	}
	return err
}

// refuseUnfinished returns an error for a target whose move has not ended.
func refuseUnfinished(ctx context.Context, d *db.DB) error {
	unfinished, err := d.Unfinished(ctx)
	if err == nil && unfinished {
		err = errors.New("punchcard move has not finished filling this database: start the move again")
	}
	return err
}

// Disk space of a target, in percent of that of the source. SQLite also sorts the rows of one index at a time.
const (
	postgresPercent = 150
	sqlitePercent   = 150
)

// sizeOf returns the size of the database in bytes.
func sizeOf(tx *db.Tx) (int64, error) {
	query := `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`
	if tx.Engine() == "postgres" {
		query = `SELECT pg_database_size(current_database())`
	}
	return db.Value[int64](tx, query)
}

// tellSpace prints how much space the target needs, and refuses a disk that has less.
func (m *mover) tellSpace(ctx context.Context, source *db.DB) error {
	var bytes int64
	err := source.Read(ctx, func(tx *db.Tx) (err error) {
		bytes, err = sizeOf(tx)
		return err
	})
	if err != nil {
		return err
	}
	if m.to.Database != "" {
		m.report.print(fmt.Sprintf("the source has %s; PostgreSQL needs about %s, also for its write-ahead log",
			inMB(bytes), inMB(bytes*postgresPercent/100)))
		return nil
	}
	folder := filepath.Dir(m.final)
	need := bytes * sqlitePercent / 100
	free, _, known := disk.Space(folder)
	m.report.print(fmt.Sprintf("the source has %s; %s needs about %s, of which %s are free", inMB(bytes),
		folder, inMB(need), inMB(int64(free))))
	if known && free < uint64(need) {
		return fmt.Errorf("--to: %s has too little free space", disk.Name(folder))
	}
	return nil
}

func inMB(bytes int64) string { return fmt.Sprintf("%d MB", cmp.Or((bytes+1<<20-1)>>20, 1)) }
