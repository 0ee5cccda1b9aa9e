package mail_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/platform/mail"
	"punchcard/platform/mail/mailtest"
	"punchcard/platform/outbound"
)

var noon = time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)

func letter(to string) *mail.Mail {
	return &mail.Mail{
		ID: "0190", From: "shop@example.com", FromName: "The Shop", To: to, Subject: "Witaj, Żaneto!", At: noon,
		Text: "Hello,\nopen https://loyalty.example/me/SHOP/activate/a.\n\n1 < 2 & \"so\" on\n",
	}
}

func newClient(t *testing.T, c mail.Config) *mail.Client {
	t.Helper()
	if c.Clock == nil {
		c.Clock = time.Now
	}
	client := mail.NewClient(c)
	t.Cleanup(client.Close)
	return client
}

func serverOf(s *mailtest.Server) mail.Server {
	return mail.Server{Host: s.Host, Port: s.Port, Security: mail.Optional}
}

// certificate returns a certificate for 127.0.0.1, and the pool that trusts it.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return server.TLS.Certificates[0], roots
}

func TestHeadersAndBodies(t *testing.T) {
	server := mailtest.Start(t)
	client := newClient(t, mail.Config{Reach: outbound.Loopback})
	m := letter("ida@example.org")
	m.ReplyTo, m.Unsubscribe = "help@example.com", "https://loyalty.example/unsubscribe/a"
	if o := client.Send(t.Context(), serverOf(server), m); !o.OK() || o.Status != 250 {
		t.Fatalf("%+v", o)
	}
	got := server.Next(t)
	if got.From != "shop@example.com" || got.To != "ida@example.org" || got.Subject != m.Subject || got.Text != m.Text {
		t.Errorf("received %+v", got)
	}
	for name, want := range map[string]string{
		"Message-Id": "<0190@example.com>", "From": `"The Shop" <shop@example.com>`, "To": "<ida@example.org>",
		"Reply-To": "<help@example.com>", "Date": "Thu, 17 Apr 2031 12:00:00 +0000", "Auto-Submitted": "auto-generated",
		"List-Unsubscribe":      "<https://loyalty.example/unsubscribe/a>",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "User-Agent": "", "X-Mailer": "",
	} {
		if header := got.Header.Get(name); header != want {
			t.Errorf("%s: %q, want %q", name, header, want)
		}
	}
	const want = `<p dir="auto">Hello,<br>
open <a href="https://loyalty.example/me/SHOP/activate/a">https://loyalty.example/me/SHOP/activate/a</a>.</p>
<p dir="auto">1 &lt; 2 &amp; &#34;so&#34; on</p>
`
	if !strings.Contains(got.HTML, want) {
		t.Errorf("HTML: %s", cmp.Diff(want, got.HTML))
	}
}

