package apptest

import (
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// natsStart is how long a NATS server may take to start.
const natsStart = time.Minute

// NATS is a message queue in this process that servers reach over the network.
type NATS struct{ *server.Server }

// StartNATS starts a message queue with its files in the folder. Port -1 chooses a free one.
func StartNATS(folder string, port int) (NATS, error) {
	n, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: folder, NoLog: true, NoSigs: true,
	})
	if err != nil {
		return NATS{}, err
	}
	n.Start()
	if !n.ReadyForConnections(natsStart) {
		n.Shutdown()
		return NATS{}, fmt.Errorf("NATS does not start within %v", natsStart)
	}
	return NATS{n}, nil
}

// Stop ends the message queue. A second call does nothing.
func (n NATS) Stop() {
	n.Shutdown()
	n.WaitForShutdown()
}
