// Package mailtest has a real SMTP server for tests, on loopback.
package mailtest

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// Mail is an e-mail that the server received.
type Mail struct {
	From, To string // of the envelope
	Header   mail.Header
	Subject  string // decoded
	Text     string // the plain part
	HTML     string
}

// Server is a running SMTP server.
type Server struct {
	Host     string
	Port     int
	Received chan Mail

	mutex       sync.Mutex
	refused     map[string]*smtp.SMTPError // by recipient
	content     *smtp.SMTPError            // refuses every content
	connections []*smtp.Conn

	user, password string
	smtp           *smtp.Server
}

// Option changes a server before it starts.
type Option func(s *Server)

// WithUser makes the server require a log-in.
func WithUser(user, password string) Option {
	return func(s *Server) { s.user, s.password = user, password }
}

// WithTLS makes the server offer STARTTLS.
func WithTLS(certificate tls.Certificate) Option {
	return func(s *Server) {
		s.smtp.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	}
}

// Start runs a server until the test ends.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return start(t, listener, options)
}

// StartTLS runs a server whose connections are encrypted from the beginning.
func StartTLS(t testing.TB, certificate tls.Certificate, options ...Option) *Server {
	t.Helper()
	listener, err := tls.Listen("tcp", "127.0.0.1:0",
		&tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	return start(t, listener, options)
}

func start(t testing.TB, listener net.Listener, options []Option) *Server {
	t.Helper()
	s := &Server{Host: "127.0.0.1", Received: make(chan Mail, 1000), refused: map[string]*smtp.SMTPError{}}
	s.smtp = smtp.NewServer(smtp.BackendFunc(s.session))
	s.smtp.Domain, s.smtp.ErrorLog = "mail.example", silent{}
	for _, option := range options {
		option(s)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err == nil {
		s.Port, err = strconv.Atoi(port)
	}
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { _ = s.smtp.Serve(listener) }) // ends by Close
	t.Cleanup(func() {
		_ = s.smtp.Close()
		_ = listener.Close() // Close does not know it if Serve did not begin yet
		running.Wait()
	})
	return s
}

// URL returns the address of the server for the flag --smtp.
func (s *Server) URL() string { return "smtp://" + net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// Next waits for an e-mail.
func (s *Server) Next(t testing.TB) Mail {
	t.Helper()
	select {
	case m := <-s.Received:
		return m
	case <-time.After(30 * time.Second):
		t.Fatal("no e-mail arrives")
		return Mail{}
	}
}

// Refuse makes the server refuse a recipient. A status of 0 accepts it again.
func (s *Server) Refuse(address string, status int, enhanced [3]int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if delete(s.refused, address); status != 0 {
		s.refused[address] = &smtp.SMTPError{Code: status, EnhancedCode: enhanced, Message: "refused, see http://192.5.1.1/"}
	}
}

// RefuseContent makes the server refuse every e-mail after its content. A status of 0 accepts them again.
func (s *Server) RefuseContent(status int, enhanced [3]int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.content = nil; status != 0 {
		s.content = &smtp.SMTPError{Code: status, EnhancedCode: enhanced, Message: "refused, see http://192.5.1.1/"}
	}
}

// Connections returns how many connections were opened.
func (s *Server) Connections() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.connections)
}

// CloseConnections breaks all connections. The server goes on.
func (s *Server) CloseConnections() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, c := range s.connections {
		_ = c.Conn().Close()
	}
}

// silent drops the log of the server.
type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

func (s *Server) session(c *smtp.Conn) (smtp.Session, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.connections = append(s.connections, c)
	return &session{server: s, open: s.user == ""}, nil
}

// session is one connection.
type session struct {
	server   *Server
	open     bool
	from, to string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.server.user || password != s.server.password {
			return errors.New("wrong password")
		}
		s.open = true
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if !s.open {
		return smtp.ErrAuthRequired
	}
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.server.mutex.Lock()
	defer s.server.mutex.Unlock()
	if refusal := s.server.refused[to]; refusal != nil {
		return refusal
	}
	s.to = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.server.mutex.Lock()
	refusal := s.server.content
	s.server.mutex.Unlock()
	if refusal != nil {
		return refusal
	}
	m, err := parseMail(text)
	if err != nil {
		return err
	}
	m.From, m.To = s.from, s.to
	s.server.Received <- m
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// parseMail parses an e-mail with alternatives.
func parseMail(text []byte) (m Mail, err error) {
	parsed, err := mail.ReadMessage(bytes.NewReader(text))
	if err != nil {
		return m, err
	}
	m.Header = parsed.Header
	if m.Subject, err = new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject")); err != nil {
		return m, err
	}
	_, parameters, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil {
		return m, err
	}
	parts := multipart.NewReader(parsed.Body, parameters["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return m, err
		}
		decoded, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return m, err
		}
		body := strings.ReplaceAll(string(decoded), "\r\n", "\n")
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			m.HTML = body
		} else {
			m.Text = body
		}
	}
}