// TestNamesOfSenders shows that every name of a sender arrives as it is.
func TestNamesOfSenders(t *testing.T) {
	server := mailtest.Start(t)
	client := newClient(t, mail.Config{Reach: outbound.Loopback})
	for name, want := range map[string]string{
		`12" Pizza`: "", `Tea "House`: "", `Tea\`: "", `\"`: "", `"Tea"`: "", `Müller, Söhne & "Co"`: "", "": "",
		"茶 <tea>": "", "a@b.example": "", "(tea)": "",
		"Tea: shop; et al.": "", "Tea\r\nBcc: eve@example.org": "Tea  Bcc: eve@example.org",
		strings.Repeat(`ż"\`, 85): "", strings.Repeat(`"`, 255): "",
	} {
		if want == "" {
			want = name
		}
		m := letter("ida@example.org")
		m.FromName = name
		if o := client.Send(t.Context(), serverOf(server), m); !o.OK() {
			t.Errorf("%q: %+v", name, o)
			continue
		}
		from, err := server.Next(t).Header.AddressList("From")
		if err != nil || len(from) != 1 || from[0].Name != want || from[0].Address != "shop@example.com" {
			t.Errorf("%q: from %v, %v", name, from, err)
		}
	}
}

// TestFaultsOfSender shows that an address of the sender that is not valid says nothing about the recipient, and that
// attempts go on until it is corrected.
func TestFaultsOfSender(t *testing.T) {
	client := newClient(t, mail.Config{Reach: outbound.Loopback})
	from, answers := letter("ida@example.org"), letter("ida@example.org")
	from.From, answers.ReplyTo = "shop", "help"
	for _, m := range []*mail.Mail{from, answers} {
		if o := client.Send(t.Context(), mail.Server{}, m); o.OK() || o.Hopeless || o.Gone {
			t.Errorf("from %q, answers to %q: %+v", m.From, m.ReplyTo, o)
		}
	}
}

// TestNoInjection shows that no text of an e-mail adds a header or a recipient.
func TestNoInjection(t *testing.T) {
	server := mailtest.Start(t)
	client := newClient(t, mail.Config{Reach: outbound.Loopback})
	m := letter("ida@example.org")
	m.Subject, m.FromName = "Hi\r\nBcc: eve@example.org\r\n\r\nbody", "Shop\r\nBcc: eve@example.org"
	m.Unsubscribe = "https://a\r\nBcc: eve@example.org"
	if o := client.Send(t.Context(), serverOf(server), m); !o.OK() {
		t.Fatalf("%+v", o)
	}
	if got := server.Next(t); got.Header.Get("Bcc") != "" || !strings.HasPrefix(got.Text, "Hello") {
		t.Errorf("received %+v", got)
	}
	for _, to := range []string{
		"", "ida", "a@b.example, c@d.example", "Ida <ida@example.org>", "ida@example.org\r\nRCPT TO:<eve@example.org>",
		"ida@example.org>\r\n", strings.Repeat("a", 250) + "@example.org",
	} {
		if o := client.Send(t.Context(), serverOf(server), letter(to)); !o.Hopeless || !o.Gone {
			t.Errorf("to %q: %+v", to, o)
		}
	}
}

// TestConnectionsAreReused shows that e-mails share connections, and that a broken one is replaced.
func TestConnectionsAreReused(t *testing.T) {
	server := mailtest.Start(t)
	client := newClient(t, mail.Config{Reach: outbound.Loopback})
	send := func() {
		t.Helper()
		if o := client.Send(t.Context(), serverOf(server), letter("ida@example.org")); !o.OK() {
			t.Fatalf("%+v", o)
		}
		server.Next(t)
	}
	for range 120 {
		send()
	}
	if n := server.Connections(); n != 2 { // a connection carries 100
		t.Errorf("%d connections", n)
	}
	server.CloseConnections()
	send()
	if n := server.Connections(); n != 3 {
		t.Errorf("%d connections", n)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(send)
	}
	all.Wait()
}

func TestEncryption(t *testing.T) {
	signed, roots := certificate(t)
	offering := mailtest.Start(t, mailtest.WithTLS(signed), mailtest.WithUser("shop", "secret-word"))
	plain := mailtest.Start(t)
	encrypted := mailtest.StartTLS(t, signed, mailtest.WithUser("shop", "secret-word"))
	for _, c := range []struct {
		name                     string
		to                       *mailtest.Server
		security, user, password string
		roots                    *x509.CertPool
		sent                     bool
	}{
		{"STARTTLS", offering, mail.StartTLS, "shop", "secret-word", roots, true},
		{"TLS", encrypted, mail.TLS, "shop", "secret-word", roots, true},
		{"a wrong password", offering, mail.StartTLS, "shop", "other", roots, false},
		{"an unknown authority", offering, mail.StartTLS, "shop", "secret-word", nil, false},
		{"an unknown authority with TLS", encrypted, mail.TLS, "shop", "secret-word", nil, false},
		{"no STARTTLS", plain, mail.StartTLS, "", "", roots, false},
		{"TLS to a plain server", plain, mail.TLS, "", "", roots, false},
		{"plain", plain, mail.Optional, "", "", nil, true},
		{"no credentials", offering, mail.Optional, "", "", nil, false},
	} {
		client := newClient(t, mail.Config{Reach: outbound.Loopback, Roots: c.roots, Timeout: 2 * time.Second})
		o := client.Send(t.Context(), mail.Server{
			Host: c.to.Host, Port: c.to.Port, Security: c.security, User: c.user, Password: c.password,
		}, letter("ida@example.org"))
		if o.OK() != c.sent || o.Gone || o.Hopeless || strings.Contains(o.Problem, "secret-word") {
			t.Errorf("%s: %+v", c.name, o)
		}
		if c.sent {
			c.to.Next(t)
		}
	}
}

// TestReach shows that servers of stores are called within reach only, and that of the operator anywhere.
func TestReach(t *testing.T) {
	server := mailtest.Start(t)
	client := newClient(t, mail.Config{Reach: outbound.Public})
	to := serverOf(server)
	if o := client.Send(t.Context(), to, letter("ida@example.org")); o.OK() ||
		o.Problem != "connecting: "+outbound.ErrRefused.Error() || o.Hopeless {
		t.Errorf("%+v", o)
	}
	to.Trusted = true
	if o := client.Send(t.Context(), to, letter("ida@example.org")); !o.OK() {
		t.Errorf("%+v", o)
	}
}

// TestCancelledContext shows that the end of the context ends an attempt.
func TestCancelledContext(t *testing.T) {
	server := mailtest.Start(t)
	client := newClient(t, mail.Config{Reach: outbound.Loopback})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if o := client.Send(ctx, serverOf(server), letter("ida@example.org")); o.OK() || o.Hopeless {
		t.Errorf("%+v", o)
	}
}

func TestParseServer(t *testing.T) {
	for text, want := range map[string]mail.Server{
		"smtp://localhost": {Host: "localhost", Port: 25, Security: mail.Optional},
		"smtp://a:b%40@mail.example": {
			Host: "mail.example", Port: 587, Security: mail.StartTLS, User: "a", Password: "b@",
		},
		"smtps://a:b@mail.example": {
			Host: "mail.example", Port: 465, Security: mail.TLS, User: "a", Password: "b",
		},
		"smtps://mail.example:2465/":           {Host: "mail.example", Port: 2465, Security: mail.TLS},
		"":                                     {},
		"mail.example:25":                      {},
		"http://mail.example":                  {},
		"smtp://a@mail.example":                {},
		"smtp://mail.example:0":                {},
		"smtp://mail.example?security=none":    {},
		"smtp://user:pass%zzword@mail.example": {},
	} {
		got, err := mail.ParseServer(text)
		if (err == nil) != (want.Host != "") || err == nil && got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "zzword") {
			t.Errorf("%q: the error quotes the password", text)
		}
	}
}

