// Package cutvfs lets tests and drills cut the power below SQLite.
package cutvfs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"unsafe"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"

	"punchcard/platform/powercut"
)

// vfs is the default VFS of SQLite with other functions to open and delete files. It is registered once for all
// databases of the process; only files in the folders of disks are treated differently.
var vfs struct {
	setUp sync.Once
	err   error
	mutex sync.Mutex
	disks map[string]*powercut.Disk // by folder
	files map[uintptr]*file         // open ones, by SQLite's structure

	original sqlite.Tsqlite3_vfs
	cutting  sqlite.Tsqlite3_vfs
	// methods are those of the original for files, with others to write and sync, by the original ones.
	methods map[uintptr]*sqlite.Tsqlite3_io_methods
}

// Attach lets the files of SQLite in a folder be on a disk, until detach is called. No database may be open there at
// either time. A sync counts if SQLite does it; those of Go do not.
func Attach(folder string, disk *powercut.Disk) (detach func(), err error) {
	vfs.setUp.Do(register)
	if vfs.err != nil {
		return nil, vfs.err
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return nil, err
	}
	vfs.mutex.Lock()
	defer vfs.mutex.Unlock()
	vfs.disks[folder] = disk
	return func() {
		vfs.mutex.Lock()
		defer vfs.mutex.Unlock()
		delete(vfs.disks, folder)
	}, nil
}

func register() {
	vfs.disks, vfs.files = map[string]*powercut.Disk{}, map[uintptr]*file{}
	vfs.methods = map[uintptr]*sqlite.Tsqlite3_io_methods{}
	tls := libc.NewTLS()
	defer tls.Close()
	found := sqlite.Xsqlite3_vfs_find(tls, 0)
	if found == 0 {
		vfs.err = errors.New("SQLite has no VFS")
		return
	}
	vfs.original = *structureAt[sqlite.Tsqlite3_vfs](found)
	vfs.cutting = vfs.original
	name, err := libc.CString("cut") // kept
	if err != nil {
		vfs.err = err
		return
	}
	vfs.cutting.FzName, vfs.cutting.FpNext = name, 0
	vfs.cutting.FxOpen, vfs.cutting.FxDelete = address(open), address(removeFile)
	if code := sqlite.Xsqlite3_vfs_register(tls, uintptr(unsafe.Pointer(&vfs.cutting)), 1); code != sqlite.SQLITE_OK {
		vfs.err = fmt.Errorf("SQLite refuses a VFS with code %d", code)
	}
}

