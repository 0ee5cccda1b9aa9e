package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"punchcard/platform/db"
)

const (
	// followPages is how many changed pages a follower keeps in memory. Others stay in the log.
	followPages = 16384
	// followTransaction is how many changed pages it keeps at the end of a transaction. A larger one is not followed.
	followTransaction = 4 * followPages
	// followLog is how many pages the log may have because a follower did not read it. Then it is not followed on.
	followLog = 262144

	logHeader   = 32 // bytes before the first page of the log
	frameHeader = 24 // bytes before each page
	frameBytes  = frameHeader + pageBytes
	readFrames  = 64 // at once
)

// follower reads the write-ahead log. It always has a read transaction, without which SQLite could overwrite pages that
// were not read:
//   - A transaction that began while the log had pages to copy keeps it from restarting.
//   - One that began when all was copied lets it restart, if nothing was added to it. No page is copied from then on,
//     so the log grows, or the new one does, until the next transaction.
//
// A transaction ends after the next one has begun and the log was read up to there or further. Pages are read from the
// file; SQLite tells how many are committed, after it synced them.
type follower struct {
	k     *checkpointer
	mutex sync.Mutex
	log   *os.File
	// holding has the read transaction; spare begins the next one; idle never has one.
	holding, spare, idle *connection

	salts  uint64 // that all pages of the log have
	read   int64  // pages of the log
	pages  map[uint32][]byte
	given  map[uint32][]byte // by the last Changes
	unused [][]byte          // pages to fill again
	size   uint32
	buffer []byte

	lost   atomic.Bool
	behind atomic.Bool  // the log cannot restart, because there is too much in memory
	copies atomic.Int64 // snapshots that are being read
}

// Follow returns a follower of this database.
func (e *engine) Follow() (db.Follower, error) {
	f := &follower{k: &e.writer.wal, pages: map[uint32][]byte{}, given: map[uint32][]byte{},
		buffer: make([]byte, readFrames*frameBytes)}
	f.lost.Store(true) // until the first snapshot
	if err := f.open(e.file); err != nil {
		return nil, errors.Join(err, f.closeFiles())
	}
	if !f.k.follower.CompareAndSwap(nil, f) {
		return nil, errors.Join(errors.New("the database has a follower already"), f.closeFiles())
	}
	return f, nil
}

func (f *follower) open(file string) error {
	for _, c := range []**connection{&f.holding, &f.spare, &f.idle} {
		var err error
		if *c, err = openConn(file, "rw", "query_only = ON", "wal_autocheckpoint = 0"); err != nil {
			return err
		}
	}
	size, err := f.idle.number("PRAGMA page_size")
	if err != nil {
		return err
	}
	if size != pageBytes {
		return fmt.Errorf("pages of %d bytes cannot be followed, only those of %d", size, pageBytes)
	}
	if err := f.holding.beginRead(); err != nil {
		return err
	}
	f.log, err = os.Open(file + "-wal") // SQLite has no locks on it that closing could end
	return err
}

func (f *follower) Close() error {
	f.k.follower.CompareAndSwap(f, nil)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.closeFiles()
}

func (f *follower) closeFiles() error {
	var all []error
	for _, c := range []*connection{f.holding, f.spare, f.idle} {
		if c != nil {
			all = append(all, c.close())
		}
	}
	f.holding, f.spare, f.idle = nil, nil, nil
	if f.log != nil {
		all = append(all, f.log.Close())
		f.log = nil
	}
	return errors.Join(all...)
}

func (f *follower) PageBytes() int { return pageBytes }

// Changes implements db.Follower.
func (f *follower) Changes() (db.Changes, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, page := range f.given {
		f.unused = append(f.unused, page)
	}
	clear(f.given)
	if err := f.advanceLocked(); err != nil {
		return db.Changes{}, err
	}
	if f.lost.Load() {
		return db.Changes{}, db.ErrLost
	}
	changes := db.Changes{Pages: f.pages, Size: f.size}
	f.pages, f.given = f.given, f.pages
	f.behind.Store(false)
	return changes, nil
}

// page returns a page to fill.
func (f *follower) page() []byte {
	if n := len(f.unused); n > 0 {
		page := f.unused[n-1]
		f.unused = f.unused[:n-1]
		return page
	}
	return make([]byte, pageBytes)
}

// Waiting implements db.Follower.
func (f *follower) Waiting() int64 {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	pages := int64(len(f.pages))
	if f.idle != nil {
		if salts, length, err := f.position(); err == nil && salts == f.salts {
			pages += length - f.read
		} else if err == nil {
			pages += length
		}
	}
	return pages * pageBytes
}

// advance reads what was committed since the last call, and then keeps the log from there on.
func (f *follower) advance() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.holding == nil {
		return nil // closed meanwhile
	}
	return f.advanceLocked()
}

func (f *follower) advanceLocked() error {
	if err := f.spare.beginRead(); err != nil {
		return err
	}
	whole, err := f.drain()
	if err != nil || !whole {
		return errors.Join(err, f.spare.endRead())
	}
	f.holding, f.spare = f.spare, f.holding
	return f.spare.endRead()
}

// drain reads the log up to the last commit. It returns false if there is no room for all of it.
func (f *follower) drain() (whole bool, err error) {
	salts, length, err := f.position()
	if err != nil || length == 0 { // 0: the log will restart with the next commit
		return err == nil, err
	}
	if salts != f.salts {
		if f.salts != 0 && uint32(salts>>32) != uint32(f.salts>>32)+1 { // it restarted more than once
			f.lost.Store(true)
		}
		f.salts, f.read = salts, 0
	}
	if length < f.read {
		f.lost.Store(true)
	}
	for f.read < length && !f.lost.Load() {
		if whole, err = f.readFrames(length); err != nil || !whole {
			return false, err
		}
	}
	if f.lost.Load() {
		f.pages, f.read = map[uint32][]byte{}, length
		f.behind.Store(false)
	}
	return true, nil
}

