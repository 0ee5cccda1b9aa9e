// Package fusedisk shows a folder whose power can be cut to other programs, through FUSE.
package fusedisk

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"punchcard/platform/powercut"
)

// Mount shows the folder of the disk to programs at another, empty folder. Only root can mount. Nothing may be open
// there when unmount is called, which otherwise fails.
func Mount(d *powercut.Disk, at string) (unmount func() error, err error) {
	var top syscall.Stat_t
	if err := syscall.Stat(d.Folder(), &top); err != nil {
		return nil, err
	}
	m := &mounted{disk: d}
	root := &fs.LoopbackRoot{Path: d.Folder(), Dev: uint64(top.Dev)}
	first := &node{LoopbackNode: fs.LoopbackNode{RootData: root}, mounted: m}
	root.RootNode = first
	if _, err := fs.Mount(at, first, &fs.Options{MountOptions: fuse.MountOptions{
		DirectMountStrict: true, AllowOther: true, FsName: "powercut", Options: []string{"default_permissions"},
	}}); err != nil {
		return nil, err
	}
	return func() error {
		m.ended.Store(true)
		// The kernel keeps what it needs while another process, such as one that just began in a namespace of its own, has
		// a copy of the mount. It is not waited for.
		return syscall.Unmount(at, 0)
	}, nil
}

// mounted is one mount of a disk.
type mounted struct {
	disk  *powercut.Disk
	ended atomic.Bool
}

func (m *mounted) step(change func() error) syscall.Errno {
	if m.ended.Load() {
		return syscall.EIO
	}
	err := change()
	if errors.Is(err, powercut.ErrOff) {
		return syscall.EIO
	}
	return fs.ToErrno(err)
}

// node is a file or folder.
type node struct {
	fs.LoopbackNode
	*mounted
}

// WrapChild lets what is found in a folder be a node too.
func (n *node) WrapChild(context.Context, fs.InodeEmbedder) fs.InodeEmbedder {
	return &node{LoopbackNode: fs.LoopbackNode{RootData: n.RootData}, mounted: n.mounted}
}

func (n *node) name(of ...string) string {
	return filepath.Join(append([]string{n.RootData.Path, n.Path(n.Root())}, of...)...)
}

// own gives a new file to the user whose program made it.
func own(ctx context.Context, name string) error {
	caller, known := fuse.FromContext(ctx)
	if !known {
		return nil
	}
	return os.Lchown(name, int(caller.Uid), int(caller.Gid))
}

// create makes something with the name and returns its node.
func (n *node) create(ctx context.Context, name string, out *fuse.EntryOut, make func(path string) error) (
	*fs.Inode, syscall.Errno) {
	path := n.name(name)
	if failed := n.step(func() error {
		return n.disk.Create(path, func() error { return errors.Join(make(path), own(ctx, path)) })
	}); failed != 0 {
		return nil, failed
	}
	return n.LoopbackNode.Lookup(ctx, name, out)
}

func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return n.create(ctx, name, out, func(path string) error { return syscall.Mkdir(path, mode) })
}

func (n *node) Mknod(ctx context.Context, name string, mode, device uint32, out *fuse.EntryOut) (
	*fs.Inode, syscall.Errno) {
	return n.create(ctx, name, out, func(path string) error { return syscall.Mknod(path, mode, int(device)) })
}

func (n *node) Symlink(ctx context.Context, target, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return n.create(ctx, name, out, func(path string) error { return os.Symlink(target, path) })
}

func (n *node) Link(ctx context.Context, target fs.InodeEmbedder, name string, out *fuse.EntryOut) (
	*fs.Inode, syscall.Errno) {
	return n.create(ctx, name, out, func(path string) error { return os.Link(target.(*node).name(), path) })
}

func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (
	made *fs.Inode, opened fs.FileHandle, fuseFlags uint32, failed syscall.Errno) {
	var f *os.File
	made, failed = n.create(ctx, name, out, func(path string) (err error) {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, os.FileMode(mode))
		return err
	})
	if failed != 0 {
		if f != nil {
			_ = f.Close() // the first error says more
		}
		return nil, nil, 0, failed
	}
	return made, &handle{f, out.Ino, n.mounted}, 0, 0
}