// structureAt returns what is at an address of SQLite.
func structureAt[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// function and address turn a pointer to a function of SQLite into one of Go, and back.
func function[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// The types of the functions that are replaced or called.
type (
	opener   = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	remover  = func(tls *libc.TLS, vfs, name uintptr, syncFolder int32) int32
	transfer = func(tls *libc.TLS, file, buffer uintptr, n int32, at int64) int32
	resizer  = func(tls *libc.TLS, file uintptr, size int64) int32
	sizer    = func(tls *libc.TLS, file, size uintptr) int32
	syncer   = func(tls *libc.TLS, file uintptr, flags int32) int32
	closer   = func(tls *libc.TLS, file uintptr) int32
)

var (
	_ opener   = open
	_ remover  = removeFile
	_ transfer = write
	_ resizer  = truncate
	_ syncer   = syncFile
	_ closer   = closeFile
)

// diskOf returns the disk that has a file, nil for none.
func diskOf(name string) *powercut.Disk {
	vfs.mutex.Lock()
	defer vfs.mutex.Unlock()
	return vfs.disks[filepath.Dir(name)]
}

// file is an open file on a disk.
type file struct {
	disk   *powercut.Disk
	name   string
	number uint64
	// syncFolder: SQLite's VFS for Unix syncs the folder with the first sync of a new log or journal.
	syncFolder bool
	methods    *sqlite.Tsqlite3_io_methods // the original ones
}

func open(tls *libc.TLS, _, name, opened uintptr, flags int32, out uintptr) int32 {
	original := func() int32 {
		return function[opener](vfs.original.FxOpen)(tls, uintptr(unsafe.Pointer(&vfs.original)), name, opened, flags, out)
	}
	path := ""
	if name != 0 {
		path = libc.GoString(name)
	}
	disk := diskOf(path)
	if disk == nil {
		return original()
	}
	var code int32
	openIt := func() error {
		if code = original(); code != sqlite.SQLITE_OK {
			return fmt.Errorf("SQLite's code %d", code)
		}
		return nil
	}
	var err error
	if _, missing := os.Lstat(path); missing != nil && flags&sqlite.SQLITE_OPEN_CREATE != 0 {
		err = disk.Create(path, openIt)
	} else {
		err = openIt()
	}
	if code != sqlite.SQLITE_OK {
		return code
	}
	var info os.FileInfo
	if err == nil {
		info, err = os.Stat(path)
	}
	if err != nil {
		return sqlite.SQLITE_CANTOPEN
	}
	vfs.mutex.Lock()
	defer vfs.mutex.Unlock()
	structure := structureAt[sqlite.Tsqlite3_file](opened)
	const logs = sqlite.SQLITE_OPEN_WAL | sqlite.SQLITE_OPEN_MAIN_JOURNAL | sqlite.SQLITE_OPEN_SUPER_JOURNAL
	vfs.files[opened] = &file{
		disk: disk, name: path, number: info.Sys().(*syscall.Stat_t).Ino,
		syncFolder: flags&sqlite.SQLITE_OPEN_CREATE != 0 && flags&logs != 0,
		methods:    structureAt[sqlite.Tsqlite3_io_methods](structure.FpMethods),
	}
	structure.FpMethods = uintptr(unsafe.Pointer(cuttingMethods(structure.FpMethods)))
	return sqlite.SQLITE_OK
}

func cuttingMethods(original uintptr) *sqlite.Tsqlite3_io_methods {
	if vfs.methods[original] == nil {
		methods := *structureAt[sqlite.Tsqlite3_io_methods](original)
		methods.FxWrite, methods.FxTruncate = address(write), address(truncate)
		methods.FxSync, methods.FxClose = address(syncFile), address(closeFile)
		vfs.methods[original] = &methods
	}
	return vfs.methods[original]
}

func opened(structure uintptr) *file {
	vfs.mutex.Lock()
	defer vfs.mutex.Unlock()
	return vfs.files[structure]
}

func removeFile(tls *libc.TLS, _, name uintptr, syncFolder int32) int32 {
	path := libc.GoString(name)
	disk := diskOf(path)
	if _, err := os.Lstat(path); disk == nil || err != nil {
		return function[remover](vfs.original.FxDelete)(tls, uintptr(unsafe.Pointer(&vfs.original)), name, syncFolder)
	}
	err := disk.Remove(path)
	if err == nil && syncFolder != 0 {
		err = disk.SyncFolder(filepath.Dir(path))
	}
	return code(err, sqlite.SQLITE_IOERR_DELETE)
}

func code(err error, failed int32) int32 {
	if err != nil {
		return failed
	}
	return sqlite.SQLITE_OK
}

func write(tls *libc.TLS, structure, buffer uintptr, n int32, offset int64) int32 {
	f := opened(structure)
	data := unsafe.Slice(structureAt[byte](buffer), n)
	return code(f.disk.Write(f.number, access{f, tls, structure}, data, offset), sqlite.SQLITE_IOERR_WRITE)
}

func truncate(tls *libc.TLS, structure uintptr, size int64) int32 {
	f := opened(structure)
	return code(f.disk.Truncate(f.number, access{f, tls, structure}, size), sqlite.SQLITE_IOERR_TRUNCATE)
}

func syncFile(_ *libc.TLS, structure uintptr, _ int32) int32 {
	f := opened(structure)
	err := f.disk.Sync(f.number)
	if err == nil && f.syncFolder {
		err = f.disk.SyncFolder(filepath.Dir(f.name))
		f.syncFolder = false
	}
	return code(err, sqlite.SQLITE_IOERR_FSYNC)
}

func closeFile(tls *libc.TLS, structure uintptr) int32 {
	f := opened(structure)
	vfs.mutex.Lock()
	delete(vfs.files, structure)
	vfs.mutex.Unlock()
	structureAt[sqlite.Tsqlite3_file](structure).FpMethods = uintptr(unsafe.Pointer(f.methods))
	return function[closer](f.methods.FxClose)(tls, structure)
}

// access reads and writes an open file with the original functions.
type access struct {
	*file
	tls       *libc.TLS
	structure uintptr
}

func (a access) ReadAt(to []byte, offset int64) (int, error) {
	if len(to) == 0 {
		return 0, nil
	}
	return len(to), failed(function[transfer](a.methods.FxRead)(
		a.tls, a.structure, uintptr(unsafe.Pointer(&to[0])), int32(len(to)), offset))
}

func (a access) WriteAt(data []byte, offset int64) (int, error) {
	return len(data), failed(function[transfer](a.methods.FxWrite)(
		a.tls, a.structure, uintptr(unsafe.Pointer(&data[0])), int32(len(data)), offset))
}

func (a access) Truncate(size int64) error {
	return failed(function[resizer](a.methods.FxTruncate)(a.tls, a.structure, size))
}

func (a access) Size() (int64, error) {
	size := new(int64)
	code := function[sizer](a.methods.FxFileSize)(a.tls, a.structure, uintptr(unsafe.Pointer(size)))
	return *size, failed(code)
}

func failed(code int32) error {
	if code != sqlite.SQLITE_OK {
		return fmt.Errorf("SQLite's code %d", code)
	}
	return nil
}
