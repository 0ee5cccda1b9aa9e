package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// loadCommand runs this program as the load generator. It is a separate process, so that its
// garbage collection and scheduling disturb nothing else. It speaks minimal HTTP/1.1, because it
// shares the processors with the server.
const loadCommand = "load"

// loadPlan has the requests to send. Each request draws a path and a token. The warm-up lasts until every
// token was sent once, so that the measurement does not include a thousand tokens that are verified
// for the first time at the same moment.
type loadPlan struct {
	Address       string
	Method        string
	Paths, Tokens []string
	Body          string // a template; empty for requests without a body
	First         int    // {n} of the first request
	Customers     int    // {i} is less
	Items         []string
	stored        string // the query that counts what the requests store, see scenario
	// Writes is the percentage of requests that are purchases instead: a POST to one of BuyPaths by one of Buyers.
	Writes           int
	BuyPaths, Buyers []string
	// TokensSent means that all tokens were sent before: the warm-up need not send them.
	TokensSent  bool
	Connections int
	Rate        float64       // requests per second, however slow the answers; 0 sends as fast as answers come
	WarmUp      time.Duration // at least
	Measure     time.Duration
	Seed        uint64
}

// loadResult is the result of a load. Statuses count every response, including the warm-up and the
// drain at the end.
type loadResult struct {
	Statuses       map[int]int64
	Failures       []string // of broken connections, the first of each kind
	Measured       int64    // responses within the measured time; with a Rate, to requests of that time
	Received       int64    // bytes of all responses, with their headers
	Bought         int64    // of the responses with status 200, those to purchases that were sent instead
	Next           int      // {n} that comes after those of all requests
	P50, P99, P999 time.Duration
}

// answered returns the number of responses with status 200.
func (r *loadResult) answered() int64 { return r.Statuses[200] }

