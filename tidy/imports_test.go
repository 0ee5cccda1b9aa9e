package tidy

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// featureOrder lists the packages of core and the features from the bottom up. Each imports only those before it; what
// a later feature adds to an earlier one are its reactions (core/feature). A folder below one listed here belongs to
// it. No package of core imports one of loyalty.
var featureOrder = []string{
	"core/config", "core/store", "core/access", "core/audit", "core/api", "core/feature", "core/api/health",
	"core/api/openapi",
	"loyalty/rollup", "loyalty/photo", "loyalty/branding", "loyalty/storeapi",
	"loyalty/pos", "loyalty/dataimport", "loyalty/identity/seller", "loyalty/level", "loyalty/points",
	"loyalty/customer", "loyalty/message", "loyalty/identity",
	"loyalty/points/transfer", "loyalty/campaign/category", "loyalty/transaction", "loyalty/occasion",
	"loyalty/segment", "loyalty/campaign", "loyalty/purchase", "loyalty/cashback", "loyalty/invitation", "loyalty/earning",
	"loyalty/checkout",
	"loyalty/customer/merge",
	"loyalty/notification", "loyalty/mailing", "loyalty/journey", "loyalty/bulk",
	"loyalty/eventlog", "loyalty/timeline", "loyalty/auditapi", "loyalty/webhook", "loyalty/analytics",
	"loyalty/attention",
	"web",
}

// platformRank is the order of the platform: a package imports only those of a lower rank, and its own folder.
var platformRank = map[string]int{
	"fault": 0, "decimal": 0, "disk": 0, "filelock": 0, "testwait": 0, "testmode": 0, "testinstall": 0, "keytext": 0,
	"calendar": 0, "plaintext": 0, "trace": 0, "webpush": 0, "powercut": 0,
	"phone": 1, "form": 2, "db": 1, "password": 1, "limit": 1,
	"check": 2, "idempotency": 2,
	"event": 3, "search": 3, "counter": 3,
	"web": 4, "job": 4, "outbound": 4,
	"picture": 5, "delivery": 5, "mail": 5, "replica": 5,
}

// programs lists the folders that may import everything.
var programs = map[string]string{
	"app": "wires the features together, and holds the commands of the program",
	"cmd": "holds the programs",
	"lab": "measures and breaks the product, from a module of its own",
	"web": "serves and builds the web apps, and tests them through the whole server",
}

// leaves lists the folders that import no package of this module.
var leaves = map[string]string{
	"clients":    "is a module of its own for each client",
	"migrations": "embeds the schema",
	"docs":       "embeds the transcripts",
	"tidy":       "reads the source of the others",
}

// confined lists the folders that alone may import a library, all test files included.
var confined = []struct {
	library string // import path, or the beginning of it up to a slash
	folders []string
	reason  string
}{
	{"modernc.org/sqlite", []string{"platform/db/sqlite"}, "SQLite's drivers are known to platform/db/sqlite only"},
	{"zombiezen.com/go/sqlite", []string{"platform/db/sqlite"}, "SQLite's drivers are known to platform/db/sqlite only"},
	{"github.com/jackc/pgx", []string{"platform/db"}, "PostgreSQL's driver is known to platform/db only"},
	{"github.com/nats-io", []string{"platform/event/queue", "app", "lab"},
		"NATS is known to platform/event/queue and to tests of app only, and to lab, which cuts it off"},
	{"github.com/go-webauthn", []string{"loyalty/identity/factor"}, "passkeys are checked in one place"},
	{"github.com/wneessen/go-mail", []string{"platform/mail"}, "SMTP is known to platform/mail only"},
	{"github.com/emersion", []string{"platform/mail"}, "SMTP is known to platform/mail only"},
	{"github.com/superfly/ltx", []string{"platform/replica"}, "the format of copies is known to platform/replica only"},
	{"github.com/minio", []string{"platform/replica"}, "S3 is known to platform/replica only"},
	{"github.com/pkg/sftp", []string{"platform/replica"}, "SFTP is known to platform/replica only"},
}

