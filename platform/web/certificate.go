package web

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Certificate is a TLS certificate in two files. It is read again after they change, so that a renewed certificate
// needs no restart.
type Certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mutex   sync.Mutex
	current *tls.Certificate
	version [2]fileVersion // of the files when they were last read
}

// fileVersion changes when a file is written.
type fileVersion struct {
	modified time.Time
	size     int64
}

// LoadCertificate reads a certificate with its chain, and its key, from PEM files.
func LoadCertificate(certFile, keyFile string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile, log: log}
	version, err := c.stat()
	if err != nil {
		return nil, err
	}
	loaded, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, err
	}
	c.current, c.version = &loaded, version
	return c, nil
}

func (c *Certificate) stat() (version [2]fileVersion, err error) {
	for i, name := range []string{c.certFile, c.keyFile} {
		info, err := os.Stat(name)
		if err != nil {
			return version, err
		}
		version[i] = fileVersion{info.ModTime(), info.Size()}
	}
	return version, nil
}

// Get returns the certificate for a handshake. While changed files cannot be used, such as between the writing of the
// one and the other, it returns the former certificate. The log says so once for each change.
func (c *Certificate) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	version, err := c.stat()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if version == c.version {
		return c.current, nil
	}
	c.version = version
	var loaded tls.Certificate
	if err == nil {
		loaded, err = tls.LoadX509KeyPair(c.certFile, c.keyFile)
	}
	if err != nil {
		c.log.Warn("the changed TLS certificate cannot be used; the former one stays", "error", err)
		return c.current, nil
	}
	c.log.Info("the TLS certificate was read again", "file", c.certFile)
	c.current = &loaded
	return c.current, nil
}

// End returns when the certificate that was last used ends.
func (c *Certificate) End() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.current.Leaf.NotAfter
}

// RedirectToHTTPS sends browsers to the same address with HTTPS, at a port. It refuses other requests, because their
// bodies have been sent in the clear already, and those to the API, because programs would go on sending tokens so.
func RedirectToHTTPS(port string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page := r.Method == http.MethodGet || r.Method == http.MethodHead
		if !page || r.URL.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/") {
			http.Error(w, "Use HTTPS.", http.StatusBadRequest)
			return
		}
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.TrimSuffix(net.JoinHostPort(strings.Trim(host, "[]"), port), ":443")
		http.Redirect(w, r, "https://"+host+r.URL.RequestURI(), http.StatusFound)
	})
}
