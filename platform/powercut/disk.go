// Package powercut cuts the power of a folder, in tests and drills: what was not synced is dropped, kept or torn.
package powercut

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// sector is how many bytes a disk writes whole or not at all.
const sector = 512

// ErrOff is the error of every change after the power was cut.
var ErrOff = errors.New("the power is off")

// Disk records what has changed in a folder since it was last synced. Its methods do the changes themselves: a file is
// always as programs see it, and Restore makes of it what a disk would have after a power cut.
//
// It is strict: syncing a file keeps the content of the file alone. The names in a folder, new or old, are kept when
// the folder is synced.
type Disk struct {
	folder, removed string // removed keeps removed files until their folder is synced

	mutex   sync.Mutex
	random  *rand.Rand
	left    int64 // changes and syncs until the power is cut; negative for none
	off     bool
	content map[uint64][]change // not synced, by the number of the file
	names   []naming            // not synced, in order
	stored  int                 // files in removed so far
	syncs   int64
}

// change is a write, or a change of the size.
type change struct {
	at        int64
	data      []byte // nil for a size, which is at
	before    []byte // that it replaced
	beforeEnd int64  // size of the file
}

// naming is a change of a name.
type naming struct {
	folder string
	undo   func() error
	keep   func() error // after its folder was synced; nil for nothing
}

// New returns the disk of an existing folder, whose content is synced. removed is an empty folder beside it.
func New(folder, removed string, random *rand.Rand) *Disk {
	return &Disk{folder: folder, removed: removed, random: random, left: -1, content: map[uint64][]change{}}
}

// Folder returns the folder of the disk.
func (d *Disk) Folder() string { return d.folder }

// CutAfter cuts the power after some changes and syncs.
func (d *Disk) CutAfter(changes int64) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.left = changes
}

// Cut cuts the power now.
func (d *Disk) Cut() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.off = true
}

// Off reports whether the power is cut.
func (d *Disk) Off() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.off
}

// Syncs returns how often something was synced.
func (d *Disk) Syncs() int64 {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.syncs
}

// step counts a change or a sync.
func (d *Disk) step() error {
	if d.left == 0 {
		d.off = true
	}
	if d.off {
		return ErrOff
	}
	if d.left > 0 {
		d.left--
	}
	return nil
}

// File is an open file of the disk. Reading and writing go through it, so that locks of the program on the file stay.
type File interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Size() (int64, error)
}

// OSFile is a File of the operating system.
type OSFile struct{ *os.File }

// Size implements File.
func (f OSFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Write writes to the file with a number.
func (d *Disk) Write(number uint64, f File, data []byte, at int64) error {
	return d.changeContent(number, f, change{at: at, data: append([]byte{}, data...)})
}

// Truncate changes the size of the file with a number.
func (d *Disk) Truncate(number uint64, f File, size int64) error {
	return d.changeContent(number, f, change{at: size})
}

func (d *Disk) changeContent(number uint64, f File, c change) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if err := d.step(); err != nil {
		return err
	}
	var err error
	if c.beforeEnd, err = f.Size(); err != nil {
		return err
	}
	replaced := max(0, c.beforeEnd-c.at)
	if c.data != nil {
		replaced = min(replaced, int64(len(c.data)))
	}
	c.before = make([]byte, replaced)
	if _, err := f.ReadAt(c.before, c.at); err != nil && replaced > 0 && !errors.Is(err, io.EOF) {
		return err
	}
	if c.data != nil {
		_, err = f.WriteAt(c.data, c.at)
	} else {
		err = f.Truncate(c.at)
	}
	if err == nil {
		d.content[number] = append(d.content[number], c)
	}
	return err
}

// Sync keeps the content of the file with a number.
func (d *Disk) Sync(number uint64) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if err := d.step(); err != nil {
		return err
	}
	d.syncs++
	delete(d.content, number)
	return nil
}

// SyncFolder keeps the names in a folder.
func (d *Disk) SyncFolder(folder string) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if err := d.step(); err != nil {
		return err
	}
	d.syncs++
	var waiting []naming
	for _, n := range d.names {
		switch {
		case n.folder != folder:
			waiting = append(waiting, n)
		case n.keep != nil:
			if err := n.keep(); err != nil {
				return err
			}
		}
	}
	d.names = waiting
	return nil
}

