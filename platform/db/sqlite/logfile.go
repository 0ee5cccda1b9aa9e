package sqlite

import (
	"errors"
	"strings"
	"sync"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// SQLite writes each page of a commit to the write-ahead log by two calls, of 24 and 4,096 bytes. The writer's
// connection uses a file system (a VFS, https://sqlite.org/vfs.html) that collects them and writes them by few calls
// when SQLite syncs the log. That is early enough: SQLite tells other connections of a commit, and the writer
// responds, after the sync. Everything else is passed on to SQLite's own file system.

// logFileSystem is the name of the file system. It never is the default one.
const logFileSystem = "punchcard-log"

// logBufferLimit is how many bytes are collected, 31 pages. SQLite's file system on Unix writes no more by one call.
const logBufferLimit = 1<<17 - 1

// logFile is an open write-ahead log. Only the connection that opened it uses it.
type logFile struct {
	own    *lib.Tsqlite3_io_methods // of SQLite's file
	memory uintptr                  // the methods of this file, and then the buffer
	offset int64                    // in the file, of the first byte in the buffer
	length int                      // bytes in the buffer

	// After a failed write, everything from failedAt on is missing in the file, although SQLite has written it. Only a
	// rollback repairs this: then SQLite writes at failedAt, or before it, again.
	failed   bool
	failedAt int64
}

const methodsSize = unsafe.Sizeof(lib.Tsqlite3_io_methods{})

func (f *logFile) buffer() uintptr { return f.memory + methodsSize }

// Functions of SQLite's C interface.
type (
	openFunc  = func(tls *libc.TLS, fileSystem, name, file uintptr, flags int32, outFlags uintptr) int32
	ioFunc    = func(tls *libc.TLS, file, buffer uintptr, bytes int32, offset int64) int32
	sizeFunc  = func(tls *libc.TLS, file, size uintptr) int32
	cutFunc   = func(tls *libc.TLS, file uintptr, size int64) int32
	syncFunc  = func(tls *libc.TLS, file uintptr, flags int32) int32
	closeFunc = func(tls *libc.TLS, file uintptr) int32
)

var (
	ownOpen  uintptr  // of SQLite's own file system
	logFiles sync.Map // of the address of SQLite's file to *logFile
)

// registerLogs makes the file system known to SQLite.
var registerLogs = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	own := lib.Xsqlite3_vfs_find(tls, 0)
	if own == 0 {
		return errors.New("SQLite has no file system")
	}
	name, err := libc.CString(logFileSystem) // for the life of the process, as the next one
	memory := lib.Xsqlite3_malloc(tls, int32(unsafe.Sizeof(lib.Tsqlite3_vfs{})))
	if err != nil || memory == 0 {
		return errors.Join(err, errors.New("no memory for the file system of the log"))
	}
	logs := at[lib.Tsqlite3_vfs](memory)
	*logs = *at[lib.Tsqlite3_vfs](own)
	ownOpen = logs.FxOpen
	logs.FzName, logs.FpNext, logs.FxOpen = name, 0, pointer(openLog)
	if lib.Xsqlite3_vfs_register(tls, memory, 0) != lib.SQLITE_OK {
		return errors.New("SQLite refused the file system of the log")
	}
	return nil
})

// logURI returns the address of a database whose log is written as described above.
func logURI(file string) string {
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(file) + "?vfs=" + logFileSystem
}

func openLog(tls *libc.TLS, fileSystem, name, file uintptr, flags int32, outFlags uintptr) int32 {
	code := function[openFunc](ownOpen)(tls, fileSystem, name, file, flags, outFlags)
	if code != lib.SQLITE_OK || flags&lib.SQLITE_OPEN_WAL == 0 {
		return code
	}
	opened := at[lib.Tsqlite3_file](file)
	f := &logFile{own: at[lib.Tsqlite3_io_methods](opened.FpMethods)}
	if f.memory = lib.Xsqlite3_malloc(tls, int32(methodsSize)+logBufferLimit); f.memory == 0 {
		function[closeFunc](f.own.FxClose)(tls, file)
		return lib.SQLITE_NOMEM
	}
	methods := at[lib.Tsqlite3_io_methods](f.memory)
	*methods = *f.own
	methods.FxWrite, methods.FxRead, methods.FxSync = pointer(writeLog), pointer(readLog), pointer(syncLog)
	methods.FxFileSize, methods.FxTruncate, methods.FxClose = pointer(sizeOfLog), pointer(truncateLog), pointer(closeLog)
	logFiles.Store(file, f)
	opened.FpMethods = f.memory
	return code
}