// position returns the salts of the log, and how many pages of it are committed.
func (f *follower) position() (salts uint64, length int64, err error) {
	for {
		if salts, err = f.readSalts(); err != nil {
			return 0, 0, err
		}
		if length, _, err = f.idle.checkpoint("NOOP"); err != nil {
			return 0, 0, err
		}
		// The header of a log that restarts is written before its pages are committed. The length is -1 while
		// another connection changes it.
		if again, err := f.readSalts(); err != nil || again == salts && length >= 0 {
			return salts, length, err
		}
	}
}

func (f *follower) readSalts() (uint64, error) {
	var header [logHeader]byte
	_, err := f.log.ReadAt(header[:], 0)
	if errors.Is(err, io.EOF) { // nothing was ever written
		return 0, nil
	}
	return binary.BigEndian.Uint64(header[16:]), err
}

// readFrames reads some pages of the log, of which length are committed. It returns false where a commit ends and there
// is no room for more.
func (f *follower) readFrames(length int64) (more bool, err error) {
	frames := f.buffer[:min(readFrames, length-f.read)*frameBytes]
	if _, err := f.log.ReadAt(frames, logHeader+f.read*frameBytes); err != nil {
		return false, err
	}
	for ; len(frames) > 0; frames = frames[frameBytes:] {
		number, size := binary.BigEndian.Uint32(frames), binary.BigEndian.Uint32(frames[4:])
		if salts := binary.BigEndian.Uint64(frames[8:]); salts != f.salts {
			return false, fmt.Errorf("page %d of the write-ahead log has salt %x, not %x", f.read, salts, f.salts)
		}
		page := f.pages[number]
		if page == nil {
			page = f.page()
			f.pages[number] = page
		}
		copy(page, frames[frameHeader:frameBytes])
		f.read++
		if size != 0 { // the last page of a commit
			f.size = size
		}
		switch {
		case len(f.pages) > followTransaction:
			f.lost.Store(true)
			return true, nil
		case size != 0 && len(f.pages) >= followPages:
			f.behind.Store(true)
			return f.read == length, nil
		}
	}
	return true, nil
}

// giveUp discards what was not read, so that the log can restart.
func (f *follower) giveUp() error {
	f.lost.Store(true)
	return f.advance()
}

// blocks reports whether a checkpoint would be of no use now, because the log cannot restart.
func (f *follower) blocks() bool { return f.behind.Load() || f.copies.Load() > 0 }

// Snapshot implements db.Follower.
func (f *follower) Snapshot() (db.PageSnapshot, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.lost.Load() {
		salts, length, err := f.position()
		if err != nil {
			return nil, err
		}
		f.salts, f.read = salts, length
		f.lost.Store(false)
	}
	s := &pageSnapshot{f: f}
	var err error
	if s.conn, err = openConn(f.k.file.Name(), "ro"); err != nil {
		return nil, err
	}
	err = s.conn.beginRead()
	if err == nil {
		err = f.advanceLocked() // beyond the snapshot
	}
	var pages int64
	if err == nil {
		pages, err = s.conn.number("PRAGMA page_count")
	}
	if err != nil {
		return nil, errors.Join(err, s.conn.close())
	}
	s.size = uint32(pages)
	f.copies.Add(1)
	return s, nil
}

// pageSnapshot is a read transaction of its own.
type pageSnapshot struct {
	f    *follower
	conn *connection
	size uint32
}

func (s *pageSnapshot) Size() uint32 { return s.size }

// snapshotPages is how many pages are read between two looks at whether the snapshot is still of use.
const snapshotPages = 1024

// Each implements db.PageSnapshot.
func (s *pageSnapshot) Each(visit func(number uint32, page []byte) error) error {
	page := make([]byte, pageBytes)
	for first := int64(1); first <= int64(s.size); first += snapshotPages {
		if s.f.lost.Load() {
			return db.ErrLost
		}
		stmt, err := s.conn.prepared(`SELECT pgno, data FROM sqlite_dbpage('main') WHERE pgno BETWEEN ? AND ?`,
			[]any{first, min(first+snapshotPages-1, int64(s.size))})
		if err != nil {
			return err
		}
		for {
			more, err := stmt.Step()
			if err != nil {
				return err
			}
			if !more {
				break
			}
			stmt.ColumnBytes(1, page)
			if err := visit(uint32(stmt.ColumnInt64(0)), page); err != nil {
				return errors.Join(err, stmt.Reset())
			}
		}
	}
	return nil
}

func (s *pageSnapshot) Close() error {
	s.f.copies.Add(-1)
	return s.conn.close()
}

// beginRead begins a transaction that reads what is committed now.
func (c *connection) beginRead() error {
	if _, err := c.Exec(context.Background(), "BEGIN", nil); err != nil {
		return err
	}
	if err := c.run("SELECT COUNT(*) FROM sqlite_schema"); err != nil { // takes the snapshot
		return errors.Join(err, c.endRead())
	}
	return nil
}

func (c *connection) endRead() error {
	_, err := c.Exec(context.Background(), "COMMIT", nil)
	return err
}

// number returns the single number that a statement returns.
func (c *connection) number(text string) (n int64, err error) {
	found, err := c.Query(context.Background(), text, nil)
	if err != nil {
		return 0, err
	}
	if found.Next() {
		err = found.Scan(&n)
	}
	return n, errors.Join(err, found.Err(), found.Close())
}
