package db

import "errors"

// ErrLost means that changes were discarded, because they took too much room while nobody read them. A snapshot
// begins anew.
var ErrLost = errors.New("changes of the database were discarded unread")

// Follower reads what commits write into a SQLite database, of this process and of others. It keeps the write-ahead
// log from restarting before it has read it. One goroutine at a time uses it.
type Follower interface {
	// Snapshot begins to read the whole database, as it is after the last Changes or somewhat later. The next Changes
	// ends after it.
	Snapshot() (PageSnapshot, error)
	// Changes returns the pages that commits wrote since the last Changes or Snapshot, up to the end of a commit. There
	// are none if nothing was written. The pages are valid until the next Changes. The error is ErrLost until the next
	// Snapshot if changes were discarded.
	Changes() (Changes, error)
	// Waiting is how many bytes of pages are in memory or in the log and not read yet.
	Waiting() int64
	// PageBytes is the size of a page.
	PageBytes() int
	Close() error
}

// Changes are pages as one commit left them.
type Changes struct {
	Pages map[uint32][]byte // by their number, which begins with 1
	Size  uint32            // of the database after the commit, in pages
}

// PageSnapshot is the database at one moment. It must be closed soon, because the write-ahead log grows meanwhile.
type PageSnapshot interface {
	// Size is the number of pages.
	Size() uint32
	// Each passes all pages in their order. A page is valid until the next one.
	Each(visit func(number uint32, page []byte) error) error
	Close() error
}

// Follow returns a follower of a SQLite database. There can be one.
func (d *DB) Follow() (Follower, error) {
	e, is := d.engine.(FileEngine)
	if !is {
		return nil, ErrNotOneFile
	}
	return e.Follow()
}
