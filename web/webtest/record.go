package webtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// serviceWorker is the type of targets that are service workers.
const serviceWorker = "service_worker"

// recorder notes what a page and its service workers say and ask for.
type recorder struct {
	server *url.URL
	allow  []string

	mutex    sync.Mutex
	workers  map[target.ID]func() (context.Context, error) // that attach to service workers
	offline  bool
	failing  bool     // requests fail because the test blocks them
	console  []string // everything, for the log of a failed test
	problems []string
}

// listen records the events of the tab, and of the service workers of its browser context as they start.
func (r *recorder) listen(ctx context.Context) error {
	if err := chromedp.Listen(ctx, r.event); err != nil {
		return err
	}
	own := chromedp.FromContext(ctx).BrowserContextID
	return chromedp.ListenBrowser(ctx, func(event any) {
		created, isCreated := event.(*target.EventTargetCreated)
		if isCreated && created.TargetInfo.Type == serviceWorker && created.TargetInfo.BrowserContextID == own {
			// Another goroutine, since this one reads the messages. A worker may have stopped by now; then there is
			// nothing to record.
			go func() { _, _ = r.worker(ctx, created.TargetInfo.TargetID) }()
		}
	})
}

// worker attaches to a service worker, at most once.
func (r *recorder) worker(ctx context.Context, id target.ID) (context.Context, error) {
	r.mutex.Lock()
	attach := r.workers[id]
	if attach == nil {
		attach = sync.OnceValues(func() (context.Context, error) {
			worker, _ := chromedp.NewContext(ctx, chromedp.WithTargetID(id), chromedp.WithDetachOnCancel())
			if err := chromedp.Listen(worker, r.event); err != nil {
				return nil, err
			}
			return worker, emulateNetwork(worker, r.isOffline())
		})
		r.workers[id] = attach
	}
	r.mutex.Unlock()
	return attach()
}

// event records one event. It runs in the loop that reads the browser's messages.
func (r *recorder) event(event any) {
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		r.request(event.Request.URL)
	case *network.EventResponseReceived:
		r.response(event)
	case *network.EventLoadingFailed:
		// Only SetOffline disconnects from the Internet; a worker may report it when the page is connected again.
		expected := event.ErrorText == "net::ERR_ABORTED" || event.ErrorText == "net::ERR_INTERNET_DISCONNECTED"
		if !event.Canceled && !expected && !r.mayFail() {
			r.note("a request failed: " + event.ErrorText + " " + string(event.BlockedReason))
		}
	case *log.EventEntryAdded:
		r.entry(event.Entry)
	case *runtime.EventConsoleAPICalled:
		r.call(event)
	case *runtime.EventExceptionThrown:
		text := event.ExceptionDetails.Text
		if event.ExceptionDetails.Exception != nil {
			text += " " + event.ExceptionDetails.Exception.Description
		}
		r.note("uncaught: " + text)
	}
}

// request records a request to another server. The schemes data and blob ask nobody.
func (r *recorder) request(address string) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "data" && u.Scheme != "blob" && (u.Host != r.server.Host || u.Scheme != r.server.Scheme) {
		r.note("a request to another server: " + address)
	}
}

// response records server errors, and missing files. What a script gets from the API with a status below 500 is its
// own business.
func (r *recorder) response(event *network.EventResponseReceived) {
	byScript := event.Type == network.ResourceTypeFetch || event.Type == network.ResourceTypeXHR
	if status := event.Response.Status; status >= 500 || status >= 400 && !byScript {
		r.note(fmt.Sprintf("the server answered %d to %s", status, event.Response.URL))
	}
}

// entry records what the browser itself writes to the console. Failed requests are recorded elsewhere.
func (r *recorder) entry(entry *log.Entry) {
	text := fmt.Sprintf("%s %s: %s %s", entry.Source, entry.Level, entry.Text, entry.URL)
	isProblem := entry.Level == log.EntryLevelError || entry.Source == log.EntrySourceSecurity
	if isProblem && entry.Source != log.EntrySourceNetwork {
		r.note(text)
		return
	}
	r.say(text)
}

// call records a call of the console by a script.
func (r *recorder) call(event *runtime.EventConsoleAPICalled) {
	var words []string
	for _, argument := range event.Args {
		if argument.Description != "" {
			words = append(words, argument.Description)
		} else {
			words = append(words, string(argument.Value))
		}
	}
	text := fmt.Sprintf("console.%s: %s", event.Type, strings.Join(words, " "))
	switch event.Type {
	case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeWarning, runtime.ConsoleAPICalledTypeAssert:
		r.note(text)
	default:
		r.say(text)
	}
}

func (r *recorder) say(text string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.console = append(r.console, text)
}

// note records a problem.
func (r *recorder) note(problem string) {
	r.say(problem)
	r.mutex.Lock()
	defer r.mutex.Unlock()
	isAllowed := slices.ContainsFunc(r.allow, func(part string) bool { return strings.Contains(problem, part) })
	if !isAllowed && !slices.Contains(r.problems, problem) {
		r.problems = append(r.problems, problem)
	}
}

func (r *recorder) setOffline(offline bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.offline = offline
}

func (r *recorder) setFailing(failing bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.failing = failing
}

// mayFail reports whether failed requests are no problem.
func (r *recorder) mayFail() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.offline || r.failing
}

func (r *recorder) isOffline() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.offline
}

// take returns what was recorded, and forgets it.
func (r *recorder) take() (problems, console []string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	problems, console = r.problems, r.console
	r.problems, r.console = nil, nil
	return problems, console
}

// Problems returns what the page did that it must not do, and forgets it. It is for tests that cause problems.
func (p *Page) Problems() []string {
	p.flush()
	problems, _ := p.record.take()
	return problems
}

// flush returns when the events of all that happened before have been recorded.
func (p *Page) flush() {
	ctx, cancel := context.WithTimeout(p.ctx, 2*time.Second)
	defer cancel()
	_, _ = chromedp.Run(ctx, chromedp.Evaluate[int]("1")) // a page that hangs has recorded what it could
}

// finish fails the test for the problems of the page, and saves what helps to find out why a test failed. It forgets
// both.
func (p *Page) finish(t testing.TB) {
	p.flush()
	problems, console := p.record.take()
	for _, problem := range problems {
		t.Error("the page has a problem: ", problem)
	}
	if !t.Failed() {
		return
	}
	folder, err := os.MkdirTemp("", "punchcard-web-")
	if err != nil {
		t.Error(err)
		return
	}
	if err := os.WriteFile(filepath.Join(folder, "console.txt"), []byte(strings.Join(console, "\n")), 0o600); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "screenshot.png"), picture, 0o600)
	}
	if err != nil {
		t.Log("no screenshot: ", err)
	}
	t.Log("a screenshot and the console are in ", folder)
}
