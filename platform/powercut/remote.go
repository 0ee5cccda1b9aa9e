package powercut

import (
	"errors"
	"io"
	"math/rand/v2"
	"net/rpc"
	"os"
	"os/exec"
	"syscall"
)

// ServeCommand is the argument of a program that Start runs to serve a disk.
const ServeCommand = "serve-disk"

// Remote is a disk in another process. A program that uses files below a mount must not serve the mount itself: a
// thread that waits for the mount can keep the Go runtime from running the goroutines that serve it.
type Remote struct {
	command *exec.Cmd
	calls   *rpc.Client
}

// RemoteConfig describes a Remote.
type RemoteConfig struct {
	Program       string // calls Serve for ServeCommand
	Data, Removed string // folders, as of New
	At            string // the folder where Mount shows Data
	Seed          uint64
}

// Start runs a program that serves a disk.
func Start(config RemoteConfig) (*Remote, error) {
	command := exec.Command(config.Program, ServeCommand)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	r := &Remote{command: command, calls: rpc.NewClient(pipes{out, in})}
	if err := r.call("Open", config, nil); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Close ends the process.
func (r *Remote) Close() error { return errors.Join(r.calls.Close(), r.command.Wait()) }

// Mount mounts the disk. Nothing may be open there when Unmount is called.
func (r *Remote) Mount() error { return r.call("Mount", nothing, nil) }

// Unmount ends Mount.
func (r *Remote) Unmount() error { return r.call("Unmount", nothing, nil) }

// CutAfter cuts the power after some changes and syncs.
func (r *Remote) CutAfter(changes int64) error { return r.call("CutAfter", changes, nil) }

// Cut cuts the power now.
func (r *Remote) Cut() error { return r.call("Cut", nothing, nil) }

// Restore makes of the folder what a disk would have after the power cut, and turns the power on again.
func (r *Remote) Restore() error { return r.call("Restore", nothing, nil) }

// Off reports whether the power is cut.
func (r *Remote) Off() (off bool, err error) {
	err = r.call("Off", nothing, &off)
	return off, err
}

// Syncs returns how many syncs there were.
func (r *Remote) Syncs() (syncs int64, err error) {
	err = r.call("Syncs", nothing, &syncs)
	return syncs, err
}

func (r *Remote) call(method string, argument, result any) error {
	if result == nil {
		result = new(bool)
	}
	return r.calls.Call("Disk."+method, argument, result)
}

// Serve serves a disk until the program that started this one ends.
func Serve() error {
	s := &served{}
	server := rpc.NewServer()
	if err := server.RegisterName("Disk", s); err != nil {
		return err
	}
	server.ServeConn(pipes{os.Stdin, os.Stdout})
	if s.unmount == nil {
		return nil
	}
	return syscall.Unmount(s.at, syscall.MNT_DETACH)
}

// served has the methods of Remote, as net/rpc wants them.
type served struct {
	disk    *Disk
	at      string
	unmount func() error
}

// nothing stands for no argument, because net/rpc wants one.
const nothing = false

func (s *served) Open(config RemoteConfig, _ *bool) error {
	s.disk = New(config.Data, config.Removed, rand.New(rand.NewPCG(config.Seed, 1)))
	s.at = config.At
	return nil
}

func (s *served) Mount(bool, *bool) (err error) {
	s.unmount, err = s.disk.Mount(s.at)
	return err
}

func (s *served) Unmount(bool, *bool) error {
	err := s.unmount()
	if err == nil {
		s.unmount = nil
	}
	return err
}

func (s *served) CutAfter(changes int64, _ *bool) error {
	s.disk.CutAfter(changes)
	return nil
}

func (s *served) Cut(bool, *bool) error {
	s.disk.Cut()
	return nil
}

func (s *served) Restore(bool, *bool) error { return s.disk.Restore() }

func (s *served) Off(_ bool, off *bool) error {
	*off = s.disk.Off()
	return nil
}

func (s *served) Syncs(_ bool, syncs *int64) error {
	*syncs = s.disk.Syncs()
	return nil
}

// pipes are those between the two programs.
type pipes struct {
	io.Reader
	io.WriteCloser
}