// generateLoad reads a plan from standard input, carries it out and prints the result.
func generateLoad(ctx context.Context) error {
	debug.SetGCPercent(400) // requests do not allocate; only the plan is garbage
	var plan loadPlan
	if err := json.NewDecoder(os.Stdin).Decode(&plan); err != nil {
		return err
	}
	result, err := plan.run(ctx)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// run opens all connections, sends requests on all of them concurrently and waits for the last responses.
func (p *loadPlan) run(ctx context.Context) (*loadResult, error) {
	return p.runOn(ctx, func() (net.Conn, error) { return (&net.Dialer{}).DialContext(ctx, "tcp", p.Address) })
}

func (p *loadPlan) runOn(ctx context.Context, connect func() (net.Conn, error)) (*loadResult, error) {
	clients := make([]*client, p.Connections)
	course := &course{plan: p, body: parseTemplate(p.Body)}
	course.number.Store(int64(p.First))
	for i := range clients {
		connection, err := connect()
		if err != nil {
			return nil, err
		}
		defer connection.Close()
		clients[i] = &client{
			plan: p, course: course, connection: connection, responses: bufio.NewReader(connection),
			random: rand.New(rand.NewPCG(p.Seed, uint64(i))), statuses: map[int]int64{},
		}
	}
	send := (*client).run
	if course.warm = time.Now().Add(p.WarmUp); p.Rate > 0 {
		course.schedule()
		send = (*client).runOpen
	}
	var running sync.WaitGroup
	for _, c := range clients {
		running.Go(func() { send(c, ctx) })
	}
	running.Wait()
	result := merge(clients)
	result.Next = int(course.number.Load())
	return result, ctx.Err()
}

func merge(clients []*client) *loadResult {
	result := &loadResult{Statuses: map[int]int64{}}
	var times histogram
	reported := map[string]bool{}
	for _, c := range clients {
		times.merge(&c.times)
		result.Received += c.received
		result.Bought += c.bought
		for status, n := range c.statuses {
			result.Statuses[status] += n
		}
		if c.failure != nil && !reported[c.failure.Error()] {
			reported[c.failure.Error()] = true
			result.Failures = append(result.Failures, c.failure.Error())
		}
	}
	result.Measured = times.total()
	result.P50, result.P99, result.P999 = times.quantile(0.5), times.quantile(0.99), times.quantile(0.999)
	return result
}

// course is the progress of a plan.
type course struct {
	plan   *loadPlan
	body   *template
	number atomic.Int64 // {n} of the next request

	warm time.Time    // the earliest end of the warm-up
	sent atomic.Int64 // requests; the first ones take the tokens in turn
	from atomic.Int64 // start of the measured time, in nanoseconds since 1970; 0 while unknown

	begin   time.Time    // of an open loop
	arrived atomic.Int64 // requests of an open loop
}

// token returns the token of the next request.
func (c *course) token(random *rand.Rand) string {
	tokens := c.plan.Tokens
	if sent := c.sent.Add(1); sent <= int64(len(tokens)) && !c.plan.TokensSent {
		return tokens[sent-1]
	}
	return tokens[random.IntN(len(tokens))]
}

// measured reports whether a finished request counts, and whether the time is over.
func (c *course) measured(ended time.Time) (counts, over bool) {
	from := c.from.Load()
	warm := c.plan.TokensSent || c.sent.Load() >= int64(len(c.plan.Tokens))
	if from == 0 && !ended.Before(c.warm) && warm {
		c.from.CompareAndSwap(0, ended.UnixNano())
		from = c.from.Load()
	}
	since := time.Duration(ended.UnixNano() - from)
	return from > 0 && since >= 0 && since < c.plan.Measure, from > 0 && since >= c.plan.Measure
}

// client is one connection that sends the next request as soon as the response is there.
type client struct {
	plan       *loadPlan
	course     *course
	connection net.Conn
	responses  *bufio.Reader
	random     *rand.Rand
	request    []byte
	body       []byte
	times      histogram
	statuses   map[int]int64
	received   int64 // bytes
	bought     int64
	deadline   time.Time // of the connection
	failure    error     // ends the use of the connection
}

// responseTimeout is longer than any time limit of the server.
const responseTimeout = 60 * time.Second

func (c *client) run(ctx context.Context) {
	began := time.Now()
	for over := false; !over && ctx.Err() == nil; {
		if !c.extendDeadline(began) {
			return
		}
		if !c.exchange() {
			return
		}
		ended := time.Now()
		var counts bool
		if counts, over = c.course.measured(ended); counts {
			c.times.add(ended.Sub(began))
		}
		began = ended
	}
}

// extendDeadline sets a new deadline if little of the last one is left: one for each request would cost more than the
// request.
func (c *client) extendDeadline(now time.Time) bool {
	if c.deadline.Sub(now) < responseTimeout {
		c.deadline = now.Add(2 * responseTimeout)
		c.failure = c.connection.SetDeadline(c.deadline)
	}
	return c.failure == nil
}

// exchange sends a request and counts the response. It reports false if the connection failed.
func (c *client) exchange() bool {
	var status int
	if status, c.failure = c.send(); c.failure == nil {
		c.statuses[status]++
	}
	return c.failure == nil
}

// send sends a request and reads the whole response.
func (c *client) send() (status int, err error) {
	p := c.plan
	method, paths, token, body := p.Method, p.Paths, "", c.body[:0]
	buys := p.Writes > 0 && c.random.IntN(100) < p.Writes
	if buys {
		method, paths, token = "POST", p.BuyPaths, p.Buyers[c.random.IntN(len(p.Buyers))]
	} else {
		token = c.course.token(c.random)
		if p.Body != "" {
			body = c.course.body.fill(body, int(c.course.number.Add(1))-1, p, c.random)
			c.body = body
		}
	}
	r := append(c.request[:0], method...)
	r = append(append(r, ' '), paths[c.random.IntN(len(paths))]...)
	r = append(r, " HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: "...)
	r = strconv.AppendInt(r, int64(len(body)), 10)
	r = append(append(r, "\r\nAuthorization: Bearer "...), token...)
	c.request = append(append(r, "\r\n\r\n"...), body...)
	if _, err := c.connection.Write(c.request); err != nil {
		return 0, err
	}
	status, size, err := readResponse(c.responses)
	c.received += int64(size)
	if buys && status == 200 {
		c.bought++
	}
	return status, err
}

var contentLength = []byte("content-length:")

// readResponse reads one response, which must have a Content-Length, and returns its status and its size in bytes.
func readResponse(from *bufio.Reader) (status, size int, err error) {
	line, err := from.ReadSlice('\n')
	if err != nil {
		return 0, 0, err
	}
	if len(line) < len("HTTP/1.1 200") || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, 0, fmt.Errorf("the response begins with %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, err
	}
	size = len(line)
	length := -1
	for {
		line, err := from.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		size += len(line)
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			break
		}
		name := len(contentLength)
		if len(line) > name && bytes.EqualFold(line[:name], contentLength) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[name:]))); err != nil {
				return 0, 0, err
			}
		}
	}
	if length < 0 {
		return 0, 0, errors.New("the response has no Content-Length")
	}
	_, err = from.Discard(length)
	return status, size + length, err
}
