package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// slowly answers the requests of a connection, one after the other, after a delay each.
func slowly(connection net.Conn, delay time.Duration) {
	requests := bufio.NewReader(connection)
	for {
		if _, err := http.ReadRequest(requests); err != nil {
			return // the client is done
		}
		time.Sleep(delay) // by the clock of the test, which does not wait
		if _, err := io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"); err != nil {
			return
		}
	}
}

func TestOpenLoopCountsFromTheIntendedMoment(t *testing.T) {
	const delay = 20 * time.Millisecond
	for _, c := range []struct {
		name           string
		connections    int
		rate           float64
		p50, p99, p999 time.Duration
	}{
		// Every request finds a free connection.
		{"faster than requests arrive", 8, 100, delay, delay, delay},
		// Each of the 1,000 requests comes 10 ms after the one before, and is answered 20 ms after it: number n waits
		// for n*10 ms. A closed loop would report 20 ms for all.
		{"half as fast as requests arrive", 1, 100, 499*10*time.Millisecond + delay, 989*10*time.Millisecond + delay,
			998*10*time.Millisecond + delay},
	} {
		synctest.Test(t, func(t *testing.T) {
			plan := &loadPlan{
				Method: "POST", Paths: []string{"/"}, Tokens: []string{"t"}, Connections: c.connections, Rate: c.rate,
				Measure: 10 * time.Second,
			}
			result, err := plan.runOn(t.Context(), func() (net.Conn, error) {
				client, server := net.Pipe()
				go slowly(server, delay)
				return client, nil
			})
			if err != nil || len(result.Failures) > 0 {
				t.Fatal(err, result)
			}
			if result.Measured != 1000 || result.answered() != 1000 {
				t.Errorf("%s: measured %d of %d, want 1,000", c.name, result.Measured, result.answered())
			}
			for _, p := range []struct{ got, want time.Duration }{
				{result.P50, c.p50}, {result.P99, c.p99}, {result.P999, c.p999},
			} {
				if p.got < p.want || float64(p.got) > float64(p.want)*growth {
					t.Errorf("%s: %s, want %s to one percent more", c.name, p.got, p.want)
				}
			}
		})
	}
}

func TestOpenLoopMeasuresAfterTheWarmUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := &loadPlan{
			Method: "POST", Paths: []string{"/"}, Tokens: []string{"t"}, Connections: 4, Rate: 50,
			WarmUp: time.Second, Measure: 2 * time.Second,
		}
		result, err := plan.runOn(t.Context(), func() (net.Conn, error) {
			client, server := net.Pipe()
			go slowly(server, time.Millisecond)
			return client, nil
		})
		if err != nil || result.answered() != 150 || result.Measured != 100 {
			t.Errorf("%+v, %v", result, err)
		}
	})
}