func (n *node) Open(_ context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	f, err := os.OpenFile(n.name(), os.O_RDWR, 0)
	if err != nil {
		return nil, 0, fs.ToErrno(err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, fs.ToErrno(errors.Join(err, f.Close()))
	}
	return &handle{f, info.Sys().(*syscall.Stat_t).Ino, n.mounted}, 0, 0
}

func (n *node) Unlink(_ context.Context, name string) syscall.Errno {
	return n.step(func() error { return n.disk.Remove(n.name(name)) })
}

func (n *node) Rmdir(ctx context.Context, name string) syscall.Errno { return n.Unlink(ctx, name) }

func (n *node) Rename(_ context.Context, name string, folder fs.InodeEmbedder, as string, flags uint32) syscall.Errno {
	if flags != 0 {
		return syscall.EINVAL
	}
	return n.step(func() error { return n.disk.Rename(n.name(name), folder.(*node).name(as)) })
}

func (n *node) Setattr(ctx context.Context, opened fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if size, is := in.GetSize(); is {
		h, _ := opened.(*handle)
		if h == nil {
			made, _, failed := n.Open(ctx, 0)
			if failed != 0 {
				return failed
			}
			h = made.(*handle)
			defer h.Release(ctx)
		}
		if failed := n.step(func() error {
			return n.disk.Truncate(h.number, powercut.OSFile{File: h.f}, int64(size))
		}); failed != 0 {
			return failed
		}
	}
	in.Valid &^= fuse.FATTR_SIZE
	return n.LoopbackNode.Setattr(ctx, nil, in, out)
}

// Fsync syncs a file, or a folder.
func (n *node) Fsync(_ context.Context, opened fs.FileHandle, _ uint32) syscall.Errno {
	if h, is := opened.(*handle); is {
		return h.step(func() error { return h.disk.Sync(h.number) })
	}
	return n.step(func() error { return n.disk.SyncFolder(n.name()) })
}

// OpendirHandle opens a folder. A sync of the handle syncs the folder of the node.
func (n *node) OpendirHandle(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	list, fuseFlags, failed := n.LoopbackNode.OpendirHandle(ctx, flags)
	if failed != 0 {
		return nil, 0, failed
	}
	return &folderHandle{list.(entries), n}, fuseFlags, 0
}

// CopyFileRange is refused, so that programs read and write.
func (n *node) CopyFileRange(context.Context, fs.FileHandle, uint64, *fs.Inode, fs.FileHandle, uint64, uint64, uint64) (
	uint32, syscall.Errno) {
	return 0, syscall.ENOTSUP
}

// entries is a list of a folder.
type entries interface {
	fs.FileReaddirenter
	fs.FileSeekdirer
	fs.FileReleasedirer
}

type folderHandle struct {
	entries
	node *node
}

func (h *folderHandle) Fsyncdir(ctx context.Context, flags uint32) syscall.Errno {
	return h.node.Fsync(ctx, nil, flags)
}

// handle is an open file.
type handle struct {
	f      *os.File
	number uint64
	*mounted
}

func (h *handle) Read(_ context.Context, to []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	n, err := h.f.ReadAt(to, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fs.ToErrno(err)
	}
	return fuse.ReadResultData(to[:n]), 0
}

func (h *handle) Write(_ context.Context, data []byte, at int64) (uint32, syscall.Errno) {
	return uint32(len(data)), h.step(func() error { return h.disk.Write(h.number, powercut.OSFile{File: h.f}, data, at) })
}

func (h *handle) Release(context.Context) syscall.Errno { return fs.ToErrno(h.f.Close()) }

func (h *handle) Getattr(_ context.Context, out *fuse.AttrOut) syscall.Errno {
	info, err := h.f.Stat()
	if err != nil {
		return fs.ToErrno(err)
	}
	out.FromStat(info.Sys().(*syscall.Stat_t))
	return 0
}
