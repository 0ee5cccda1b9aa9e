// Package app connects all features to the server and the commands: jobs.go lists the jobs, features.go the endpoints,
// parts.go what features need of the program, events.go the events, config.go the flags.
package app

import (
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"path/filepath"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

// Database holds the settings of the data's place. Each field is a flag and an environment variable PUNCHCARD_<NAME>.
type Database struct {
	Data     string `default:"./data" help:"Folder of the data: the SQLite file."`
	Database string `placeholder:"postgres://…" help:"PostgreSQL address; empty means SQLite in the data folder."`
	Log      string `default:"info" enum:"debug,info,warn,error" help:"Minimum severity of the log."`

	LogFormat    string        `default:"json" enum:"json,text" help:"Lines of the log: JSON objects or text."`
	DatabaseWait time.Duration `default:"1m" help:"How long to wait at the start for PostgreSQL to accept connections."`
}

// Config configures the server. Each field is a flag and an environment variable PUNCHCARD_<NAME>.
type Config struct {
	Database
	TLS

	Listen         string        `default:"127.0.0.1:8080" help:"Address to serve on."`
	NATS           string        `name:"nats" placeholder:"nats://…" help:"Message queue for events; none by default."`
	Demo           bool          `help:"Load the demonstration into an empty database; web hooks may call loopback."`
	ResultWindow   int           `default:"10000" help:"Last position of a list that can be reached."`
	MaxInFlight    int           `default:"4096" help:"Requests in flight; one more gets a 503."`
	MaxConnections int           `default:"8192" help:"Open connections; one more gets a 503 and is closed."`
	Drain          time.Duration `default:"20s" help:"How long requests in flight may take when the server stops."`
	Timeout        time.Duration `default:"30s" help:"Longest time of a request, or of a step of an export."`
	TokenLife      time.Duration `default:"24h" help:"Lifetime of an access token."`
	RefreshLife    time.Duration `default:"720h" help:"Lifetime of a refresh token, extended at each use."`
	MasterKey      string        `help:"Permanent token that acts as a super administrator named api."`
	AdminPassword  string        `help:"Password of the first administrator; empty: a link to the set-up is printed."`
	StepUpPoints   int64         `default:"10000" help:"Points that need a second factor to move; 0 for none."`
	AllowedOrigin  []string      `help:"Origins that browsers may call from; all by default."`

	TrustedProxy []netip.Prefix `placeholder:"10.0.0.0/8,…" help:"Networks of proxies whose X-Forwarded-For is trusted."`
	HSTS         time.Duration  `name:"hsts" help:"For how long browsers shall use HTTPS only; for servers with HTTPS."`
	// MaxConnectionsPerClient counts requests of a client that comes through a trusted proxy.
	MaxConnectionsPerClient int `default:"2048" help:"Open connections of one client; one more gets a 503."`
	Rates

	WebhookRetention      time.Duration `default:"720h" help:"How long finished deliveries of web hooks are stored."`
	NotificationRetention time.Duration `default:"8760h" help:"How long notifications of customers are stored."`
	AuditRetention        time.Duration `default:"43800h" help:"How long entries of the audit log are stored; 0 for ever."`
	AllowPrivateAddresses bool          `help:"Let web hooks and the like call private networks; never link-local ones."`

	PublicURL string `name:"public-url" placeholder:"https://…" help:"Base of links in messages, also set by stores."`
	// The user and the password of the URL need encryption: STARTTLS with smtp, TLS with smtps.
	SMTP     string `name:"smtp" placeholder:"smtp://…" help:"Mail server, smtp(s)://user:password@host:port."`
	MailFrom string `help:"Address that e-mails through --smtp come from."`

	MessageRetention   time.Duration `default:"720h" help:"How long messages are listed after they were sent."`
	MessagesPerHour    int           `default:"5000" help:"Messages that a store sends in an hour."`
	MessagesPerAddress int           `default:"20" help:"Messages that one address gets in an hour."`

	ReceiptsAhead          time.Duration `default:"24h" help:"How far in the future a receipt may be dated; 0 for any."`
	MessagesPerUnconfirmed int           `default:"10" help:"Messages that an unconfirmed address gets in a day."`

	ReservationsPerCaller int `default:"100" help:"Open reservations of one administrator, seller or API key."`

	IdempotencyLife time.Duration `default:"168h" help:"How long responses to an Idempotency-Key are stored, at least."`

	OTLP string `name:"otlp" placeholder:"http://…" help:"Collector of traces (OTLP over HTTP); also by OTEL_ variables."`

	MetricsToken  string        `help:"Bearer token that reads /metrics, 16 characters or more; empty for no metrics."`
	RelayLagLimit time.Duration `default:"5m" help:"How long events may wait to be published in good health."`
	Replication

	Kinds Kinds            `kong:"-"`
	Clock func() time.Time `kong:"-"` // nil means the system clock
	// Trace receives every statement, for tests of plans.
	Trace func(query string, args []any) `kong:"-"`
	// BeforeCommit runs before each commit, for tests that simulate a slow disk.
	BeforeCommit func() `kong:"-"`
	// OnCommit runs after each commit, for tests that wait for work in the background. It must not block.
	OnCommit func() `kong:"-"`
}

// reach is where addresses that users configure may be. The log-ins of the demonstration are public, so it allows only
// loopback, where receivers can be tried.
func (c *Config) reach() outbound.Reach {
	switch {
	case c.AllowPrivateAddresses:
		return outbound.Private
	case c.Demo:
		return outbound.Loopback
	}
	return outbound.Public
}

// file is the SQLite file.
func (c *Database) file() string { return filepath.Join(c.Data, databaseName) }

func (c *Database) open(log *slog.Logger) db.Config {
	return db.Config{URL: c.Database, File: c.file(), Log: log, Program: Version, Wait: c.DatabaseWait}
}

func (c *Config) open(log *slog.Logger) db.Config {
	opened := c.Database.open(log)
	opened.Clock, opened.Trace, opened.BeforeCommit = c.Clock, c.Trace, c.BeforeCommit
	return opened
}

// now is the time of the server's clock.
func (c *Config) now() time.Time {
	if c.Clock != nil {
		return c.Clock()
	}
	return time.Now()
}

func (c *Database) logger(to io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Log)); err != nil {
		return nil, fmt.Errorf("--log: %w", err)
	}
	options := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "text" {
		return slog.New(slog.NewTextHandler(to, options)), nil
	}
	return slog.New(slog.NewJSONHandler(to, options)), nil
}