// Create runs make, which makes a file, folder or link with the name.
func (d *Disk) Create(name string, make func() error) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if err := d.step(); err != nil {
		return err
	}
	if err := make(); err != nil {
		return err
	}
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if is := info.Sys().(*syscall.Stat_t); is.Nlink == 1 { // not a link to a known file
		delete(d.content, is.Ino) // of a removed one, whose number it has
	}
	d.names = append(d.names, naming{folder: filepath.Dir(name), undo: func() error { return os.RemoveAll(name) }})
	return nil
}

// Remove removes a file or an empty folder.
func (d *Disk) Remove(name string) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if err := d.step(); err != nil {
		return err
	}
	place, err := d.putAway(name)
	if err != nil {
		return err
	}
	d.names = append(d.names, naming{
		folder: filepath.Dir(name),
		undo:   func() error { return os.Rename(place, name) },
		keep:   func() error { return os.RemoveAll(place) },
	})
	return nil
}

// putAway moves a file or an empty folder to those that are removed.
func (d *Disk) putAway(name string) (place string, err error) {
	if entries, err := os.ReadDir(name); err == nil && len(entries) > 0 {
		return "", syscall.ENOTEMPTY
	}
	d.stored++
	place = filepath.Join(d.removed, fmt.Sprint(d.stored))
	return place, os.Rename(name, place)
}

// Rename gives a file or folder another name. A file with that name is replaced.
func (d *Disk) Rename(from, to string) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if err := d.step(); err != nil {
		return err
	}
	replaced := ""
	if _, err := os.Lstat(to); err == nil {
		if replaced, err = d.putAway(to); err != nil {
			return err
		}
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	n := naming{folder: filepath.Dir(to), undo: func() error { return os.Rename(to, from) }}
	if replaced != "" {
		n.undo = func() error { return errors.Join(os.Rename(to, from), os.Rename(replaced, to)) }
		n.keep = func() error { return os.RemoveAll(replaced) }
	}
	d.names = append(d.names, n)
	return nil
}

// Restore makes of the folder what a disk would have after the power cut, and turns the power on again. No file may be
// open.
func (d *Disk) Restore() error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	survive := d.luck()
	keep := 0
	for keep < len(d.names) && survive() { // a journal has the names in their order
		keep++
	}
	for i := len(d.names) - 1; i >= keep; i-- {
		// Fails if a folder above was never synced: then all below is lost.
		if err := d.names[i].undo(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	err := filepath.WalkDir(d.folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return redo(name, d.content[info.Sys().(*syscall.Stat_t).Ino], survive)
	})
	d.names, d.off, d.left = nil, false, -1
	clear(d.content)
	return errors.Join(err, os.RemoveAll(d.removed), os.Mkdir(d.removed, 0o700))
}

// luck returns what decides, for one change after the other, which survive: none, all, those of the beginning, or any.
func (d *Disk) luck() func() bool {
	odds := d.random.Float64()
	switch d.random.IntN(5) {
	case 0:
		return func() bool { return false }
	case 1:
		return func() bool { return true }
	case 2:
		all := true
		return func() bool {
			all = all && d.random.Float64() < 0.5+odds/2
			return all
		}
	}
	return func() bool { return d.random.Float64() < odds }
}

// redo takes the changes of a file back, and then does those sectors of them that survive.
func redo(name string, changes []change, survive func() bool) (err error) {
	if len(changes) == 0 {
		return nil
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for i := len(changes) - 1; i >= 0; i-- {
		_, err := f.WriteAt(changes[i].before, changes[i].at)
		if err = errors.Join(err, f.Truncate(changes[i].beforeEnd)); err != nil {
			return err
		}
	}
	for _, c := range changes {
		if c.data == nil && survive() {
			if err := f.Truncate(c.at); err != nil {
				return err
			}
		}
		for len(c.data) > 0 {
			n := min(int64(len(c.data)), sector-c.at%sector)
			if survive() {
				if _, err := f.WriteAt(c.data[:n], c.at); err != nil {
					return err
				}
			}
			c.data, c.at = c.data[n:], c.at+n
		}
	}
	return nil
}
