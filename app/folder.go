package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/filelock"
)

// Names in a data folder.
const (
	databaseName = "punchcard.db" // SQLite, migrations and restores add suffixes
	queueName    = "queue"        // of older versions, see removeQueue
	lockName     = "server.lock"
	lostAndFound = "lost+found" // of the file system
)

// othersMay are the permissions of all users but the owner.
const othersMay fs.FileMode = 0o077

// lockFolder prevents a second server on the data folder, because the SQLite writer belongs to one process.
func lockFolder(folder string, log *slog.Logger) (unlock func(), err error) {
	if err := protectFolder(folder, log); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(folder, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := filelock.TryLock(file); err != nil {
		_ = file.Close() // nothing was written
		return nil, fmt.Errorf("another server uses the folder %s", folder)
	}
	return func() { _ = file.Close() }, nil // closing releases the lock
}

// openToWrite opens the database for a command that changes it. A server may be running.
func openToWrite(ctx context.Context, config Database, logTo io.Writer) (*db.DB, error) {
	log, err := config.logger(logTo)
	if err != nil {
		return nil, err
	}
	if config.Database == "" {
		if err := protectFolder(config.Data, log); err != nil {
			return nil, err
		}
	}
	return dbopen.Open(ctx, config.open(log))
}

// protectFolder creates the data folder if it is missing. It removes all permissions of other users from the folder and
// from Punchcard's files in it, because a reader of the database could sign tokens. It refuses a folder that others may
// enter and that holds other files, which may have to be readable.
func protectFolder(folder string, log *slog.Logger) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	info, err := os.Stat(folder)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	own, foreign, err := folderEntries(folder)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if info.Mode()&othersMay != 0 {
		if len(foreign) > 0 {
			return fmt.Errorf("other users may enter the data folder %s (%v), which also holds %q: "+
				"choose a folder for Punchcard alone, or run chmod go= %[1]s", folder, info.Mode(), foreign[0])
		}
		if err := os.Chmod(folder, info.Mode()&^othersMay); err != nil {
			return fmt.Errorf("other users may enter the data folder %s (%v), and this cannot be changed: %w; "+
				"choose a folder of the user who runs the server, such as %s", folder, info.Mode(), err,
				filepath.Join(folder, "punchcard"))
		}
		log.Warn("the data folder was open to other users; its permissions were restricted to the owner", "folder", folder,
			"mode", info.Mode().String())
	}
	for _, name := range own {
		if err := filepath.WalkDir(filepath.Join(folder, name), protectFile); err != nil {
			return fmt.Errorf("data folder: %w", err)
		}
	}
	return nil
}

// folderEntries separates Punchcard's own files in a data folder from others.
func folderEntries(folder string) (own, foreign []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		switch name := entry.Name(); {
		case strings.HasPrefix(name, databaseName), slices.Contains([]string{queueName, lockName}, name):
			own = append(own, name)
		case name != lostAndFound:
			foreign = append(foreign, name)
		}
	}
	return own, foreign, nil
}

// protectFile removes the permissions of other users from a file or a folder. It does not follow symbolic links, and
// ignores files that a server removes meanwhile.
func protectFile(name string, entry fs.DirEntry, err error) error {
	var info fs.FileInfo
	if err == nil {
		info, err = entry.Info()
	}
	if err == nil && (info.Mode().IsRegular() || info.IsDir()) && info.Mode()&othersMay != 0 {
		err = os.Chmod(name, info.Mode()&^othersMay)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
