// Package natstest runs NATS servers for tests.
package natstest

import (
	"fmt"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"punchcard/platform/testwait"
)

// Server is a NATS server with JetStream in this process, which clients reach over the network.
type Server struct{ *server.Server }

// Run starts a server with its files in the folder. It stops at the end of the test, or before. Port -1 chooses a free
// one.
func Run(t testing.TB, folder string, port int) Server {
	t.Helper()
	s, err := Start(folder, port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// Start is Run for programs, which call Stop.
func Start(folder string, port int) (Server, error) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: folder, NoLog: true, NoSigs: true,
	})
	if err != nil {
		return Server{}, err
	}
	s.Start()
	if !s.ReadyForConnections(testwait.Limit()) {
		s.Shutdown()
		return Server{}, fmt.Errorf("NATS does not start within %v", testwait.Limit())
	}
	return Server{s}, nil
}

// Stop ends the server. A second call does nothing.
func (s Server) Stop() {
	s.Shutdown()
	s.WaitForShutdown()
}
