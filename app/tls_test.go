package app_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"punchcard/app"
	"punchcard/app/servertest"
)

// authority issues certificates for tests.
type authority struct {
	t           *testing.T
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	serial      int64
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, key: newKey(t), serial: 1}
	a.certificate = a.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: "Test authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	}, nil, a.key)
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sign makes a certificate for the key. Without a parent it signs itself.
func (a *authority) sign(template, parent *x509.Certificate, key *ecdsa.PrivateKey) *x509.Certificate {
	a.t.Helper()
	a.serial++
	template.SerialNumber = big.NewInt(a.serial)
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	if parent == nil {
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return certificate
}

// issue writes a new certificate for 127.0.0.1 with its key, and returns its serial number.
func (a *authority) issue(certFile, keyFile string) (serial int64) {
	a.t.Helper()
	key := newKey(a.t)
	certificate := a.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: "Punchcard"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.certificate, key)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	a.write(keyFile, "PRIVATE KEY", der)
	a.write(certFile, "CERTIFICATE", certificate.Raw)
	return a.serial
}

func (a *authority) write(file, kind string, der []byte) {
	a.t.Helper()
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// client trusts the authority, and makes a connection for each request.
func (a *authority) client() *http.Client {
	trusted := x509.NewCertPool()
	trusted.AddCert(a.certificate)
	return &http.Client{
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: trusted}, DisableKeepAlives: true, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// freePort returns a port that was free a moment ago.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// A server with a certificate serves HTTPS and redirects from HTTP. It uses a renewed certificate without a restart,
// and keeps the former one while the new files do not match.
func TestCertificateFiles(t *testing.T) {
	t.Parallel()
	authority, folder := newAuthority(t), t.TempDir()
	certFile, keyFile := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	first := authority.issue(certFile, keyFile)
	plain := freePort(t)
	base := servertest.StartServer(t, "sqlite", func(c *app.Config) {
		c.TLSCert, c.TLSKey, c.RedirectListen = certFile, keyFile, plain
	})
	if !strings.HasPrefix(base, "https://127.0.0.1:") {
		t.Fatal(base)
	}
	client := authority.client()
	presented := func() int64 {
		t.Helper()
		response, err := client.Get(base + "/api/healthcheck")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode != 204 || response.TLS.Version < tls.VersionTLS12 {
			t.Errorf("%d with TLS %x", response.StatusCode, response.TLS.Version)
		}
		return response.TLS.PeerCertificates[0].SerialNumber.Int64()
	}
	if got := presented(); got != first {
		t.Errorf("certificate %d, want %d", got, first)
	}
	second := authority.issue(certFile, keyFile)
	if got := presented(); got != second {
		t.Errorf("after the renewal: certificate %d, want %d", got, second)
	}
	if err := os.WriteFile(keyFile, []byte("not a key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := presented(); got != second {
		t.Errorf("with a broken key: certificate %d, want %d", got, second)
	}
	response, err := client.Get("http://" + plain + "/till?scan=1")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got := response.Header.Get("Location"); response.StatusCode != 302 || got != base+"/till?scan=1" {
		t.Errorf("%d to %s", response.StatusCode, got)
	}
	for method, path := range map[string]string{"POST": "/api/admin/login_check", "GET": "/api/me"} {
		request, err := http.NewRequestWithContext(t.Context(), method, "http://"+plain+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		refused, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = refused.Body.Close()
		if refused.StatusCode != 400 {
			t.Errorf("%s %s without TLS: %d", method, path, refused.StatusCode)
		}
	}
}

// Connection limits and draining also apply to HTTPS: a connection beyond the limit is closed, even if its client never
// begins the handshake, and a stopping server closes idle connections.
func TestLimitsOfHTTPS(t *testing.T) {
	t.Parallel()
	authority, folder := newAuthority(t), t.TempDir()
	certFile, keyFile := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	authority.issue(certFile, keyFile)
	config := servertest.PlainConfig(servertest.Database(t, "sqlite"))
	config.TLSCert, config.TLSKey, config.MaxConnections = certFile, keyFile, 2
	base, stop := servertest.RunUntil(t, config, servertest.Log(t))
	address := strings.TrimPrefix(base, "https://")
	trusted := authority.client().Transport.(*http.Transport).TLSClientConfig
	silent, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	open, err := tls.Dial("tcp", address, trusted)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	for range 2 { // the second must not wait for the first
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := (&tls.Dialer{Config: trusted}).DialContext(ctx, "tcp", address)
		if err == nil || ctx.Err() != nil {
			t.Errorf("a connection beyond the limit: %v", err)
		}
		cancel()
	}
	if _, err := fmt.Fprint(open, "GET /api/healthcheck HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(open), nil)
	if err != nil || response.StatusCode != 204 {
		t.Fatalf("%v %v", response, err)
	}
	began := time.Now()
	stop()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the server stopped after %v", took)
	}
	if _, err := open.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is open after the stop")
	}
}

// Over HTTPS the server chooses HTTP/1.1 even if the client offers HTTP/2. Events arrive while a stream is open, and
// headers beyond the limit are refused.
func TestRequestsOverHTTPS(t *testing.T) {
	t.Parallel()
	authority, folder := newAuthority(t), t.TempDir()
	certFile, keyFile := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	authority.issue(certFile, keyFile)
	base := servertest.StartServer(t, "sqlite", func(c *app.Config) { c.TLSCert, c.TLSKey = certFile, keyFile })
	client := authority.client()
	do := func(method, path, token, body string, more ...string) *http.Response {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+token)
		for i := 0; i < len(more); i += 2 {
			request.Header.Set(more[i], more[i+1])
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = response.Body.Close() })
		if response.ProtoMajor != 1 || response.TLS.NegotiatedProtocol != "http/1.1" {
			t.Errorf("%s: %s over %q", path, response.Proto, response.TLS.NegotiatedProtocol)
		}
		return response
	}
	var answer struct{ Token string }
	login := do("POST", "/api/admin/login_check", "", `{"username":"admin","password":"open"}`)
	if err := json.NewDecoder(login.Body).Decode(&answer); err != nil || login.StatusCode != 200 {
		t.Fatalf("log-in: %d %v", login.StatusCode, err)
	}
	stream := do("GET", "/api/event/stream?fromId=1", answer.Token, "")
	line, err := bufio.NewReader(stream.Body).ReadString('\n')
	if err != nil || stream.StatusCode != 200 || line == "" {
		t.Errorf("the stream: %d %q %v", stream.StatusCode, line, err)
	}
	long := do("GET", "/api/", "", "", "X-Long", strings.Repeat("x", 80<<10))
	if long.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("headers of 80 KiB: %d", long.StatusCode)
	}
}

