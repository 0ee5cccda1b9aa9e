package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"

	driver "modernc.org/sqlite" // also registers the database/sql driver named sqlite
	"zombiezen.com/go/sqlite"

	"punchcard/platform/disk"
)

// explainDisk adds to an error of the disk that holds a SQLite file which disk that is, and whether
// it is full. It returns other errors unchanged.
func explainDisk(file string, err error) error {
	folder := filepath.Dir(file)
	switch resultCode(err) {
	case sqlite.ResultFull:
		return disk.Full(folder, err)
	case sqlite.ResultCantOpen:
		return disk.Explain(folder, err)
	case sqlite.ResultIOErr:
		if explained := disk.Explain(folder, err); explained != err {
			return explained
		}
		return fmt.Errorf("%s does not work: %w", disk.Name(folder), err)
	}
	return err
}

// explainDamage adds the file and the remedy to an error of a file that is damaged, or is none of SQLite.
func explainDamage(file string, err error) error {
	switch resultCode(err) {
	case sqlite.ResultNotADB, sqlite.ResultCorrupt:
		return fmt.Errorf("%s is no SQLite database, or is damaged: restore a backup with punchcard restore, "+
			"as docs/backup.md describes: %w", file, err)
	}
	return fmt.Errorf("open %s: %w", file, err)
}

// resultCode returns the primary code of an error of either SQLite package.
func resultCode(err error) sqlite.ResultCode {
	if known, ok := errors.AsType[*driver.Error](err); ok {
		return sqlite.ResultCode(known.Code()).ToPrimary()
	}
	return sqlite.ErrCode(err).ToPrimary()
}
