package mail

import (
	"errors"
	"net/url"
	"strconv"
)

// How a connection is encrypted.
const (
	TLS      = "tls"      // from the beginning, with a certificate that is verified
	StartTLS = "starttls" // before anything is sent, with a certificate that is verified
	Optional = "optional" // if the server offers STARTTLS, with any certificate; without credentials only
)

// Securities lists the values of Server.Security.
var Securities = []string{StartTLS, TLS, Optional}

// Server is a server that takes mails. The zero value is none.
type Server struct {
	Host     string
	Port     int
	Security string
	User     string // empty: without authentication
	Password string
	// Trusted is a server that the operator configured: it may be at any address.
	Trusted bool
}

// DefaultPort returns the port for a kind of encryption.
func DefaultPort(security string) int {
	switch security {
	case TLS:
		return 465
	case StartTLS:
		return 587
	}
	return 25
}

var errServer = errors.New("an SMTP server is smtp://user:password@host:port, or smtps:// for TLS from the beginning")

// ParseServer reads a server from a URL. Credentials require encryption.
func ParseServer(text string) (s Server, err error) {
	u, err := url.Parse(text)
	if err != nil {
		return s, errServer // the cause would quote the password
	}
	s = Server{Host: u.Hostname(), Security: Optional, User: u.User.Username()}
	s.Password, _ = u.User.Password()
	switch {
	case u.Scheme == "smtps":
		s.Security = TLS
	case s.User != "":
		s.Security = StartTLS
	}
	s.Port = DefaultPort(s.Security)
	if port := u.Port(); port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return s, errServer
		}
		s.Port = int(n)
	}
	if u.Scheme != "smtp" && u.Scheme != "smtps" || s.Host == "" || u.Path != "" && u.Path != "/" ||
		u.RawQuery != "" || u.Fragment != "" || (s.User == "") != (s.Password == "") {
		return s, errServer
	}
	return s, nil
}
