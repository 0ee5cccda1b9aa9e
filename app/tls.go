package app

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
	_ "golang.org/x/crypto/x509roots/fallback" // for images that have no certificates of authorities

	"punchcard/platform/web"
)

// certificatesName is the folder of the certificates of --tls-domain in the data folder, with their keys.
const certificatesName = "certificates"

// TLS holds the settings of the server's certificate. Without one it speaks HTTP.
type TLS struct {
	TLSCert        string   `name:"tls-cert" placeholder:"FILE" help:"Certificate and chain, PEM; read again if changed."`
	TLSKey         string   `name:"tls-key" placeholder:"FILE" help:"Key of --tls-cert, PEM; read again if changed."`
	TLSDomain      []string `name:"tls-domain" placeholder:"NAME,…" help:"Get certificates of these names by ACME."`
	TLSDirectory   string   `name:"tls-directory" placeholder:"https://…" help:"ACME directory; empty: Let's Encrypt."`
	RedirectListen string   `placeholder:":80" help:"Address that redirects to HTTPS; :80 with --tls-domain."`
}

// encryption holds the TLS configuration that --tls-cert and --tls-domain give the server.
type encryption struct {
	config   *tls.Config  // nil for HTTP
	address  string       // of the redirect; empty for none
	redirect http.Handler // also answers challenges of ACME

	certificate *web.Certificate // of --tls-cert
}

func (e encryption) scheme() string {
	if e.config == nil {
		return "http"
	}
	return "https"
}

// encryption checks the settings and reads the certificate. The address is where the server listens.
func (c *Config) encryption(address string, log *slog.Logger) (encryption, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return encryption{}, err
	}
	redirect := web.RedirectToHTTPS(port)
	switch {
	case len(c.TLSDomain) > 0 && (c.TLSCert != "" || c.TLSKey != ""):
		return encryption{}, errors.New("--tls-domain and --tls-cert exclude each other")
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return encryption{}, errors.New("--tls-cert and --tls-key need each other")
	case c.TLSCert != "":
		certificate, err := web.LoadCertificate(c.TLSCert, c.TLSKey, log)
		if err != nil {
			return encryption{}, fmt.Errorf("--tls-cert %s, --tls-key %s: %w", c.TLSCert, c.TLSKey, err)
		}
		config := &tls.Config{
			GetCertificate: certificate.Get, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		}
		return encryption{config, c.RedirectListen, redirect, certificate}, nil
	case len(c.TLSDomain) > 0:
		manager := &autocert.Manager{
			Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(c.TLSDomain...),
			Cache: autocert.DirCache(filepath.Join(c.Data, certificatesName)),
			Client: &acme.Client{
				DirectoryURL: cmp.Or(c.TLSDirectory, autocert.DefaultACMEDirectory), UserAgent: "Punchcard/" + Version,
			},
		}
		config := manager.TLSConfig()
		config.MinVersion, config.NextProtos = tls.VersionTLS12, []string{"http/1.1", acme.ALPNProto}
		return encryption{config, cmp.Or(c.RedirectListen, ":80"), manager.HTTPHandler(redirect), nil}, nil
	case c.RedirectListen != "":
		return encryption{}, errors.New("--redirect-listen needs --tls-cert or --tls-domain")
	}
	return encryption{}, nil
}

// redirect serves the redirect to HTTPS until ctx ends, if there is one.
func (s *server) redirect(ctx context.Context, running *sync.WaitGroup, e encryption) error {
	if e.address == "" {
		return nil
	}
	listener, err := net.Listen("tcp", e.address)
	if err != nil {
		return fmt.Errorf("--redirect-listen: %w", err)
	}
	s.log.Info("redirecting to HTTPS", "address", listener.Addr().String())
	running.Go(func() {
		err := web.Serve(ctx, listener, e.redirect, web.ServerConfig{
			Log: s.log, MaxConnections: s.config.MaxConnections, MaxPerClient: s.config.MaxConnectionsPerClient,
			TrustedProxies: s.config.TrustedProxy,
		})
		if err != nil {
			s.log.Error("the redirect to HTTPS ended", "error", err)
		}
	})
	return nil
}
