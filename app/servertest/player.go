package servertest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"punchcard/app"
	"punchcard/loyalty/identity/factor"
	"punchcard/loyalty/identity/factor/factortest"
	"punchcard/platform/web"
)

// Update is the flag -update of all tests that compare files with what the server says.
var Update = flag.Bool("update", false, "write the responses of the server into the transcripts")

// TranscriptDatabase returns the database that a transcript begins with.
func TranscriptDatabase(t testing.TB, engine, file string) app.Database {
	t.Helper()
	if filepath.Base(file) == "87-jobs.txt" { // shows that the jobs have run on the node that shows them
		return NewDatabase(t, engine)
	}
	return Database(t, engine)
}

// player plays a transcript.
type player struct {
	t     *testing.T
	base  string
	saved map[string]string
	named map[string]string // placeholders of ids and tokens, such as <id-7>
	Send  func(t testing.TB, request *http.Request) Reply
	// A lenient player continues if a response lacks a member that is to be saved.
	Lenient bool
	// Shared has what lenient players saved, without tokens. They use the values of each other in place of what a
	// response lacks.
	Shared *sync.Map
}

// NewPlayer returns a player that sends its requests to a server by Send.
func NewPlayer(t *testing.T, base string) *player {
	return &player{t: t, base: base, saved: map[string]string{}, named: map[string]string{}, Send: Send}
}

func (p *player) Play(text string) string {
	parts := strings.Split(text, "\n## ")
	for i, part := range parts[1:] {
		parts[i+1] = p.exchange(strings.TrimRight(part, "\n"))
	}
	return strings.TrimRight(strings.Join(parts, "\n## "), "\n") + "\n"
}

func (p *player) exchange(part string) string {
	p.t.Helper()
	question, rest, _ := strings.Cut(part, "\n---")
	answer := p.ask(question)
	out := question + "\n---\n" + p.show(answer)
	for line := range strings.SplitSeq(rest, "\n") {
		if name, path, found := strings.Cut(strings.TrimPrefix(line, "> "), " = "); found && strings.HasPrefix(line, "> ") {
			value, err := member(answer.Body, path)
			if err != nil && !p.Lenient {
				p.t.Fatal(err)
			}
			if p.Shared != nil {
				value = p.share(name, value)
			}
			p.saved[name] = value
			out += "\n" + line
		}
	}
	return out + "\n"
}

// share offers a value that was saved to other players, or returns one of theirs in place of none.
func (p *player) share(name, value string) string {
	if value != "" {
		if !strings.HasPrefix(value, "eyJ") {
			p.Shared.Store(name, value)
		}
		return value
	}
	if other, found := p.Shared.Load(name); found {
		return other.(string)
	}
	return ""
}

func (p *player) ask(question string) Reply {
	p.t.Helper()
	for name, value := range p.saved {
		question = strings.ReplaceAll(question, "{{"+name+"}}", value)
		for text, at := range map[string]time.Time{
			"code of ": FixedClock(), "next code of ": FixedClock().Add(factor.TOTPPeriod),
		} {
			if of := "{{" + text + name + "}}"; strings.Contains(question, of) {
				question = strings.ReplaceAll(question, of, factortest.Code(value, at))
			}
		}
	}
	lines := strings.Split(question, "\n")[1:] // without the title
	method, path, _ := strings.Cut(lines[0], " ")
	header := http.Header{}
	lines = lines[1:]
	for len(lines) > 0 {
		name, value, found := strings.Cut(lines[0], ": ")
		if !found || strings.ContainsAny(name, "=[{") {
			break
		}
		if name == "as" {
			name, value = "Authorization", "Bearer "+p.saved[value]
		}
		header.Set(name, value)
		lines = lines[1:]
	}
	body := strings.Join(lines, "\n")
	if _, typed := header["Content-Type"]; typed && header.Get("Content-Type") == "" {
		header.Del("Content-Type") // the line "Content-Type: " sends the body as it is, without a type
	} else if len(lines) > 0 && !typed {
		header.Set("Content-Type", "application/json")
		if !strings.HasPrefix(body, "{") {
			header.Set("Content-Type", "application/x-www-form-urlencoded")
			body = encode(lines)
		}
	}
	request, err := http.NewRequest(method, p.base+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header = header
	return p.Send(p.t, request)
}

func encode(lines []string) string {
	fields := make([]string, len(lines))
	for i, line := range lines {
		name, value, _ := strings.Cut(line, "=")
		fields[i] = url.QueryEscape(name) + "=" + url.QueryEscape(value)
	}
	return strings.Join(fields, "&")
}

// totpSecret matches what authenticator apps store.
var totpSecret = regexp.MustCompile(`^[A-Z2-7]{32}$`)

// secretOrID matches ids and secrets, which differ from run to run.
var secretOrID = regexp.MustCompile(`\b[A-Z2-7]{32}\b|\b[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}\b|"[\w-]{43}"|"B[\w-]{86}"|` +
	`[0-9a-f]{8}-[0-9a-f]{4}-[57][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|` +
	`eyJ[\w-]+\.[\w-]+\.[\w-]+|"[0-9a-f]{64,}"|"whsec_[\w+/=]+"|"9[0-9]{15}"|"[A-Z2-7]{26}"|\b[A-Z2-7]{26}\b|` +
	`"pck_(?:live|test)_[A-Z2-7]{4,33}"`)

func (p *player) show(r Reply) string {
	text := fmt.Sprint(r.Status)
	for _, name := range []string{"Allow", "WWW-Authenticate", "Retry-After", "Idempotent-Replayed",
		"RateLimit-Policy", "RateLimit", "Limit-Setting", "Dry-Run", "Preference-Applied"} {
		if value := r.Header.Get(name); value != "" {
			text += "\n" + name + ": " + value
		}
	}
	if r.Header.Get("Content-Type") == web.ProblemType {
		text += "\nContent-Type: " + web.ProblemType
	}
	if len(r.Body) == 0 {
		return text
	}
	if !utf8.Valid(r.Body) {
		return text + fmt.Sprintf("\nContent-Type: %s\nCache-Control: %s\n(%d bytes)", r.Header.Get("Content-Type"),
			r.Header.Get("Cache-Control"), len(r.Body))
	}
	shown := secretOrID.ReplaceAllStringFunc(string(r.Body), func(found string) string {
		if p.named[found] == "" {
			kind := "id"
			switch {
			case totpSecret.MatchString(found):
				kind = "secret"
			case len(found) == 19:
				kind = "code"
			case len(found) > 36, len(found) == 28, len(found) == 26:
				kind = "token"
			case strings.HasPrefix(found, `"pck`):
				kind = "prefix"
			case found[0] == '"':
				kind = "card"
			}
			p.named[found] = fmt.Sprintf("<%s-%d>", kind, len(p.named)+1)
		}
		if found[0] == '"' {
			return `"` + p.named[found] + `"`
		}
		return p.named[found]
	})
	var indented bytes.Buffer
	if json.Indent(&indented, []byte(shown), "", "  ") == nil {
		shown = indented.String()
	}
	return text + "\n" + shown
}

func member(body []byte, path string) (string, error) {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return "", fmt.Errorf("%s: %w in %s", path, err, body)
	}
	for step := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			var i int
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(v) {
				return "", fmt.Errorf("no %s in %s", path, body)
			}
			value = v[i]
		}
	}
	text, ok := value.(string)
	if !ok {
		return "", fmt.Errorf("%s is no text in %s", path, body)
	}
	return text, nil
}
