package webtest_test

import (
	"bytes"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"punchcard/platform/testwait"
	"punchcard/web/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'"

const form = `<!doctype html><html lang="en"><title>Form</title>
<meta name="viewport" content="width=device-width">
<main><h1>Customers</h1>
<form><p><label>First name <input name="first"></label> <label>Born <input type="date" name="born"></label>
<label>Note <textarea name="note"></textarea></label>
<label>Level <select name="level"><option value="1">Silver<option value="2">Gold</select></label>
<label><input type="checkbox" name="agree"> I agree</label>
<button>Save</button> <button disabled>Delete</button></p></form>
<table><tr><th>Name<th>Action<tr><td>Ida Berg<td><button type="button" id="ida">Open</button>
<tr><td>Ole Vik<td><button type="button" id="ole">Open</button></table>
<p id="out" role="status"></p></main><script src="/script.js"></script>`

const formScript = `
const out = text => setTimeout(() => { document.getElementById("out").textContent = text; }, 30);
document.forms[0].addEventListener("submit", event => {
  event.preventDefault();
  out("Saved " + [...new FormData(event.target)].map(pair => pair.join("=")).join(", "));
});
for (const button of document.querySelectorAll("table button")) {
  button.addEventListener("click", () => out("Opened " + button.id));
}
document.addEventListener("keydown", event => {
  if (event.key === "k" && event.ctrlKey) { event.preventDefault(); out("Commands"); }
});
out([navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone,
  matchMedia("(prefers-color-scheme: dark)").matches,
  matchMedia("(prefers-reduced-motion: reduce)").matches, innerWidth].join(" "));
`

// serve serves a page at / and what the test adds.
func serve(t *testing.T, pages map[string]string) string {
	t.Helper()
	pages["/"], pages["/script.js"] = form, formScript
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/free" {
			w.Header().Set("Content-Security-Policy", policy)
		}
		text, found := pages[r.URL.Path]
		switch {
		case r.URL.Path == "/broken":
			w.WriteHeader(http.StatusInternalServerError)
		case !found:
			w.WriteHeader(http.StatusNotFound)
		case strings.HasSuffix(r.URL.Path, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A walk finds everything by the names that a person sees.
func TestWalk(t *testing.T) {
	t.Parallel()
	p := webtest.Open(t, webtest.Options{Server: serve(t, map[string]string{})})
	p.Go("/")
	p.WaitText("en-GB UTC false false 1280")
	p.WaitFor("heading", "Customers")
	p.Type("First name", "Idaa")
	p.Type("First name", "Ida")
	p.Type("Born", "1990-02-03")
	p.Type("Note", strings.Repeat("line\n", 3))
	p.Select("Level", "Gold")
	p.Click("I agree")
	p.WaitValue("I agree", "true")
	p.Click("Save")
	p.WaitText("Saved first=Ida, born=1990-02-03, note=line line line , level=2, agree=on")
	p.Within("row", "Ole Vik").Click("Op…")
	p.WaitText("Opened ole")
	p.WaitGone("Saved")
	p.Press("Control+k")
	p.WaitText("Commands")
	p.Within("status", "").WaitText("Commands")
	p.Press("Shift+Tab")
	if got := p.Focused(); got != "button Open" {
		t.Errorf("the focus is on %q", got)
	}
	if got := p.Count("button", ""); got != 4 {
		t.Errorf("%d buttons", got)
	}
	p.Axe()
	p.WaitPath("/")
}

func TestPersonInFrontOfThePage(t *testing.T) {
	t.Parallel()
	p := webtest.Open(t, webtest.Options{
		Server: serve(t, map[string]string{}), Width: 360, Height: 640, Dark: true, ReducedMotion: true, Language: "pl",
		TimeZone: "Europe/Warsaw",
	})
	p.Go("/")
	p.WaitText("pl Europe/Warsaw true true 360")
	path := filepath.Join(t.TempDir(), "page.png")
	p.Screenshot(path)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(content))
	if err != nil || size.Width != 360 || size.Height != 640 {
		t.Errorf("the picture is %d by %d: %v", size.Width, size.Height, err)
	}
	p.SetTheme(false)
	p.Resize(1000, 700)
	p.Reload()
	p.WaitText("pl Europe/Warsaw false true 1000")
}

// What a page must not do is recorded, whatever part of it does it.
func TestProblems(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><p>Here <script src="/bad.js"></script>`
	for name, test := range map[string]struct{ script, want string }{
		"console":    {`console.error("broken", 7)`, "console.error"},
		"warning":    {`console.warn("careful")`, "careful"},
		"exception":  {`setTimeout(() => missing(), 0)`, "missing is not defined"},
		"rejection":  {`Promise.reject(new Error("unwanted"))`, "unwanted"},
		"other host": {`location = "/free"`, "another server: https://example.org/x"},
		"forbidden":  {`fetch("https://example.org/x").catch(() => {})`, "connect-src"},
		"policy":     {`document.body.innerHTML += '<img src="/x.png">'`, "img-src"},
		"server":     {`fetch("/broken")`, "500"},
		"missing":    {`document.body.append(Object.assign(document.createElement("script"), {src: "/gone.js"}))`, "404"},
		"worker": {`navigator.serviceWorker.register("/worker.js");
			setInterval(async () => (await navigator.serviceWorker.ready).active.postMessage(1), 100)`, "from the worker"},
		"inlineStyle": {`document.body.setAttribute("style", "color: red")`, "style-src"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages := map[string]string{
				"/bad": page, "/bad.js": test.script, "/free": `<img src="https://example.org/x">Here`,
				"/worker.js": `addEventListener("message", () => console.error("from the worker"))`,
			}
			p := webtest.Open(t, webtest.Options{Server: serve(t, pages)})
			p.Go("/bad")
			testwait.Until(t, "a problem with "+test.want+" is recorded", func() bool {
				return slices.ContainsFunc(p.Problems(), func(s string) bool { return strings.Contains(s, test.want) })
			})
			p.Go("/")
			p.Problems()
		})
	}
}

// Axe finds what is wrong.
func TestAxeFinds(t *testing.T) {
	t.Parallel()
	p := webtest.Open(t, webtest.Options{Server: serve(t, map[string]string{
		"/bad": `<!doctype html><html lang="en"><title>x</title><input>`,
	})})
	p.Go("/bad")
	if got := p.Violations(); len(got) != 1 || !strings.Contains(got[0], "label: Form elements must have labels") {
		t.Errorf("%q", got)
	}
}

// Offline, neither the page nor its service worker reaches the server.
func TestOffline(t *testing.T) {
	t.Parallel()
	p := webtest.Open(t, webtest.Options{Server: serve(t, map[string]string{
		"/page": `<!doctype html><html lang="en"><title>x</title><p>Here
			<script src="/page.js"></script>`,
		"/page.js": `navigator.serviceWorker.register("/worker.js");
			globalThis.ask = path => fetch(path).then(r => r.text(), e => "failed");`,
		"/worker.js": `addEventListener("activate", e => e.waitUntil(clients.claim()));
			addEventListener("fetch", e => e.respondWith(fetch(e.request).catch(() => new Response("from the worker"))))`,
		"/data": "from the server",
	})})
	p.Go("/page")
	webtest.Eval[bool](p, `navigator.serviceWorker.controller ? true :
		new Promise(resolve => navigator.serviceWorker.addEventListener("controllerchange", () => resolve(true)))`)
	for _, offline := range []bool{false, true, false} {
		p.SetOffline(offline)
		want := map[bool]string{false: "from the server", true: "from the worker"}[offline]
		if got := webtest.Eval[string](p, `ask("/data")`); got != want {
			t.Errorf("offline %v: %q", offline, got)
		}
		if got := webtest.Eval[bool](p, "navigator.onLine"); got == offline {
			t.Errorf("offline %v: navigator.onLine is %v", offline, got)
		}
	}
}

// A page that counts its calls is waited for: what was done before they end is not the whole of it.
func TestReady(t *testing.T) {
	t.Parallel()
	p := webtest.Open(t, webtest.Options{Server: serve(t, map[string]string{
		"/busy": `<!doctype html><html lang="en"><title>x</title><button>Ask</button><p></p><script src="/busy.js"></script>`,
		"/busy.js": `const calls = n => document.documentElement.dataset.calls = n;
			const shown = document.querySelector("p");
			let frames = 0;
			const wait = () => {
				if (++frames < 30) return requestAnimationFrame(wait);
				shown.textContent += " answered";
				calls(0);
			};
			document.querySelector("button").onclick = () => {
				calls(1);
				frames = 0;
				shown.textContent = "asked";
				wait();
			};`,
	})})
	p.Go("/busy")
	for range 2 {
		p.Click("Ask")
		p.WaitText("asked")
		if got := p.Text(); got != "Ask asked answered" {
			t.Errorf("the page shows %q", got)
		}
	}
}

func TestNode(t *testing.T) {
	t.Parallel()
	if node, npm := webtest.Node(t); node == "" || npm == "" {
		t.Errorf("%q %q", node, npm)
	}
}
