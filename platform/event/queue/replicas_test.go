package queue

import (
	"bytes"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"punchcard/platform/event"
	"punchcard/platform/event/queue/natstest"
	"punchcard/platform/testwait"
)

// startNATSCluster starts NATS servers that form a cluster, and returns the address of the first once all have joined.
func startNATSCluster(t *testing.T, count int) (address string) {
	t.Helper()
	var held []net.Listener // ports of the routes, all at once, so that they differ
	var routes []*url.URL
	for range count {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, listener)
		routes = append(routes, &url.URL{Scheme: "nats", Host: listener.Addr().String()})
	}
	var all []*server.Server
	for i, listener := range held {
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := server.NewServer(&server.Options{
			ServerName: string(rune('a' + i)), Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(),
			NoSigs: true, NoLog: true, Routes: routes, Cluster: server.ClusterOpts{
				Name: "test", Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port,
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		all = append(all, s)
	}
	testwait.Until(t, "a leader that knows all servers", func() bool {
		for _, s := range all {
			if s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == count {
				return true
			}
		}
		return false
	})
	return "nats://" + all[0].Addr().String()
}

// A new stream has three replicas where there are three servers, and else one. A stream that exists keeps its own.
func TestReplicasOfTheStream(t *testing.T) {
	one := natstest.Run(t, t.TempDir(), -1).ClientURL()
	for name, c := range map[string]struct {
		address string
		want    int
	}{
		"three servers": {startNATSCluster(t, 3), 3}, "two servers": {startNATSCluster(t, 2), 1}, "one server": {one, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			q := openWithLog(t, c.address, &log)
			if got := replicasOf(t, q); got != c.want {
				t.Errorf("the stream has %d replicas, want %d", got, c.want)
			}
			const advice = "nats stream update PUNCHCARD_EVENTS --replicas=3"
			if warned := strings.Contains(log.String(), advice); warned != (c.want == 1) {
				t.Errorf("the log is %s", &log)
			}
			events := []event.Event{{ID: 1, StoreKey: 1, Type: "a.b", Payload: []byte("{}")}}
			if err := q.publish(t.Context(), events, 0); err != nil {
				t.Error(err)
			}
			log.Reset()
			q = openWithLog(t, c.address, &log)
			if got := replicasOf(t, q); got != c.want || log.Len() > 0 {
				t.Errorf("the second start finds %d replicas, and logs %s", got, &log)
			}
		})
	}
}

// An operator may choose the replicas of a stream; a start that changes its limits leaves them.
func TestReplicasOfTheOperatorStay(t *testing.T) {
	address := startNATSCluster(t, 3)
	q := openWithLog(t, address, &bytes.Buffer{})
	stream, err := q.stream.Stream(t.Context(), StreamName)
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.Replicas, config.MaxBytes = 1, DefaultMaxBytes/2
	if _, err := q.stream.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	q = openWithLog(t, address, &bytes.Buffer{})
	if stream, err = q.stream.Stream(t.Context(), StreamName); err != nil {
		t.Fatal(err)
	}
	if got := stream.CachedInfo().Config; got.Replicas != 1 || got.MaxBytes != DefaultMaxBytes {
		t.Errorf("the stream has %d replicas and %d bytes", got.Replicas, got.MaxBytes)
	}
}

func openWithLog(t *testing.T, address string, log *bytes.Buffer) *Queue {
	t.Helper()
	return open(t, Config{URL: address, Log: slog.New(slog.NewTextHandler(log, nil))})
}

func replicasOf(t *testing.T, q *Queue) int {
	t.Helper()
	stream, err := q.ensureStream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return stream.CachedInfo().Config.Replicas
}
