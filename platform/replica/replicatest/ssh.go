package replicatest

import (
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"sync"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"punchcard/platform/testinstall"
)

// separated is the folder in which sshd keeps the part of itself that reads what strangers send.
const separated = "/run/sshd"

// SSH is the server of OpenSSH, for the present user.
type SSH struct {
	URL             string // of a folder that is not there yet
	Key, KnownHosts string // files of the client

	listener net.Listener
	running  sync.WaitGroup

	mutex       sync.Mutex
	connections []*os.Process
}

// StartSSH starts a server with its files in a folder. As root on a Debian-like system it installs a missing server.
func StartSSH(folder string) (*SSH, error) {
	if os.Geteuid() == 0 {
		_ = os.MkdirAll(separated, 0o755) // the package makes it when the service starts
	}
	program, found, err := testinstall.SSH.Path()
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errors.New("sshd is needed, of the package openssh-server")
	}
	host, err := makeKey(filepath.Join(folder, "host"))
	if err != nil {
		return nil, err
	}
	s := &SSH{Key: filepath.Join(folder, "key"), KnownHosts: filepath.Join(folder, "known_hosts")}
	client, err := makeKey(s.Key)
	if err != nil {
		return nil, err
	}
	self, err := user.Current()
	if err != nil {
		return nil, err
	}
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	address := s.listener.Addr().String()
	s.URL = fmt.Sprintf("sftp://%s@%s%s", self.Username, address, filepath.Join(folder, "copies"))
	config := fmt.Sprintf("HostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"+
		"PermitRootLogin prohibit-password\nSubsystem sftp internal-sftp\n",
		filepath.Join(folder, "host"), filepath.Join(folder, "authorized"))
	for name, text := range map[string]string{
		"sshd_config": config, "authorized": string(ssh.MarshalAuthorizedKey(client)),
		"known_hosts": knownhosts.Line([]string{address}, host) + "\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	s.running.Go(func() { s.serve(program, filepath.Join(folder, "sshd_config")) })
	return s, nil
}

func makeKey(name string) (ssh.PublicKey, error) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
		return nil, err
	}
	return ssh.NewPublicKey(public)
}

// serve runs a process for each connection, as inetd does: sshd itself cannot choose a free port.
func (s *SSH) serve(program, config string) {
	for {
		connection, err := s.listener.Accept()
		if err != nil {
			return // stopped
		}
		file, err := connection.(*net.TCPConn).File()
		_ = connection.Close() // file is a duplicate
		if err != nil {
			continue
		}
		command := exec.Command(program, "-i", "-f", config)
		command.Stdin, command.Stdout = file, file
		err = command.Start()
		_ = file.Close() // the process has it
		if err != nil {
			continue
		}
		s.mutex.Lock()
		s.connections = append(s.connections, command.Process)
		s.mutex.Unlock()
		s.running.Go(func() { _ = command.Wait() }) // its client finds out how it ended
	}
}

// Stop ends the server and its connections.
func (s *SSH) Stop() {
	_ = s.listener.Close() // it listens no more
	s.mutex.Lock()
	for _, process := range s.connections {
		_ = process.Kill() // it may have ended
	}
	s.mutex.Unlock()
	s.running.Wait()
}
