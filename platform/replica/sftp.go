package replica

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// dialLimit is how long connecting to a server may take.
const dialLimit = 15 * time.Second

// sftpFolder is a folder of a machine that is reached with SSH. It connects again after an error.
type sftpFolder struct {
	address, root string
	config        ssh.ClientConfig

	mutex      sync.Mutex
	connection *ssh.Client
	client     *sftp.Client
}

func openSFTP(u *url.URL, access Access) (Place, error) {
	if u.Host == "" || u.User.Username() == "" || strings.Trim(u.Path, "/") == "" {
		return nil, errors.New("sftp:// needs a user, a host and a folder")
	}
	if access.SSHKey == "" || access.KnownHosts == "" {
		return nil, errors.New("sftp:// needs files with a private key and with the keys of known hosts")
	}
	text, err := os.ReadFile(access.SSHKey)
	if err != nil {
		return nil, err
	}
	key, err := ssh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", access.SSHKey, err)
	}
	known, err := knownhosts.New(access.KnownHosts)
	if err != nil {
		return nil, fmt.Errorf("known hosts: %w", err)
	}
	address := u.Host
	if u.Port() == "" {
		address = net.JoinHostPort(u.Hostname(), "22")
	}
	return &sftpFolder{address: address, root: u.Path, config: ssh.ClientConfig{
		User: u.User.Username(), Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: known, Timeout: dialLimit,
	}}, nil
}

// use calls do with a connection, which ends if do fails or ctx ends.
func (s *sftpFolder) use(ctx context.Context, do func(*sftp.Client) error) error {
	client, err := s.connect(ctx)
	if err != nil {
		return fmt.Errorf("connect to %s: %w", s.address, err)
	}
	defer context.AfterFunc(ctx, func() { s.drop(client) })()
	err = do(client)
	var status *sftp.StatusError
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &status) {
		s.drop(client)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func (s *sftpFolder) connect(ctx context.Context) (*sftp.Client, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.client != nil {
		return s.client, nil
	}
	dialer := net.Dialer{Timeout: dialLimit}
	raw, err := dialer.DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = raw.Close() }) // ends the handshake
	defer stop()
	conn, channels, requests, err := ssh.NewClientConn(raw, s.address, &s.config)
	if err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	connection := ssh.NewClient(conn, channels, requests)
	client, err := sftp.NewClient(connection, sftp.UseConcurrentWrites(true))
	if err != nil {
		return nil, errors.Join(err, connection.Close())
	}
	s.connection, s.client = connection, client
	return client, nil
}

// drop closes a connection, unless that has been done.
func (s *sftpFolder) drop(client *sftp.Client) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.client == client {
		_ = s.connection.Close() // it may be broken
		s.client = nil
	}
}

func (s *sftpFolder) path(name string) string { return path.Join(s.root, name) }

func (s *sftpFolder) Put(ctx context.Context, name string, content io.ReadSeeker, _ int64) error {
	return s.use(ctx, func(client *sftp.Client) error {
		to := s.path(name)
		file, err := client.OpenFile(to+partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY)
		if errors.Is(err, fs.ErrNotExist) {
			if err := client.MkdirAll(path.Dir(to)); err != nil {
				return err
			}
			file, err = client.OpenFile(to+partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY)
		}
		if err != nil {
			return err
		}
		_, err = file.ReadFrom(content)
		if err == nil {
			err = file.Sync()
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		return client.PosixRename(to+partial, to)
	})
}

func (s *sftpFolder) Get(ctx context.Context, name string) (file io.ReadCloser, err error) {
	err = s.use(ctx, func(client *sftp.Client) (err error) {
		file, err = client.Open(s.path(name))
		return err
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

func (s *sftpFolder) List(ctx context.Context) (all []Stored, err error) {
	err = s.use(ctx, func(client *sftp.Client) error {
		if _, err := client.Stat(s.root); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		walk := client.Walk(s.root)
		for walk.Step() {
			info := walk.Stat()
			switch err := walk.Err(); {
			case errors.Is(err, fs.ErrNotExist): // it was deleted meanwhile
			case err != nil:
				return err
			case !info.IsDir():
				name := strings.TrimPrefix(strings.TrimPrefix(walk.Path(), path.Clean(s.root)), "/")
				all = append(all, Stored{name, info.Size(), info.ModTime()})
			}
		}
		return nil
	})
	return all, err
}

// Delete also removes folders that are empty then.
func (s *sftpFolder) Delete(ctx context.Context, name string) error {
	return s.use(ctx, func(client *sftp.Client) error {
		if err := client.Remove(s.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for above := path.Dir(name); above != "."; above = path.Dir(above) {
			if client.RemoveDirectory(s.path(above)) != nil {
				break // it holds other files
			}
		}
		return nil
	})
}

func (s *sftpFolder) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.client == nil {
		return nil
	}
	s.client = nil
	return s.connection.Close()
}