func logFileOf(file uintptr) *logFile {
	f, _ := logFiles.Load(file)
	return f.(*logFile)
}

// writeLog adds a page, or what precedes it, to the buffer.
func writeLog(tls *libc.TLS, file, from uintptr, bytes int32, offset int64) int32 {
	f := logFileOf(file)
	if f.failed && offset > f.failedAt {
		return lib.SQLITE_IOERR_WRITE
	}
	f.failed = false
	if offset != f.offset+int64(f.length) || f.length+int(bytes) > logBufferLimit {
		if code := f.write(tls, file); code != lib.SQLITE_OK {
			return code
		}
		f.offset = offset
	}
	libc.Xmemcpy(tls, f.buffer()+uintptr(f.length), from, libc.Tsize_t(bytes))
	f.length += int(bytes)
	return lib.SQLITE_OK
}

// write writes what is in the buffer. After an error it is dropped: it may be a commit, which fails.
func (f *logFile) write(tls *libc.TLS, file uintptr) int32 {
	if f.length == 0 {
		return lib.SQLITE_OK
	}
	code := function[ioFunc](f.own.FxWrite)(tls, file, f.buffer(), int32(f.length), f.offset)
	if code != lib.SQLITE_OK {
		f.failed, f.failedAt = true, f.offset
	}
	f.offset, f.length = f.offset+int64(f.length), 0
	return code
}

func readLog(tls *libc.TLS, file, buffer uintptr, bytes int32, offset int64) int32 {
	f := logFileOf(file)
	if code := f.write(tls, file); code != lib.SQLITE_OK {
		return code
	}
	if f.failed && offset+int64(bytes) > f.failedAt {
		return lib.SQLITE_IOERR_READ
	}
	return function[ioFunc](f.own.FxRead)(tls, file, buffer, bytes, offset)
}

func syncLog(tls *libc.TLS, file uintptr, flags int32) int32 {
	f := logFileOf(file)
	if code := f.write(tls, file); code != lib.SQLITE_OK {
		return code
	}
	if f.failed {
		return lib.SQLITE_IOERR_FSYNC
	}
	return function[syncFunc](f.own.FxSync)(tls, file, flags)
}

func sizeOfLog(tls *libc.TLS, file, size uintptr) int32 {
	f := logFileOf(file)
	if code := f.write(tls, file); code != lib.SQLITE_OK {
		return code
	}
	return function[sizeFunc](f.own.FxFileSize)(tls, file, size)
}

func truncateLog(tls *libc.TLS, file uintptr, size int64) int32 {
	f := logFileOf(file)
	if code := f.write(tls, file); code != lib.SQLITE_OK {
		return code
	}
	return function[cutFunc](f.own.FxTruncate)(tls, file, size)
}

// closeLog drops what is in the buffer: it was never synced, and belongs to no commit.
func closeLog(tls *libc.TLS, file uintptr) int32 {
	f := logFileOf(file)
	logFiles.Delete(file)
	code := function[closeFunc](f.own.FxClose)(tls, file)
	lib.Xsqlite3_free(tls, f.memory)
	return code
}

// The only unsafe code: SQLite's C code is translated to Go, with addresses in place of pointers. The address of a Go
// function is that of its description, as in that translation. The memory belongs to SQLite, so that it does not move.

// at returns what is at an address.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// pointer returns the address of a declared function.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function returns the function at an address.
func function[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }
