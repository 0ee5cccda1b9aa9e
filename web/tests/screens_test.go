package tests

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"punchcard/platform/testmode"
	"punchcard/web/webtest"
)

var (
	update   = flag.Bool("update", false, "write docs/screens.md")
	pictures = flag.Bool("pictures", false, "take the pictures in docs/pictures")
)

const (
	screensFile    = "../../docs/screens.md"
	picturesFolder = "../../docs/pictures"
)

// screen describes a route to the tests.
type screen struct {
	app  string // folder of the app
	path string // as in its routes.ts
	name string // of its pictures, such as customer
	// example returns the path of an example in the store DEFAULT; nil for a path without parameters.
	example func(t *testing.T, s *shop) string
	// store returns the code of the store of the example; nil for DEFAULT.
	store func(t *testing.T, s *shop) string
	// prepare adds what the screen shows, if the demonstration has none of it.
	prepare func(t *testing.T, s *shop)
	// walk does what a user does there. The page shows the example, on a wide screen. A walk may change the shop.
	walk func(t *testing.T, s *shop, p *webtest.Page)
}

// screens are all screens, those of each area in a file of its own.
var screens = slices.Concat(overviewScreens, reportScreens, campaignScreens, pointsScreens, messageScreens,
	transferScreens, mailingScreens, journeyScreens,
	ruleScreens, customerScreens, bulkScreens, tillScreens, shopsScreens, meScreens, systemScreens, salesScreens,
	singleSignOnScreens, boughtScreens, categoryScreens, cashbackScreens,
	invitationScreens, webhookScreens, signUpScreens, notificationScreens, operationScreens, importScreens, auditScreens,
	keyScreens, tryItScreens)

// bases are the paths of the apps.
var bases = map[string]string{"cockpit": "", "till": "/till", "me": "/me"}

var routePath = regexp.MustCompile(
	`\{ path: '([^']+)', screen: \(\) => import\('([^']+)'\)(?:, resource: '(\w+)')?(, open: true)?`)

// route is an entry of a routes.ts.
type route struct {
	app, path, source, resource string

	open bool // to visitors, without the frame
}

func readRoutes(t *testing.T) []route {
	t.Helper()
	var all []route
	for _, app := range []string{"cockpit", "till", "me"} {
		text, err := os.ReadFile(filepath.Join("..", app, "routes.ts"))
		if err != nil {
			t.Fatal(err)
		}
		line := strings.Join(strings.Fields(string(text)), " ") // the formatter breaks long routes
		for _, m := range routePath.FindAllStringSubmatch(line, -1) {
			all = append(all, route{app: app, path: m[1], source: path.Join(app, m[2]), resource: m[3], open: m[4] != ""})
		}
		if n := strings.Count(line, "screen: ()"); n != len(routePath.FindAllString(line, -1)) {
			t.Fatalf("%s/routes.ts has %d routes, of which this test cannot read some", app, n)
		}
	}
	return all
}

func (s *screen) storeCode(t *testing.T, shop *shop) string {
	t.Helper()
	if s.store == nil {
		return "DEFAULT"
	}
	return s.store(t, shop)
}

func (s *screen) address(t *testing.T, shop *shop, store string) string {
	t.Helper()
	place := s.path
	if s.example != nil {
		place = s.example(t, shop)
	}
	if place == "/" {
		place = ""
	}
	return bases[s.app] + "/" + store + place
}

