package replica

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"
)

// Place keeps files off the machine. It is safe for concurrent use.
type Place interface {
	// Put stores a file durably, the whole of it or nothing. A file with the same name is replaced.
	Put(ctx context.Context, name string, content io.ReadSeeker, size int64) error
	// Get opens a file. The error is fs.ErrNotExist if there is none.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// List returns all files.
	List(ctx context.Context) ([]Stored, error)
	// Delete removes a file. One that is not there is no error.
	Delete(ctx context.Context, name string) error
	Close() error
}

// Stored is a file at a place. Folders in its name are separated by slashes.
type Stored struct {
	Name  string
	Bytes int64
	At    time.Time // when it was stored, by the clock of the place
}

// Access holds the credentials of places.
type Access struct {
	AccessKey, SecretKey string // of S3
	SSHKey, KnownHosts   string // files, of SFTP
}

// Open returns the place at a URL: file:///folder, s3://bucket/prefix?endpoint=https://host&region=name, or
// sftp://user@host:port/folder. It connects to the place when it is used.
func Open(address string, access Access) (Place, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the place of the copy is no URL") // which may hold a password
	}
	if _, has := u.User.Password(); has {
		return nil, errors.New("the URL of the copy has a password, which belongs into a file or a variable")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || u.Path == "" || u.Path == "/" {
			return nil, errors.New("a folder for the copy is given as file:///path")
		}
		return folder(u.Path), nil
	case "s3":
		return openS3(u, access)
	case "sftp":
		return openSFTP(u, access)
	}
	return nil, fmt.Errorf("a copy is kept at file://, s3:// or sftp://, not at %q", u.Scheme)
}
