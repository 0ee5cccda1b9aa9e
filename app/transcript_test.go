package app_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"punchcard/app"
	"punchcard/loyalty/identity/factor"
	"punchcard/loyalty/identity/factor/factortest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/job"
	"punchcard/platform/limit"
	"punchcard/platform/testwait"
	"punchcard/platform/web"
)

var update = flag.Bool("update", false, "write the responses of the server into the transcripts")

// Every file of docs/transcripts is a conversation with a new server, on every database. The responses are compared
// byte for byte, except ids and tokens, which are numbered in the order of their appearance. The log of the server at
// level debug holds no password, token, key, code, name, address or number of a person from the conversation.
//
// Every call records the events that its emissions declare, in that order and with those members. Every declared event
// of a call is recorded in some transcript.
//
// An exchange is a title, a request and, after a line of dashes, the response:
//
//	## Give points
//	POST /api/DEFAULT/points/transfer/add
//	as: admin
//	transfer[customer]={{customer}}
//	transfer[points]=100
//	---
//	200
//	{ "pointsTransferId": "<id-7>" }
//	> transfer = pointsTransferId
//
// Lines of a body that is not JSON are fields of a form. The last lines save members of the response, each a path of
// names and indexes, under a name. as: sends a saved token. Pictures are shown by type and size.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../docs/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	listener, dryRuns := newEventListener(t), &rehearsed{endpoints: app.EndpointTable()}
	t.Cleanup(func() { listener.checkAllSeen(t, len(files)) })
	for _, file := range files {
		for _, engine := range dbtest.Engines {
			t.Run(filepath.Base(file)+"/"+engine, func(t *testing.T) {
				if !*update {
					t.Parallel()
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				config := plainConfig(database(t, engine))
				config.Log, config.Rates = "debug", ratesOf[filepath.Base(file)]
				log, messages := &journal{}, eavesdropper{}
				base, d, commits := startRested(t, config, log)
				p := newPlayer(t, base)
				p.send = messages.send
				if engine == "sqlite" { // PostgreSQL records the same, and numbers events later
					p.send = listener.every(d, auditEvery(d, p.send))
				}
				if ratesOf[filepath.Base(file)] == (app.Rates{}) { // dry runs count in the limits
					p.send = dryRuns.every(t, d, commits, p.send)
				}
				got := p.play(string(text))
				expectClean(t, config.Database)
				for _, found := range log.holds(config.Data, messages) {
					t.Errorf("the log contains the %s", found)
				}
				if len(messages) == 0 || log.Len() == 0 {
					t.Error("no messages were received, or nothing was logged")
				}
				if *update && engine == "sqlite" {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(got, "\n")); diff != "" {
					t.Errorf("the responses differ (-transcript +server):\n%s", diff)
				}
			})
		}
	}
}

// startRested runs a server, waits for the first runs of all jobs, and opens its database. The clock does not move, so
// none runs again by itself during the transcript. commits counts the server's commits.
func startRested(t *testing.T, config app.Config, log io.Writer) (base string, d *db.DB, commits *atomic.Int64) {
	t.Helper()
	signal, commits := testwait.NewSignal(), &atomic.Int64{}
	config.OnCommit = func() {
		commits.Add(1)
		signal.Send()
	}
	if config.Database.Database != "" {
		config.Database.Database += "&pool_max_conns=4" // one client needs no more, and each has to learn the tables
	}
	base = runLogging(t, config, log)
	d = dbtest.Open(t, db.Config{URL: config.Database.Database, File: config.Data + "/punchcard.db"}, fixedClock)
	awaitJobs(t, d, signal)
	return base, d, commits
}

// awaitJobs waits for the first runs of all jobs of a server, whose commits send the signal.
func awaitJobs(t *testing.T, d *db.DB, commits testwait.Signal) {
	t.Helper()
	commits.Until(t, "all jobs have run", func() bool {
		jobs := jobStates(t, d)
		return len(jobs) > 0 && !slices.ContainsFunc(jobs, func(s job.State) bool { return s.LastEndAt.IsZero() })
	})
}