// speakHTTP lists the folders whose code may import net/http; every test may.
var speakHTTP = map[string]string{
	"platform/web":                   "owns requests and answers",
	"platform/trace":                 "reads and writes the headers that name a trace",
	"platform/picture":               "tells types by content, and answers that a picture is known",
	"platform/outbound":              "calls the addresses that users configure",
	"platform/replica":               "is a client of S3",
	"loyalty/cashback/simulator":     "is a server for tests and demonstrations",
	"core/api":                       "names the statuses of answers",
	"loyalty/eventlog":               "streams events",
	"app":                            "runs the server",
	"cmd":                            "asks a running server how it is",
	"lab":                            "is a client",
	"clients":                        "holds the client in Go",
	"loyalty/identity/auth/authtest": "is a client of the nodes that it starts",
	"loyalty/identity/sso/ssotest":   "is an identity provider for tests",
}

// importRules checks who imports whom. The order of the features binds code, not tests: a test may drive the whole.
func importRules(files []file) []string {
	var violations []string
	unplacedFolders := map[string]bool{} // by folder
	for _, f := range files {
		imports := f.imports()
		for _, imported := range slices.Sorted(maps.Keys(imports)) {
			if reason := refuse(f, imported); reason != "" {
				violations = append(violations, f.at(imports[imported], "imports %s: %s", imported, reason))
			}
		}
		if reason := unplaced(f.folder()); reason != "" && !unplacedFolders[f.folder()] {
			unplacedFolders[f.folder()] = true
			violations = append(violations, f.at(f.syntax.Package, "%s", reason))
		}
	}
	return violations
}

// refuse returns the reason why a file may not import something, empty when it may.
func refuse(f file, imported string) string {
	for _, rule := range confined {
		if within(imported, rule.library) && !within(f.folder(), rule.folders...) {
			return rule.reason
		}
	}
	if imported == "net/http" && !f.isTest() && !permitted(speakHTTP, f.folder()) {
		return "only these speak HTTP: " + list(speakHTTP)
	}
	if own, isOwn := strings.CutPrefix(imported, module); isOwn {
		return refuseOwn(f, own)
	}
	return ""
}

func refuseOwn(f file, imported string) string {
	from, to := unit(f.folder()), unit(imported)
	feature, other := slices.Index(featureOrder, from), slices.Index(featureOrder, to)
	switch {
	case isPlatform(from) && isPlatform(to):
		return refusePlatform(platformPart(from), platformPart(to))
	case isPlatform(from) && (other >= 0 || programs[to] != ""):
		return "the platform knows nothing of loyalty"
	case f.isTest() || from == to:
		return ""
	case top(from) == "core" && top(to) == "loyalty":
		return "core knows nothing of loyalty"
	case leaves[from] != "":
		return from + " imports nothing of ours"
	case feature >= 0 && programs[to] != "":
		return "a feature knows nothing of what wires it"
	case feature >= 0 && other > feature:
		return from + " stands before " + to + " in featureOrder"
	}
	return ""
}

func refusePlatform(from, to string) string {
	if from != to && platformRank[from] <= platformRank[to] {
		return "platform/" + from + " does not stand above platform/" + to + " in platformRank"
	}
	return ""
}

func isPlatform(unit string) bool { return top(unit) == "platform" }

// platformPart is the name below platform: db for platform/db/dbtest.
func platformPart(folder string) string { return top(strings.TrimPrefix(folder, "platform/")) }

// unplaced reports a folder without a place in the order, which no rule would bind.
func unplaced(folder string) string {
	first := unit(folder)
	if isPlatform(first) {
		if _, ranked := platformRank[platformPart(first)]; !ranked {
			return folder + " has no place: write it into platformRank"
		}
		return ""
	}
	if !slices.Contains(featureOrder, first) && programs[first] == "" && leaves[first] == "" {
		return folder + " has no place: write it into featureOrder, programs or leaves"
	}
	return ""
}

