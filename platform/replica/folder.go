package replica

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// partial ends the names of files that are being written.
const partial = ".partial"

// folder is a place in the file system, such as a mounted network drive.
type folder string

func (f folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

func (f folder) Put(_ context.Context, name string, content io.ReadSeeker, _ int64) error {
	path := f.path(name)
	if err := makeFolders(filepath.Dir(path)); err != nil {
		return err
	}
	file, err := os.OpenFile(path+partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	if err == nil {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+partial, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// makeFolders makes a folder and those above it, durably.
func makeFolders(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	above := filepath.Dir(path)
	if err := makeFolders(above); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(above)
}

func syncFolder(path string) error {
	opened, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

func (f folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(f.path(name))
}

func (f folder) List(ctx context.Context) (all []Stored, err error) {
	if _, err := os.Stat(string(f)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	err = filepath.WalkDir(string(f), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return errors.Join(err, ctx.Err())
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) { // it was renamed or deleted meanwhile
			return nil
		}
		name, relative := filepath.Rel(string(f), path)
		if err := errors.Join(err, relative); err != nil {
			return err
		}
		all = append(all, Stored{Name: filepath.ToSlash(name), Bytes: info.Size(), At: info.ModTime()})
		return nil
	})
	return all, err
}

// Delete also removes folders that are empty then.
func (f folder) Delete(_ context.Context, name string) error {
	if err := os.Remove(f.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for above := name; strings.Contains(above, "/"); {
		above = above[:strings.LastIndex(above, "/")]
		if os.Remove(f.path(above)) != nil {
			break // it holds other files
		}
	}
	return nil
}

func (folder) Close() error { return nil }
