package webtest

import (
	"context"
	_ "embed" // for the script
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"punchcard/platform/testwait"
)

//go:embed script.js
var script string

// element describes an element as a person sees it. The role "clickable" stands for buttons, links and the like, and
// "field" for everything that has a value.
type element struct {
	Role string `json:"role"`
	Name string `json:"name"`
}

// result is the result of a check of the script.
type result struct {
	Error  string  `json:"error"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Text   string  `json:"text"`
	Count  int     `json:"count"`
	Done   bool    `json:"done"`
	Empty  bool    `json:"empty"`
	Custom bool    `json:"custom"`
	Busy   bool    `json:"busy"` // it is there, but the page is not ready yet
}

// step runs a check of the script until it succeeds, across navigations.
func (p *Page) step(check string, wanted *element, value string) (result, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return result{}, err
	}
	return p.stepWith(check, wanted, string(text))
}

// stepWith is step with a JavaScript expression as the value.
func (p *Page) stepWith(check string, wanted *element, value string) (result, error) {
	ctx, cancel := context.WithTimeout(p.ctx, testwait.Limit())
	defer cancel()
	scope := p.scope
	if scope == nil {
		scope = []element{}
	}
	where, err := json.Marshal([]any{check, scope, wanted})
	if err != nil {
		return result{}, err
	}
	expression := fmt.Sprintf("webtest.step(...%s, %s, 1000)", where, value)
	last := errors.New("the page does not answer")
	for ctx.Err() == nil {
		got, err := chromedp.Run(ctx, chromedp.Evaluate[result](expression, chromedp.EvalAwaitPromise))
		switch {
		case err == nil && got.Busy:
			return p.step("ready", nil, "")
		case err == nil && got.Error == "":
			return got, nil
		case err == nil:
			last = errors.New(got.Error)
		case ctx.Err() == nil: // the page is being left, and another one comes
			last = err
			select {
			case <-ctx.Done():
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	return result{}, last
}

// must is step for conditions that the test needs.
func (p *Page) must(what, check string, wanted *element, value string) result {
	p.t.Helper()
	got, err := p.step(check, wanted, value)
	p.check(what, err)
	return got
}

// Within returns the page limited to the one part that has the role, and the name or a text: Within("dialog", "Delete")
// or Within("row", "Ida Berg").
func (p *Page) Within(role, name string) *Page {
	part := *p
	part.scope = append(slices.Clone(p.scope), element{role, name})
	return &part
}

// Go opens a path of the server, such as /till.
func (p *Page) Go(path string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, testwait.Limit())
	defer cancel()
	p.check("go to "+path, chromedp.Do(ctx, chromedp.Navigate(p.options.Server+path)))
}

// SetCookie gives the browser a secret cookie of the server, as a log-in does.
func (p *Page) SetCookie(name, value string) {
	p.t.Helper()
	yes := true
	_, err := chromedp.Call(p.ctx, network.SetCookie, network.SetCookieParams{
		Name: name, Value: value, URL: p.options.Server, Path: "/", Secure: &yes, HTTPOnly: &yes,
		SameSite: network.CookieSameSiteStrict,
	})
	p.check("set a cookie", err)
}

// GoWith opens a path like Go, after it has put items into localStorage.
func (p *Page) GoWith(path string, items map[string]string) {
	p.t.Helper()
	stored, err := json.Marshal(items)
	p.check("store", err)
	added, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: fmt.Sprintf("for (const item of Object.entries(%s)) localStorage.setItem(...item)", stored),
	})
	p.check("store", err)
	p.Go(path)
	_, err = chromedp.Call(p.ctx, page.RemoveScriptToEvaluateOnNewDocument,
		page.RemoveScriptToEvaluateOnNewDocumentParams(added))
	p.check("store", err)
}

// Reload loads the page again.
func (p *Page) Reload() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, testwait.Limit())
	defer cancel()
	p.check("reload", chromedp.Do(ctx, chromedp.Reload()))
}

// Back goes back in the history, also within a single page.
func (p *Page) Back() {
	p.t.Helper()
	p.check("back", chromedp.Do(p.ctx, chromedp.Evaluate[chromedp.Void]("history.back()")))
}

// Click clicks the button, link, checkbox, tab or the like with the name. A name that ends with … is a beginning.
func (p *Page) Click(name string) {
	p.t.Helper()
	p.ClickRole("clickable", name)
}

// ClickRole clicks the element with the role and the name.
func (p *Page) ClickRole(role, name string) {
	p.t.Helper()
	p.effort.Clicks++
	at := p.must(fmt.Sprintf("click %q", name), "aim", &element{role, name}, "")
	p.check("click", chromedp.Do(p.ctx, chromedp.MouseClickXY(at.X, at.Y)))
}

// pasted is the length from which a text is pasted rather than typed, in bytes.
const pasted = 100

// Type replaces the content of the field with the label. Dates are typed as their value: 2026-11-23T10:00.
func (p *Page) Type(label, text string) {
	p.t.Helper()
	p.effort.Fields++
	got := p.must(fmt.Sprintf("type into %q", label), "focus", &element{"field", label}, text)
	var err error
	switch {
	case got.Done:
	case text == "":
		if !got.Empty {
			err = chromedp.Do(p.ctx, chromedp.KeyEvent(kb.Delete))
		}
	case len(text) >= pasted || strings.Contains(text, "\n"):
		_, err = chromedp.Call(p.ctx, input.InsertText, input.InsertTextParams{Text: text})
	default:
		err = chromedp.Do(p.ctx, chromedp.KeyEvent(text))
	}
	p.check("type", err)
}

// Select chooses an option of the list with the label.
func (p *Page) Select(label, option string) {
	p.t.Helper()
	what := fmt.Sprintf("select %q in %q", option, label)
	p.effort.Fields++
	if got := p.must(what, "select", &element{"field", label}, option); got.Custom {
		p.ClickRole("field", label)
		p.unscoped().ClickRole("option", option)
	}
}

// unscoped returns the whole page. The options of a list may be elsewhere.
func (p *Page) unscoped() *Page {
	whole := *p
	whole.scope = nil
	return &whole
}

// Upload gives files to the field with the label.
func (p *Page) Upload(label string, files ...string) {
	p.t.Helper()
	p.must(fmt.Sprintf("upload to %q", label), "file", &element{"field", label}, "")
	p.check("upload", chromedp.Do(p.ctx, chromedp.SetUploadFiles(chromedp.JSPath("webtest.found"), files)))
}

// keys are the names of keys that have no character.
var keys = map[string]string{
	"Enter": kb.Enter, "Tab": kb.Tab, "Escape": kb.Escape, "Backspace": kb.Backspace, "Delete": kb.Delete,
	"ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight,
	"Home": kb.Home, "End": kb.End, "PageUp": kb.PageUp, "PageDown": kb.PageDown, "Space": " ",
}

var modifiers = map[string]chromedp.Modifier{
	"Control": chromedp.ModifierCtrl, "Shift": chromedp.ModifierShift, "Alt": chromedp.ModifierAlt,
	"Meta": chromedp.ModifierMeta,
}

// Press presses a key such as "Enter", "/" or "Control+k" where the focus is. A longer text is typed key by key, as a
// scanner does.
func (p *Page) Press(key string) {
	p.t.Helper()
	var held []chromedp.Modifier
	for {
		name, rest, found := strings.Cut(key, "+")
		if !found || modifiers[name] == 0 || rest == "" {
			break
		}
		held, key = append(held, modifiers[name]), rest
	}
	if named := keys[key]; named != "" {
		key = named
	}
	p.must("press "+key, "free", nil, "")
	p.check("press "+key, chromedp.Do(p.ctx, press(key, held)))
}

// press presses keys. The browser gets a key and its character as one event, as from a keyboard, so that a handler that
// prevents the default of the key also prevents the character. As an event of its own, the character of Enter could
// reach a button that the handler has given the focus.
func press(keys string, held []chromedp.Modifier) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		for _, r := range keys {
			events := kb.Encode(r)
			down, up := events[0], events[len(events)-1]
			for _, modifier := range held {
				down.Modifiers |= int64(modifier)
				up.Modifiers |= int64(modifier)
			}
			if len(events) == 3 && down.Modifiers&^int64(chromedp.ModifierShift) == 0 {
				down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
			}
			for _, event := range []*input.DispatchKeyEventParams{down, up} {
				if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, *event); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Screenshot saves what is on the screen, once nothing moves any more.
func (p *Page) Screenshot(path string) {
	p.t.Helper()
	p.must("wait until nothing moves", "still", nil, "")
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.check("screenshot", err)
	p.check("screenshot", os.WriteFile(path, picture, 0o600))
}

// Eval evaluates JavaScript in the page. An expression may be a promise.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	return evalIn[T](p, p.ctx, expression)
}

// EvalInWorker is Eval in the service worker of the page, which must be the only one.
func EvalInWorker[T any](p *Page, expression string) T {
	p.t.Helper()
	workers := p.workers()
	if len(workers) != 1 {
		p.t.Fatalf("the page has %d service workers, want one", len(workers))
	}
	return evalIn[T](p, workers[0], expression)
}

func evalIn[T any](p *Page, in context.Context, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(in, testwait.Limit())
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	p.check("evaluate "+expression, err)
	return value
}
