package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// parse parses a command line, and returns the settings of the server.
func parse(t *testing.T, arguments ...string) (*commands, error) {
	t.Helper()
	c := &commands{}
	parser, err := kong.New(c, options(t.Context())...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(arguments)
	return c, err
}

func fileWith(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A setting comes from the command line, else from a variable, else from the file of a secret, else from the
// configuration file.
func TestConfigurationFile(t *testing.T) {
	file := fileWith(t, "listen = \"127.0.0.1:1\"\ndrain = \"5s\"\nmax-in-flight = 7\ndemo = true\n"+
		"allowed-origin = [\"https://a.example\", \"https://b.example\"]\nmetrics-token = \"of the configuration file\"\n")
	t.Setenv("PUNCHCARD_CONFIG", file)
	t.Setenv("PUNCHCARD_DRAIN", "6s")
	t.Setenv("PUNCHCARD_METRICS_TOKEN_FILE", fileWith(t, "of a file of its own\n"))
	c, err := parse(t, "serve", "--max-in-flight", "9")
	if err != nil {
		t.Fatal(err)
	}
	s := c.Serve
	if s.Listen != "127.0.0.1:1" || s.Drain != 6*time.Second || s.MaxInFlight != 9 || !s.Demo ||
		strings.Join(s.AllowedOrigin, " ") != "https://a.example https://b.example" ||
		s.MetricsToken != "of a file of its own" || s.Timeout != 30*time.Second {
		t.Errorf("%+v", s.Config)
	}
}

func TestWrongConfiguration(t *testing.T) {
	for name, c := range map[string]struct {
		file, variable, value, want string
	}{
		"unknown setting": {file: "lisen = \"x\"", want: "unknown setting: lisen"},
		"not TOML":        {file: "listen", want: "--config"},
		// Other commands have a flag of this name.
		"a table":          {file: "[server]\nlisten = \"x\"", want: "the table server"},
		"a used name":      {file: "[listen]\nx = 1", want: "the table listen"},
		"several tables":   {file: "[[listen]]\nx = 1", want: "the table listen"},
		"an inline table":  {file: "listen = {x = 1}", want: "the table listen"},
		"a list of tables": {file: "allowed-origin = [{x = 1}]", want: "the table allowed-origin"},
		"a dotted name":    {file: "server.listen = 1", want: "the table server"},
		"wrong type":       {file: "drain = \"soon\"", want: "drain"},
		"not a secret":     {variable: "PUNCHCARD_LISTEN_FILE", value: "x", want: "only secrets"},
		"no file":          {variable: "PUNCHCARD_MASTER_KEY_FILE", value: "/nowhere", want: "PUNCHCARD_MASTER_KEY_FILE"},
		"no configuration": {variable: "PUNCHCARD_CONFIG", value: "/nowhere", want: "--config"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.variable != "" {
				t.Setenv(c.variable, c.value)
			} else {
				t.Setenv("PUNCHCARD_CONFIG", fileWith(t, c.file))
			}
			if _, err := parse(t, "serve"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	t.Run("both", func(t *testing.T) {
		t.Setenv("PUNCHCARD_SMTP", "smtp://a")
		t.Setenv("PUNCHCARD_SMTP_FILE", "b")
		if _, err := parse(t, "serve"); err == nil || !strings.Contains(err.Error(), "both set") {
			t.Error(err)
		}
	})
}

// What punchcard config prints has no secrets, and is a configuration file itself.
func TestPrintedConfiguration(t *testing.T) {
	t.Setenv("PUNCHCARD_DATABASE", "postgres://user:hunter2@db.example/loyalty?sslmode=require&password=hunter2")
	t.Setenv("PUNCHCARD_OTLP", "https://me:hunter2@traces.example/v1?api-key=hunter2")
	t.Setenv("PUNCHCARD_NATS", "nats://hunter2@queue.example:4222")
	t.Setenv("PUNCHCARD_MASTER_KEY", "hunter2-master-key")
	c := &commands{}
	parser, err := kong.New(c, options(t.Context())...)
	if err != nil {
		t.Fatal(err)
	}
	command, err := parser.Parse([]string{"config", "--drain", "5s"})
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	if err := c.settings.print(&printed, command); err != nil {
		t.Fatal(err)
	}
	text := printed.String()
	for _, want := range []string{
		`drain = "5s" # command line`,
		`database = "postgres://user:xxxxx@db.example/loyalty?password=xxxxx&sslmode=require" # PUNCHCARD_DATABASE`,
		`otlp = "https://me:xxxxx@traces.example/v1?api-key=xxxxx" # PUNCHCARD_OTLP`,
		`master-key = "(hidden)" # PUNCHCARD_MASTER_KEY`, `limit-login-account = "1000/1h0m0s" # default`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "hunter2") {
		t.Errorf("a secret is printed:\n%s", text)
	}
	t.Setenv("PUNCHCARD_CONFIG", fileWith(t, text))
	for _, name := range []string{"PUNCHCARD_DATABASE", "PUNCHCARD_OTLP", "PUNCHCARD_NATS"} {
		os.Unsetenv(name)
	}
	if c, err = parse(t, "serve"); err != nil || c.Serve.Drain != 5*time.Second {
		t.Errorf("the printed configuration is not one: %v", err)
	}
}
