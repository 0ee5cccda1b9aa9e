package main_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"punchcard/platform/db/dbtest"
	"punchcard/platform/testwait"
)

const (
	servedAtOnce   = 40  // requests in flight that the server is started with
	askAtOnce      = 400 // ten times that
	longestWait    = 10 * time.Second
	memoryOfServer = 300 << 20 // bytes; the limit of the design
	overloadTime   = 3 * time.Second
)

// resident is how much memory the server takes now, in bytes.
func (p *process) resident() int64 {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID()))
	if err != nil {
		p.t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmRSS:"); found {
			kilobytes, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				p.t.Fatal(err)
			}
			return kilobytes << 10
		}
	}
	p.t.Fatalf("no resident memory in %s", status)
	return 0
}

// descriptors is how many files and connections the server has open.
func (p *process) descriptors() int {
	p.t.Helper()
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.PID()))
	if err != nil {
		p.t.Fatal(err)
	}
	return len(open)
}

// outcome counts the responses of an overloaded server.
type outcome struct {
	sold, refused int
	took          []time.Duration // of what was sold
}

// overload buys over many connections for a while. Every answer is a coupon or asks to come back later.
func (b *buyer) overload(connections int) (sum outcome) {
	b.t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), overloadTime)
	defer cancel()
	var mutex sync.Mutex
	var all sync.WaitGroup
	for range connections {
		all.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				status, header, body, err := b.attempt(client)
				took := time.Since(began)
				mutex.Lock()
				switch {
				case err != nil:
					b.t.Error(err)
				case status == 200:
					sum.sold++
					sum.took = append(sum.took, took)
				default:
					b.checkUnavailable(status, header, body)
					sum.refused++
				}
				mutex.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	slices.Sort(sum.took)
	return sum
}

func (b *buyer) attempt(client *http.Client) (status int, header http.Header, body string, err error) {
	request, err := http.NewRequest("POST", b.Base+"/api/DEFAULT/customer/campaign/"+b.campaign+"/buy", nil)
	if err != nil {
		return 0, nil, "", err
	}
	request.Header.Set("Authorization", "Bearer "+b.token)
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, response.Header, string(text), err
}

func (b *buyer) stored() (count int) {
	b.t.Helper()
	b.owned(func(string) { count++ })
	return count
}

// Ten times as many as the server answers at once: who is answered waits for a bounded time, all others are asked to
// come back, exactly what was answered is stored, and nothing of the load stays.
func TestOverload(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			flags := append(demoFlags(t, engine), "--max-in-flight", strconv.Itoa(servedAtOnce),
				"--result-window", "1000000")
			b := newBuyer(start(t, flags...))
			before, open := b.stored(), b.descriptors()
			sum := b.overload(askAtOnce)
			if sum.sold == 0 || sum.refused == 0 {
				t.Fatalf("%d sold, %d refused", sum.sold, sum.refused)
			}
			slowest := sum.took[len(sum.took)*99/100]
			t.Logf("%d sold, %d refused, 99%% of the sold within %v, %d MB", sum.sold, sum.refused, slowest, b.resident()>>20)
			if slowest > longestWait {
				t.Errorf("a hundredth of what was answered took more than %v", slowest)
			}
			if used := b.resident(); used > memoryOfServer {
				t.Errorf("%d MB of memory", used>>20)
			}
			recovering := time.Now()
			testwait.Until(t, "a purchase after the load", b.buy)
			if took := time.Since(recovering); took > longestWait {
				t.Errorf("recovered in %v", took)
			}
			if after := b.stored(); after != before+sum.sold+1 {
				t.Errorf("%d coupons are stored, %d before, %d were sold", after, before, sum.sold+1)
			}
			http.DefaultClient.CloseIdleConnections()
			testwait.Until(t, "the connections are gone", func() bool {
				defer http.DefaultClient.CloseIdleConnections()
				return b.descriptors() <= open+10 && b.isHealthy()
			})
			if status := b.stop(syscall.SIGTERM); status != 0 {
				t.Errorf("exit status %d", status)
			}
		})
	}
}

// Clients who send slowly, who send too much and who leave take all that one server has, and it serves the next one.
func TestClientsThatHoldOn(t *testing.T) {
	b := newBuyer(start(t, append(demoFlags(t, "sqlite"), "--max-in-flight", "20")...))
	address := strings.TrimPrefix(b.Base, "http://")
	open := b.descriptors()
	hold := func(text string) {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = connection.Close() })
		if _, err := io.WriteString(connection, text); err != nil && !errors.Is(err, syscall.EPIPE) &&
			!errors.Is(err, syscall.ECONNRESET) {
			t.Fatal(err)
		}
	}
	const body = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\na=b"
	for range 100 {
		hold("POST /api/DEFAULT/customer/self_register HTTP/1.1\r\nHost: a\r\n")        // half of the headers
		hold("POST /api/DEFAULT/customer/self_register HTTP/1.1\r\nHost: a\r\n" + body) // half of the body
	}
	b.upload(address)
	testwait.Until(t, "a purchase beside slow clients", b.buy)
	if used := b.resident(); used > memoryOfServer {
		t.Errorf("%d MB of memory after uploads", used>>20)
	}
	b.abandon()
	testwait.Until(t, "a purchase after all that", b.buy)
	testwait.Until(t, "nothing is held", func() bool {
		defer http.DefaultClient.CloseIdleConnections()
		return b.descriptors() <= open+10 && b.isHealthy()
	})
	if strings.Contains(b.Log.String(), "panic") || strings.Contains(b.Log.String(), `"ERROR"`) {
		t.Errorf("log: %s", b.Log)
	}
}

// upload sends bodies that are too long, many at once, some of unknown length. Each is refused.
func (b *buyer) upload(address string) {
	b.t.Helper()
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			connection, err := net.Dial("tcp", address)
			if err != nil {
				b.t.Error(err)
				return
			}
			defer connection.Close()
			go func() { // the server may answer and close before it has read all
				length := "Content-Length: 33554432"
				if i%2 == 0 {
					length = "Transfer-Encoding: chunked"
				}
				_, _ = io.WriteString(connection, "POST /api/DEFAULT/customer/self_register HTTP/1.1\r\nHost: a\r\n"+
					"Content-Type: application/x-www-form-urlencoded\r\n"+length+"\r\n\r\n")
				megabyte := strings.Repeat("a", 1<<20)
				for range 32 {
					if i%2 == 0 {
						megabyte = "100000\r\n" + megabyte[:1<<20] + "\r\n"
					}
					if _, err := io.WriteString(connection, megabyte); err != nil {
						return
					}
				}
			}()
			answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
			if err != nil {
				return // cut off is refused as well
			}
			defer answer.Body.Close()
			if answer.StatusCode != 413 && answer.StatusCode != 503 && answer.StatusCode != 400 {
				b.t.Errorf("an upload of 32 MiB: %s", answer.Status)
			}
		})
	}
	all.Wait()
}

// abandon sends requests and leaves before the answer.
func (b *buyer) abandon() {
	b.t.Helper()
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			ctx, leave := context.WithTimeout(context.Background(), time.Duration(i%20)*time.Millisecond)
			defer leave()
			request, err := http.NewRequestWithContext(ctx, "GET", b.Base+"/api/DEFAULT/customer/campaign/available", nil)
			if err != nil {
				b.t.Error(err)
				return
			}
			request.Header.Set("Authorization", "Bearer "+b.token)
			if response, err := http.DefaultClient.Do(request); err == nil {
				_ = response.Body.Close()
			}
		})
	}
	all.Wait()
}