// --tls-domain refuses other names, leaves challenges to ACME and redirects the rest. A real order needs a certificate
// authority, which tests do not have.
func TestDomain(t *testing.T) {
	t.Parallel()
	plain := freePort(t)
	data := servertest.Database(t, "sqlite")
	config := servertest.PlainConfig(data)
	config.TLSDomain, config.TLSDirectory = []string{"loyalty.example"}, "http://"+freePort(t)
	config.RedirectListen = plain
	base := servertest.Run(t, config)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(base, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = tls.Dial("tcp", "127.0.0.1:"+port, &tls.Config{ServerName: "other.example"})
	if err == nil {
		t.Error("another name has a certificate")
	}
	for path, want := range map[string]int{"/.well-known/acme-challenge/x": 404, "/me": 302} {
		request, err := http.NewRequest("GET", "http://"+plain+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "loyalty.example"
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: %d", path, response.StatusCode)
		}
		if to := response.Header.Get("Location"); want == 302 && to != "https://loyalty.example:"+port+"/me" {
			t.Errorf("redirected to %s", to)
		}
	}
}

// A start with contradictory settings fails and names them.
func TestSettingsOfHTTPS(t *testing.T) {
	t.Parallel()
	for want, edit := range map[string]func(*app.Config){
		"--tls-cert and --tls-key":    func(c *app.Config) { c.TLSCert = "cert.pem" },
		"exclude each other":          func(c *app.Config) { c.TLSDomain, c.TLSKey = []string{"x.example"}, "key.pem" },
		"--redirect-listen needs":     func(c *app.Config) { c.RedirectListen = "127.0.0.1:0" },
		"stat none.pem: no such file": func(c *app.Config) { c.TLSCert, c.TLSKey = "none.pem", "none.pem" },
	} {
		config := servertest.PlainConfig(servertest.Database(t, "sqlite"))
		edit(&config)
		var output strings.Builder
		err := app.Serve(t.Context(), config, &output, &output)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}