// readClock, draw and readEnvironment list the folders whose code may do so itself. All others take the moment from
// tx.Now and ids from tx.NewID, so that tests and a store's test clock decide both. Tests may do all three.
var (
	readClock = map[string]string{
		"app":          "hands the clock in",
		"lab":          "measures",
		"cmd":          "is outside any operation",
		"platform/db":  "is where tx.Now comes from, and measures slow writes",
		"platform/web": "measures requests",
	}
	draw = map[string]string{
		"loyalty/identity/auth":              "makes keys and refresh tokens",
		"loyalty/identity/verification":      "makes tokens and codes",
		"loyalty/campaign":                   "makes codes that nobody guesses",
		"loyalty/identity/apikey":            "makes secrets of keys",
		"clients/go":                         "makes idempotency keys, and varies pauses",
		"loyalty/identity/setup":             "makes tokens of links to the set-up",
		"loyalty/identity/factor":            "makes challenges, secrets and recovery codes",
		"loyalty/identity/factor/factortest": "makes passkeys",
		"loyalty/identity/sso":               "makes the secrets of sign-ins at identity providers",
		"loyalty/identity/till":              "makes the secrets of enrolled tills",
		"loyalty/identity/sso/ssotest":       "is an identity provider for tests",
		"loyalty/invitation":                 "makes tokens of invitations",
		"loyalty/customer":                   "makes card numbers",
		"platform/password":                  "makes salts and passwords",
		"platform/webpush":                   "makes keys and salts",
		"platform/webpush/webpushtest":       "makes the keys of a browser",
		"platform/outbound":                  "makes signing secrets",
		"platform/delivery":                  "spreads retries",
		"lab":                                "draws its load and its faults",
		"platform/powercut":                  "draws which changes survive",
		"app/demo":                           "draws its customers from a fixed seed",
		"platform/db":                        "makes ids, and spreads retries and the names of test databases",
	}
	readEnvironment = map[string]string{
		"app":                  "reads the settings",
		"lab":                  "hands its own to the programs that it starts",
		"cmd":                  "reads the settings",
		"platform/db/dbtest":   "finds the server that tests use",
		"platform/trace":       "reads the variables of OpenTelemetry",
		"platform/testinstall": "passes the environment on to apt-get",
		"platform/testmode":    "reads how much of the tests is to run",
		"platform/testwait":    "reads by what time-outs of tests are multiplied",
		"web/webtest":          "finds out whether tests of the web apps run",
	}
)

// sideEffects lists what makes a run differ from the next one. Without a function the import itself counts.
var sideEffects = []struct {
	library   string
	functions []string
	allowed   map[string]string
}{
	{"time", []string{"Now", "Since", "Until"}, readClock},
	{"math/rand", nil, draw},
	{"math/rand/v2", nil, draw},
	{"crypto/rand", nil, draw},
	{"os", []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, readEnvironment},
}

func sideEffectRules(files []file) []string {
	var violations []string
	for _, f := range files {
		for _, effect := range sideEffects {
			if f.isTest() || permitted(effect.allowed, f.folder()) {
				continue
			}
			for name, position := range uses(f, effect.library, effect.functions) {
				violations = append(violations, f.at(position, "uses %s, which only these may: %s",
					name, list(effect.allowed)))
			}
		}
	}
	slices.Sort(violations)
	return violations
}

// uses finds the named functions of a library in a file, called or handed on, each where it stands first. Without
// names it finds the import.
func uses(f file, library string, functions []string) map[string]token.Pos {
	found := map[string]token.Pos{}
	position, imported := f.imports()[library]
	if imported && functions == nil {
		found[library] = position
	}
	if !imported || functions == nil {
		return found
	}
	name := library
	for _, spec := range f.syntax.Imports {
		if spec.Name != nil && spec.Path.Value == `"`+library+`"` {
			name = spec.Name.Name
		}
	}
	ast.Inspect(f.syntax, func(node ast.Node) bool {
		selector, isSelector := node.(*ast.SelectorExpr)
		if !isSelector {
			return true
		}
		of, isName := selector.X.(*ast.Ident)
		function := library + "." + selector.Sel.Name
		if isName && of.Name == name && slices.Contains(functions, selector.Sel.Name) && found[function] == token.NoPos {
			found[function] = selector.Pos()
		}
		return true
	})
	return found
}

func permitted(allowed map[string]string, folder string) bool {
	return within(folder, slices.Collect(maps.Keys(allowed))...)
}

func list(allowed map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(allowed)), ", ")
}

// emptyNames do not describe a package.
var emptyNames = []string{"util", "common", "helper", "manager", "impl", "service"}

// nameRules refuses package names without a meaning, and init functions, whose effect no reader of main sees.
func nameRules(files []file) []string {
	var violations []string
	for _, f := range files {
		name := strings.TrimSuffix(f.syntax.Name.Name, "_test")
		if slices.Contains(emptyNames, strings.TrimSuffix(name, "s")) {
			violations = append(violations, f.at(f.syntax.Name.Pos(), "the package name %s says nothing", name))
		}
		for _, declaration := range f.syntax.Decls {
			function, isFunction := declaration.(*ast.FuncDecl)
			if isFunction && function.Recv == nil && function.Name.Name == "init" {
				violations = append(violations, f.at(function.Pos(), "init hides what happens: call it from main"))
			}
		}
	}
	return violations
}