func jobStates(t *testing.T, d *db.DB) (states []job.State) {
	t.Helper()
	if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		states, err = job.Status(tx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return states
}

// ratesOf are the rate limits of the servers of some transcripts; the others have none.
var ratesOf = map[string]app.Rates{
	"35-invitation-limit.txt": {
		LimitInvitation: limit.Rate{Quota: 2, Window: 24 * time.Hour},
		LimitGuess:      limit.Rate{Quota: 3, Window: time.Hour}, LimitGuessAddress: limit.Rate{Quota: 5, Window: time.Hour},
	},
	"121-checkout.txt":           {LimitCoupon: limit.Rate{Quota: 3, Window: 10 * time.Minute}},
	"69-coupons-at-the-till.txt": {LimitCoupon: limit.Rate{Quota: 3, Window: 10 * time.Minute}},
	"82-limits.txt": {
		LimitLoginAccountAddress: limit.Rate{Quota: 3, Window: 90 * time.Second},
		LimitLoginAccount:        limit.Rate{Quota: 100, Window: time.Hour},
		LimitLoginAddress:        limit.Rate{Quota: 5, Window: 10 * time.Second},
		LimitRegistration:        limit.Rate{Quota: 3, Window: time.Hour},
		LimitActivation:          limit.Rate{Quota: 2, Window: time.Hour},
		LimitCheck:               limit.Rate{Quota: 2, Window: time.Minute},
		LimitCallback:            limit.Rate{Quota: 8, Window: time.Minute},
		LimitToken:               limit.Rate{Quota: 13, Window: time.Second},
	},
}

// player plays a transcript.
type player struct {
	t     *testing.T
	base  string
	saved map[string]string
	named map[string]string // placeholders of ids and tokens, such as <id-7>
	send  func(t testing.TB, request *http.Request) reply
	// A lenient player continues if a response lacks a member that is to be saved.
	lenient bool
}

func newPlayer(t *testing.T, base string) *player {
	return &player{t: t, base: base, saved: map[string]string{}, named: map[string]string{}, send: send}
}

func (p *player) play(text string) string {
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
			value, err := member(answer.body, path)
			if err != nil && !p.lenient {
				p.t.Fatal(err)
			}
			p.saved[name] = value
			out += "\n" + line
		}
	}
	return out + "\n"
}

type reply struct {
	status int
	header http.Header
	body   []byte
}

func (p *player) ask(question string) reply {
	p.t.Helper()
	for name, value := range p.saved {
		question = strings.ReplaceAll(question, "{{"+name+"}}", value)
		for text, at := range map[string]time.Time{
			"code of ": fixedClock(), "next code of ": fixedClock().Add(factor.TOTPPeriod),
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
	return p.send(p.t, request)
}

// send makes a request, and compares the exchange with the description of the API.
func send(t testing.TB, request *http.Request) reply {
	t.Helper()
	answer := exchange(t, request)
	if err := describedBy(t, request.URL).check(request, answer); err != nil {
		t.Errorf("%s %s: the exchange does not match the description: %v", request.Method, request.URL, err)
	}
	return answer
}

// exchange makes a request. It leaves the body of a stream, which would not end.
func exchange(t testing.TB, request *http.Request) reply {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body []byte
	if response.Header.Get("Content-Type") != "text/event-stream" {
		if body, err = io.ReadAll(response.Body); err != nil {
			t.Fatal(err)
		}
	}
	return reply{response.StatusCode, response.Header, body}
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
	`"pck_live_[A-Z2-7]{4,33}"`)

func (p *player) show(r reply) string {
	text := fmt.Sprint(r.status)
	for _, name := range []string{"Allow", "WWW-Authenticate", "Retry-After", "Idempotent-Replayed",
		"RateLimit-Policy", "RateLimit", "Limit-Setting", "Dry-Run"} {
		if value := r.header.Get(name); value != "" {
			text += "\n" + name + ": " + value
		}
	}
	if r.header.Get("Content-Type") == web.ProblemType {
		text += "\nContent-Type: " + web.ProblemType
	}
	if len(r.body) == 0 {
		return text
	}
	if !utf8.Valid(r.body) {
		return text + fmt.Sprintf("\nContent-Type: %s\nCache-Control: %s\n(%d bytes)", r.header.Get("Content-Type"),
			r.header.Get("Cache-Control"), len(r.body))
	}
	shown := secretOrID.ReplaceAllStringFunc(string(r.body), func(found string) string {
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
