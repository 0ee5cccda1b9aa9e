package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"

	"punchcard/app"
)

// secretBytes is the maximal size of a file with a secret.
const secretBytes = 64 << 10

// settings are where values of flags come from, besides the command line, in this order: variables, files with secrets
// that variables name, and the configuration file. docs/operations.md#configuration describes them.
type settings struct {
	file map[string]any // the configuration file, by the names of flags
}

// BeforeResolve reads the configuration file, once it is known which one.
func (c *commands) BeforeResolve(k *kong.Kong, ctx *kong.Context) error {
	s := &c.settings
	s.file = map[string]any{}
	name := configFile(ctx)
	if name != "" {
		if _, err := toml.DecodeFile(name, &s.file); err != nil {
			return fmt.Errorf("--config: %s: %w; write texts in quotes, as in listen = \"127.0.0.1:8080\"", name, err)
		}
	}
	known, variables := map[string]bool{}, map[string]bool{}
	eachFlag(k.Model.Node, func(f *kong.Flag) {
		known[f.Name] = true
		for _, variable := range f.Envs {
			variables[variable] = true
		}
	})
	if err := checkVariables(variables); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(s.file)) {
		if hasTable(s.file[key]) {
			return fmt.Errorf("--config: %s has the table %s: write settings at the top, outside of tables", name, key)
		}
		if !known[key] || key == "config" || key == "help" {
			return fmt.Errorf("--config: %s has an unknown setting: %s", name, key)
		}
	}
	for _, part := range ctx.Path {
		if f := part.Flag; f != nil && slices.Contains(untyped, f.Name) {
			return fmt.Errorf("--%s is not taken from the command line: set %s or %[2]s_FILE", f.Name, f.Envs[0])
		}
	}
	ctx.AddResolver(s)
	ctx.Bind(s)
	return nil
}

func configFile(ctx *kong.Context) string {
	for _, f := range ctx.Model.Flags {
		if f.Name == "config" {
			return fmt.Sprint(ctx.FlagValue(f))
		}
	}
	return ""
}

func eachFlag(n *kong.Node, visit func(f *kong.Flag)) {
	for _, f := range n.Flags {
		visit(f)
	}
	for _, child := range n.Children {
		eachFlag(child, visit)
	}
}

// Validate implements kong.Resolver. The keys of the file are compared with the flags before.
func (*settings) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. It returns the value of a flag that is not on the command line, or nil.
func (s *settings) Resolve(_ *kong.Context, _ *kong.Path, f *kong.Flag) (any, error) {
	for _, name := range f.Envs {
		value, set := os.LookupEnv(name)
		file := os.Getenv(name + "_FILE")
		switch {
		case file != "" && !isSecret(f):
			return nil, fmt.Errorf("%s_FILE: only secrets are read from files of their own", name)
		case file != "" && set:
			return nil, fmt.Errorf("%s and %s_FILE are both set", name, name)
		case set:
			return value, nil
		case file != "":
			return readSecret(name+"_FILE", file)
		}
	}
	return textOf(s.file[f.Name])
}

// secrets are the flags that hold a secret, or a URL that may have a password.
var secrets = []string{"database", "nats", "smtp", "master-key", "admin-password", "metrics-token",
	"replicate-access-key", "replicate-secret-key"}

// untyped are the secrets that are not taken from the command line.
var untyped = []string{"replicate-access-key", "replicate-secret-key"}

func isSecret(f *kong.Flag) bool { return slices.Contains(secrets, f.Name) }

// readSecret returns the content of a file without the line break at its end.
func readSecret(name, file string) (any, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer opened.Close()
	content, err := io.ReadAll(io.LimitReader(opened, secretBytes+1))
	if err == nil && len(content) > secretBytes {
		err = errors.New("the file is too large")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return strings.TrimRight(string(content), "\r\n"), nil
}

// textOf returns a value of the configuration file as a flag takes it: nil if there is none, a list with commas.
func textOf(value any) (any, error) {
	switch value := value.(type) {
	case nil:
		return nil, nil
	case []any:
		parts := make([]string, len(value))
		for i, part := range value {
			parts[i] = fmt.Sprint(part)
		}
		return strings.Join(parts, ","), nil
	}
	return fmt.Sprint(value), nil
}

// hasTable reports whether a value of the configuration file is a table or has one. No flag takes it, so that its keys
// would be ignored.
func hasTable(value any) bool {
	switch value := value.(type) {
	case map[string]any, []map[string]any:
		return true
	case []any:
		return slices.ContainsFunc(value, hasTable)
	}
	return false
}

// showConfig prints the settings of the server.
type showConfig struct{ app.Config }

// Help describes the output.
func (showConfig) Help() string {
	return "Prints the settings that punchcard serve would run with, as a configuration file, with where each comes " +
		"from. Secrets are not shown. Unknown settings are refused."
}

// Run runs the command.
func (*showConfig) Run(ctx *kong.Context, s *settings) error { return s.print(os.Stdout, ctx) }

// print writes the settings of the command as a configuration file.
func (s *settings) print(to io.Writer, ctx *kong.Context) error {
	for _, f := range ctx.Selected().Flags {
		if f.Name == "help" || f.Hidden {
			continue
		}
		if _, err := fmt.Fprintf(to, "%s = %s # %s\n", f.Name, textOfFlag(f), s.sourceOf(ctx, f)); err != nil {
			return err
		}
	}
	return nil
}

// secretNames matches the names of parameters of URLs that may hold a secret.
var secretNames = regexp.MustCompile(`(?i)pass|pwd|secret|token|key|auth|cred|sig`)

// withoutSecrets hides the password of a URL, and the values of parameters that may be secret.
func withoutSecrets(address *url.URL) string {
	shown, parameters := *address, address.Query()
	for name := range parameters {
		if secretNames.MatchString(name) {
			parameters.Set(name, "xxxxx")
			shown.RawQuery = parameters.Encode()
		}
	}
	if _, has := shown.User.Password(); !has && shown.User != nil && shown.Scheme == "nats" {
		shown.User = url.User("xxxxx") // a token
	}
	return shown.Redacted()
}

// textOfFlag returns the value of a flag as TOML. Of a secret it only tells whether there is one; in a URL it hides
// what is secret.
func textOfFlag(f *kong.Flag) string {
	value := f.Target.Interface()
	if text, is := value.(string); is {
		if address, err := url.Parse(text); err == nil && address.Host != "" {
			return fmt.Sprintf("%q", withoutSecrets(address))
		}
	}
	if isSecret(f) {
		if text := fmt.Sprint(value); text != "" {
			return `"(hidden)"`
		}
		return `""`
	}
	switch f.Target.Kind().String() {
	case "bool", "int", "int64":
		if text := fmt.Sprint(value); !strings.ContainsAny(text, "hms") || text == "true" || text == "false" {
			return text
		}
	case "slice":
		parts := make([]string, f.Target.Len())
		for i := range parts {
			parts[i] = fmt.Sprintf("%q", fmt.Sprint(f.Target.Index(i).Interface()))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprintf("%q", fmt.Sprint(value))
}

// sourceOf returns where the value of a flag comes from.
func (s *settings) sourceOf(ctx *kong.Context, f *kong.Flag) string {
	for _, part := range ctx.Path {
		if part.Flag == f && !part.Resolved {
			return "command line"
		}
	}
	for _, name := range f.Envs {
		if _, set := os.LookupEnv(name); set {
			return name
		}
		if os.Getenv(name+"_FILE") != "" {
			return name + "_FILE"
		}
	}
	if _, found := s.file[f.Name]; found {
		return "configuration file"
	}
	return "default"
}