// Every route has an entry here, with a walk and pictures, and every entry is of a route.
func TestEveryScreenIsWalked(t *testing.T) {
	known := map[string]*screen{}
	for i := range screens {
		known[screens[i].app+screens[i].path] = &screens[i]
	}
	routes := readRoutes(t)
	for _, r := range routes {
		s := known[r.app+r.path]
		if s == nil || s.walk == nil {
			t.Errorf("no walk goes through %s %s", r.app, r.path)
			continue
		}
		delete(known, r.app+r.path)
		for _, variant := range variants {
			if _, err := os.Stat(filepath.Join(picturesFolder, variant.file(s))); err != nil {
				t.Errorf("%s %s has no picture (%v): run make pictures", r.app, r.path, err)
			}
		}
	}
	for of := range known {
		t.Errorf("%s is no route", of)
	}
	if text := screensDocument(t, routes); *update {
		if err := os.WriteFile(screensFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if written, err := os.ReadFile(screensFile); err != nil || string(written) != text {
		t.Errorf("docs/screens.md is stale (%v): run go test ./web/tests -run EveryScreen -update", err)
	}
}

// variant is a way to look at a screen.
type variant struct {
	name          string
	width, height int
	dark          bool
}

var (
	wide     = variant{"wide-light", 1280, 800, false}
	narrow   = variant{"narrow-light", 360, 740, false}
	variants = []variant{
		wide, {"wide-dark", 1280, 800, true}, narrow, {"narrow-dark", 360, 740, true},
	}
)

func (v variant) file(s *screen) string { return s.app + "-" + s.name + "-" + v.name + ".webp" }

// opposite returns the variant with the other width and the other colours.
func (v variant) opposite() variant { return variants[len(variants)-1-slices.Index(variants, v)] }

// set chooses this way for the page.
func (v variant) set(p *webtest.Page) {
	p.Resize(v.width, v.height)
	p.SetTheme(v.dark)
}

// apply shows the page in this way, and checks that it fits.
func (v variant) apply(t *testing.T, p *webtest.Page) {
	t.Helper()
	v.set(p)
	settle(p)
	fits(t, p, v)
}

// group is some screens of one app.
type group struct {
	name    string
	screens []screen
}

// groups are tested side by side, the longest first, each with a shop of its own, since walks change what they walk
// through. The cockpit has two thirds of the screens.
func groups() []group {
	of := map[string][]screen{}
	for _, s := range screens {
		of[s.app] = append(of[s.app], s)
	}
	half := len(of["cockpit"]) / 2
	return []group{
		{"cockpit", of["cockpit"][:half]}, {"cockpit2", of["cockpit"][half:]}, {"me", of["me"]}, {"till", of["till"]},
	}
}

// Every screen follows the rules of accessibility and fits the width of the screen, wide and narrow, light and dark, in
// Polish, in an empty store, while calls fail, and for an administrator who may not see it. The rules are checked in
// one of the layouts, which changes from screen to screen, so that the parts that screens share are checked in all.
// make test leaves out what needs further loads for two thirds of the screens.
func TestScreens(t *testing.T) {
	resources := map[string]string{}
	for _, r := range readRoutes(t) {
		resources[r.app+r.path] = r.resource
	}
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			shop := openShop(t)
			l := looker{
				shop: shop, empty: emptyStore(t, shop), nobody: administratorWithoutPermissions(t, shop),
				page: webtest.Open(t, webtest.Options{Server: shop.base, ReducedMotion: true}),
			}
			for i := range g.screens {
				s := &g.screens[i]
				t.Run(s.name, func(t *testing.T) {
					if s.prepare != nil {
						s.prepare(t, shop)
					}
					if *pictures {
						l.photograph(t, s)
						return
					}
					l.page.Continue(t)
					if testmode.Third(i) {
						l.visit(t, s, resources[s.app+s.path])
					}
					l.walk(t, s, variants[i%len(variants)])
				})
			}
		})
	}
}

// looker looks at screens in all their states.
type looker struct {
	shop   *shop
	empty  string // code of a store in which nothing has happened
	nobody string // e-mail address of an administrator who may see next to nothing
	// page shows all screens. A new one for each would have to load and compile the scripts again.
	page *webtest.Page
}

// photograph takes the pictures of a screen, and checks the rules of accessibility in each layout.
func (l looker) photograph(t *testing.T, s *screen) {
	p := l.shop.openAs(t, s.app, s.address(t, l.shop, s.storeCode(t, l.shop)), webtest.Options{ReducedMotion: true})
	for _, v := range variants {
		v.apply(t, p)
		p.Axe()
		p.Picture(filepath.Join(picturesFolder, v.file(s)))
	}
}