// Servers need not know Unicode: domains are in ASCII, and odd local parts in quotation marks.
func TestAddressesOnTheWay(t *testing.T) {
	server := mailtest.Start(t)
	client := newClient(t, mail.Config{Reach: outbound.Loopback})
	for to, want := range map[string]string{
		"ida@müller.example": "ida@xn--mller-kva.example", "a..b@docomo.example": "a..b@docomo.example",
	} {
		m := letter(to)
		m.From, m.ReplyTo = "shop@müller.example", "help@müller.example"
		if o := client.Send(t.Context(), serverOf(server), m); !o.OK() {
			t.Fatalf("%s: %+v", to, o)
		}
		got := server.Next(t)
		if got.From != "shop@xn--mller-kva.example" || got.To != want {
			t.Errorf("from %s to %s, want %s", got.From, got.To, want)
		}
		written := map[string]string{"ida@müller.example": "<" + want + ">", "a..b@docomo.example": `<"a..b"@docomo.example>`}
		for name, want := range map[string]string{
			"Message-Id": "<0190@xn--mller-kva.example>", "From": `"The Shop" <shop@xn--mller-kva.example>`,
			"Reply-To": "<help@xn--mller-kva.example>", "To": written[to],
		} {
			if header := got.Header.Get(name); header != want {
				t.Errorf("%s: %q, want %q", name, header, want)
			}
		}
	}
}
