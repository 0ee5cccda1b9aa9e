package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strconv"
	"sync"
	"time"

	gomail "github.com/wneessen/go-mail"

	"punchcard/platform/keytext"
	"punchcard/platform/outbound"
)

const (
	// DefaultTimeout is how long connecting may take, with encryption and authentication, and then
	// sending one e-mail.
	DefaultTimeout = 20 * time.Second
	// IdleTimeout is how long an unused connection stays open.
	IdleTimeout = 15 * time.Second
	// IdleConnections is the maximum number of unused connections.
	IdleConnections = 64

	maxPerConnection = 100     // e-mails
	maxAnswerBytes   = 1 << 20 // that a server can send on one connection
)

// Config configures a client.
type Config struct {
	Reach   outbound.Reach // which servers are called, besides trusted ones
	Timeout time.Duration  // DefaultTimeout when 0
	Roots   *x509.CertPool // that sign certificates of servers; those of the system when nil
	Clock   func() time.Time
}

// Client sends e-mails. It is safe for concurrent use.
type Client struct {
	reach   outbound.Reach
	timeout time.Duration
	roots   *x509.CertPool
	clock   func() time.Time

	mutex sync.Mutex
	idle  []*connection // the one that was used last at the end
}

// connection is one open connection to a server.
type connection struct {
	server Server
	client *gomail.Client
	net    net.Conn
	used   time.Time
	mails  int
}

// NewClient returns a client.
func NewClient(c Config) *Client {
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	return &Client{reach: c.Reach, timeout: c.Timeout, roots: c.Roots, clock: c.Clock}
}

// Send hands an e-mail to a server. The outcome is Gone if the server refuses the address for good. An address of the
// sender that is not valid says nothing about the recipient and can be corrected, so that attempts go on.
func (c *Client) Send(ctx context.Context, s Server, m *Mail) outbound.Outcome {
	message, err := m.message()
	if err != nil {
		ofSender := errors.Is(err, errSender) || errors.Is(err, errReplyTo)
		return outbound.Outcome{Problem: err.Error(), Hopeless: !ofSender, Gone: errors.Is(err, errAddress)}
	}
	s.Host = keytext.ASCIIHost(s.Host)
	for {
		conn, fresh, err := c.connect(ctx, s)
		if err != nil {
			return outcomeOf(err)
		}
		err = conn.send(ctx, message)
		if message.IsDelivered() {
			c.release(conn, err == nil)
			return outbound.Outcome{Status: accepted}
		}
		lost := isLost(err)
		c.release(conn, !lost && ctx.Err() == nil)
		if lost && !fresh && ctx.Err() == nil {
			continue // the server closed the connection before the e-mail began
		}
		return outcomeOf(err)
	}
}

// send sends one e-mail. The end of ctx breaks the connection.
func (conn *connection) send(ctx context.Context, message *gomail.Msg) error {
	stop := context.AfterFunc(ctx, func() { _ = conn.net.Close() })
	defer stop()
	conn.mails++
	return conn.client.Send(message)
}

// connect returns an unused connection to a server, or a fresh one.
func (c *Client) connect(ctx context.Context, s Server) (conn *connection, fresh bool, err error) {
	if conn := c.take(s); conn != nil {
		return conn, false, nil
	}
	conn = &connection{server: s}
	conn.client, err = gomail.NewClient(s.Host, c.options(s, conn)...)
	if err != nil {
		return nil, false, err
	}
	if err = conn.client.DialWithContext(ctx); err != nil && conn.net != nil {
		_ = conn.net.Close() // the first error counts
	}
	return conn, true, err
}

func (c *Client) options(s Server, conn *connection) []gomail.Option {
	policy := gomail.TLSMandatory
	if s.Security != StartTLS {
		policy = gomail.TLSOpportunistic // with TLS, the connection is encrypted before the library sees it
	}
	encryption := &tls.Config{
		ServerName: s.Host, RootCAs: c.roots, MinVersion: tls.VersionTLS12,
		// Without credentials, an attacker could suppress STARTTLS as well as forge a certificate.
		InsecureSkipVerify: s.Security == Optional,
	}
	options := []gomail.Option{
		gomail.WithPort(s.Port), gomail.WithTimeout(c.timeout), gomail.WithTLSPolicy(policy),
		gomail.WithTLSConfig(encryption),
		gomail.WithDialContextFunc(func(ctx context.Context, network, _ string) (net.Conn, error) {
			return c.dial(ctx, network, s, encryption, conn)
		}),
	}
	if s.User != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(s.User), gomail.WithPassword(s.Password))
	}
	return options
}

func (c *Client) dial(ctx context.Context, network string, s Server, encryption *tls.Config, conn *connection) (
	net.Conn, error) {
	dialer := &net.Dialer{}
	if !s.Trusted {
		dialer = c.reach.Dialer()
	}
	raw, err := dialer.DialContext(ctx, network, net.JoinHostPort(s.Host, strconv.Itoa(s.Port)))
	if err != nil {
		return nil, err
	}
	conn.net = &limited{Conn: raw, left: maxAnswerBytes}
	if s.Security == TLS {
		secured := tls.Client(conn.net, encryption)
		return secured, secured.HandshakeContext(ctx)
	}
	return conn.net, nil
}

// take removes and returns an unused connection to a server, or nil.
func (c *Client) take(s Server) *connection {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for i := len(c.idle) - 1; i >= 0; i-- {
		conn := c.idle[i]
		if conn.server == s && c.clock().Sub(conn.used) < IdleTimeout {
			c.idle = append(c.idle[:i], c.idle[i+1:]...)
			return conn
		}
	}
	return nil
}

// release stores a connection for the next e-mail, or closes it.
func (c *Client) release(conn *connection, usable bool) {
	switch {
	case !usable:
		_ = conn.net.Close()
		return
	case conn.mails >= maxPerConnection:
		conn.close()
		return
	}
	conn.used = c.clock()
	c.mutex.Lock()
	c.idle = append(c.idle, conn)
	var extra *connection
	if len(c.idle) > IdleConnections {
		extra, c.idle = c.idle[0], c.idle[1:]
	}
	c.mutex.Unlock()
	if extra != nil {
		extra.close()
	}
	time.AfterFunc(IdleTimeout, func() { c.closeIdle(conn) })
}

// closeIdle closes a connection that was not used since it was released.
func (c *Client) closeIdle(conn *connection) {
	c.mutex.Lock()
	unused := false
	for i, one := range c.idle {
		if one == conn && c.clock().Sub(conn.used) >= IdleTimeout {
			c.idle, unused = append(c.idle[:i], c.idle[i+1:]...), true
			break
		}
	}
	c.mutex.Unlock()
	if unused {
		conn.close()
	}
}

// Close closes all unused connections.
func (c *Client) Close() {
	c.mutex.Lock()
	idle := c.idle
	c.idle = nil
	c.mutex.Unlock()
	for _, conn := range idle {
		conn.close()
	}
}

// close ends the session and the connection.
func (conn *connection) close() {
	_ = conn.client.Close() // waits for the answer of the server, until the deadline of the last e-mail
	_ = conn.net.Close()
}

var errTooMuch = errors.New("the server answers too much")

// limited is a connection on which the other side can send a number of bytes.
type limited struct {
	net.Conn
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errTooMuch
	}
	n, err := l.Conn.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