// visit looks at a screen in Polish, from right to left, in an empty store, while calls fail, and without the
// permission.
func (l looker) visit(t *testing.T, s *screen, resource string) {
	store := s.storeCode(t, l.shop)
	address := s.address(t, l.shop, store)
	p := l.page
	p.Clear()
	p.Resize(narrow.width, narrow.height)
	l.shop.logIn(t, s.app).goTo(p, s.app, address, map[string]string{"punchcard.language": "pl"})
	settle(p)
	fits(t, p, variant{name: "in Polish"})
	webtest.Eval[bool](p, "(document.documentElement.dir = 'rtl', true)")
	fits(t, p, variant{name: "from right to left"})
	speak(p, "en")
	if s.example == nil && s.app == "cockpit" {
		p.Resize(wide.width, wide.height)
		p.Go(s.address(t, l.shop, l.empty))
		settle(p)
		if n := p.Count("alert", ""); n > 0 {
			t.Errorf("in an empty store it shows an error: %s", p.Text())
		}
	}
	p.Failing("/api/"+store+"/", func() {
		p.Go(address)
		settle(p)
	})
	if resource != "" {
		l.shop.logInAs(t, l.nobody, firstPassword).goTo(p, s.app, address)
		p.WaitText("You may not see this.")
	}
}

// walk looks at a screen in two layouts that differ in width and colours, the narrow one first, checks the rules in the
// given one, and then walks through it on a wide, light screen.
func (l looker) walk(t *testing.T, s *screen, checked variant) {
	p := l.page
	p.Clear()
	looks := []variant{checked, checked.opposite()}
	slices.SortFunc(looks, func(a, b variant) int { return a.width - b.width })
	looks[0].set(p)
	l.shop.logIn(t, s.app).goTo(p, s.app, s.address(t, l.shop, s.storeCode(t, l.shop)))
	for _, v := range looks {
		v.apply(t, p)
		speaksPlainly(t, p)
		if v == checked {
			p.Axe()
		}
	}
	if s.walk != nil {
		p.SetTheme(wide.dark)
		s.walk(t, l.shop, p)
	}
}

// speak makes another language that of the pages that are opened from now on.
func speak(p *webtest.Page, language string) {
	webtest.Eval[bool](p, fmt.Sprintf("(localStorage.setItem('punchcard.language', %q), true)", language))
}

// settle waits until the screen is there and nothing loads any more.
func settle(p *webtest.Page) {
	p.WaitUntil("the screen has loaded",
		`document.querySelector('main') && !document.querySelector('.bone, .skeleton, [aria-busy=true], .spinner')`)
}

// fits checks that nothing reaches beyond the width of the screen, or of content that scrolls between bars. Tables
// scroll by themselves.
func fits(t *testing.T, p *webtest.Page, v variant) {
	t.Helper()
	// The page may still be laying itself out for the new width.
	p.WaitUntil(fmt.Sprintf("the page is not wider than the screen, %s", v.name), fmt.Sprintf(`(main => Math.max(
		document.documentElement.scrollWidth - %d,
		getComputedStyle(main).overflowY === 'auto' ? main.scrollWidth - main.clientWidth : 0) <= 0
		)(document.querySelector('main'))`, p.Width()))
}

// speaksPlainly checks that the page has words where people read, not the names that programs use, such as gift_code,
// oloy.customer.birthday or {}. Codes and texts to copy may have them, and so may placeholders of messages.
func speaksPlainly(t *testing.T, p *webtest.Page) {
	t.Helper()
	names := webtest.Eval[[]string](p, `(() => {
		const names = /\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b|\boloy\b|\{\}|\b[a-z]+[A-Z][a-z]+\b|\(SKU\s|\bundefined\b|\bnull\b/
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
		const found = []
		while (texts.nextNode()) {
			const text = texts.currentNode.data.replace(/\{\{ \w+ \}\}/g, '')
			const isToCopy = texts.currentNode.parentElement.closest('code, pre, .copy, script, textarea')
			if (names.test(text) && !isToCopy) found.push(text)
		}
		return found
	})()`)
	if len(names) > 0 {
		t.Errorf("people read the names of programs: %q", names)
	}
}

// emptyStore creates a store in which nothing has happened yet, and returns its code.
func emptyStore(t *testing.T, s *shop) string {
	t.Helper()
	s.call(t, s.admin, "POST", "/api/store", map[string]any{"store": map[string]any{
		"code": "EMPTY", "name": "Empty store", "currency": "EUR", "active": true,
	}}, nil)
	return "EMPTY"
}

