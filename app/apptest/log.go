package apptest

import (
	"bytes"
	"io"
	"os"
	"sync"
)

// tailBytes is how much of a log an error quotes.
const tailBytes = 3000

// Log collects what a server logs. It can be read while the server writes, and serve several
// processes in turn. The zero value keeps everything in memory.
type Log struct {
	file *os.File // nil for a log in memory

	mutex sync.Mutex
	text  bytes.Buffer
	read  int // bytes that Next has returned
}

// CreateLog returns a log in a file, which processes write by themselves.
func CreateLog(name string) (*Log, error) {
	file, err := os.Create(name)
	return &Log{file: file}, err
}

// Close closes the file. It can still be read, and written by processes that have started.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// output returns where a process writes.
func (l *Log) output() io.Writer {
	if l.file != nil {
		return l.file
	}
	return l
}

// Write appends to a log in memory.
func (l *Log) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(text)
}

// String returns the whole log.
func (l *Log) String() string {
	if l.file != nil {
		text, err := os.ReadFile(l.file.Name())
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

// Next returns what was written since the last call.
func (l *Log) Next() string {
	next := l.String()[l.read:]
	l.read += len(next)
	return next
}

// Tail returns the end of the log, for an error.
func (l *Log) Tail() string {
	text := l.String()
	return text[max(0, len(text)-tailBytes):]
}