// administratorWithoutPermissions adds an administrator whose role permits next to nothing, because every role has a
// permission, and returns the e-mail address. The password is firstPassword.
func administratorWithoutPermissions(t *testing.T, s *shop) string {
	t.Helper()
	var role struct {
		ID any `json:"id"`
	}
	s.call(t, s.admin, "POST", "/api/admin/acl/role", map[string]any{"role": map[string]any{
		"name": "Nobody", "permissions": []any{map[string]any{"resource": "SEGMENT_EXPORT", "access": "VIEW"}},
	}}, nil)
	var roles struct {
		Roles []struct {
			ID   any    `json:"id"`
			Name string `json:"name"`
		} `json:"roles"`
	}
	s.call(t, s.admin, "GET", "/api/admin/acl/role", nil, &roles)
	for _, r := range roles.Roles {
		if r.Name == "Nobody" {
			role.ID = r.ID
		}
	}
	s.call(t, s.admin, "POST", "/api/admin/data", map[string]any{"admin": map[string]any{
		"firstName": "No", "lastName": "Body", "email": "nobody@example.org", "plainPassword": firstPassword,
		"isActive": true, "roles": []any{role.ID},
	}}, nil)
	return "nobody@example.org"
}

// screensDocument is docs/screens.md: what the routes, the sources and this table say.
func screensDocument(t *testing.T, routes []route) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("# Screens\n\nEvery screen of the web apps, written by\n" +
		"`go test ./web/tests -run EveryScreen -update` from the tables of routes. A test walks through each, and looks\n" +
		"at it wide and narrow, light and dark, with data, without (an empty store), when calls fail, and as an\n" +
		"administrator without the permission. `make pictures` takes the pictures.\n")
	names := map[string]string{}
	for _, s := range screens {
		names[s.app+s.path] = s.name
	}
	titles := map[string]string{"cockpit": "The cockpit", "till": "The till", "me": "The customer's app"}
	last := ""
	for _, r := range routes {
		if r.app != last {
			last = r.app
			fmt.Fprintf(&out, "\n## %s\n\n| screen | permission | calls | wide | narrow |\n", titles[r.app])
			out.WriteString("|---|---|---|---|---|\n")
		}
		s := &screen{app: r.app, name: names[r.app+r.path]}
		link := func(i int, text string) string { return "[" + text + "](pictures/" + variants[i].file(s) + ")" }
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s, %s | %s, %s |\n", r.path, r.resource,
			strings.Join(callsOf(t, r.source), ", "), link(0, "light"), link(1, "dark"), link(2, "light"), link(3, "dark"))
	}
	return out.String()
}

var (
	calledPath = regexp.MustCompile("['\"`](/api/[^'\"`?]+)")
	inserted   = regexp.MustCompile(`\$\{[^}]*\}`)
	imported   = regexp.MustCompile(`(?:from|import\() ?'(\.[^']+)'`)
	typeImport = regexp.MustCompile(`import type [^']*'[^']*'`)
)

// callsOf returns the paths of the API that a screen calls, from its source and the files of the app that it imports.
func callsOf(t *testing.T, source string) []string {
	t.Helper()
	found, seen := map[string]bool{}, map[string]bool{}
	var read func(name string)
	read = func(name string) {
		folder, _, _ := strings.Cut(name, "/")
		if seen[name] || folder == "ui" || folder == "api" || folder == "i18n" || path.Base(name) == "routes" {
			return
		}
		seen[name] = true
		for _, extension := range []string{".tsx", ".ts"} {
			text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)+extension))
			if err != nil {
				continue
			}
			text = inserted.ReplaceAll(typeImport.ReplaceAll(text, nil), []byte("…"))
			for _, m := range calledPath.FindAllSubmatch(text, -1) {
				found["`"+string(m[1])+"`"] = true
			}
			for _, m := range imported.FindAllSubmatch(text, -1) {
				read(path.Join(path.Dir(name), string(m[1])))
			}
		}
	}
	read(source)
	var all []string
	for call := range found {
		all = append(all, call)
	}
	slices.Sort(all)
	return all
}
