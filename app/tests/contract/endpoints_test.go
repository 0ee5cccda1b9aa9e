package contract_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/core/api"
)

const endpointsFile = "../../../docs/endpoints.md"

// docs/endpoints.md is generated from the endpoint table and the transcripts. It has each of the 40 endpoints of the
// contract, and each is called in a transcript.
func TestEndpointsDocument(t *testing.T) {
	endpoints := app.EndpointTable()
	slices.SortStableFunc(endpoints, func(a, b api.Endpoint) int { return strings.Compare(a.Path, b.Path) })
	shown := transcriptsOf(t, endpoints)
	var contract, others []string
	for n := 1; n <= 40; n++ {
		rows := rowsOf(endpoints, shown, func(code string) bool { return code == strconv.Itoa(n) })
		if len(rows) == 0 {
			t.Errorf("no endpoint is number %d of the contract", n)
		}
		contract = append(contract, rows...)
	}
	for _, row := range contract {
		if strings.HasSuffix(row, "|  |") {
			t.Errorf("no transcript shows %s", row)
		}
	}
	others = rowsOf(endpoints, shown, func(code string) bool {
		n, err := strconv.Atoi(code)
		return err != nil || n < 1 || n > 40
	})
	text := "# Endpoints\n\n" +
		"Every endpoint, who may call it, whether it needs the [second factor](behaviour/second-factor.md#step-up) or why\n" +
		"not, and the [transcripts](transcripts) that show it; written by\n" +
		"`go test ./app/tests/contract -run Endpoints -update` from the table that the server uses. Names in braces are " +
		"path\nsegments; `{storeCode}` is checked after the caller.\n\n" +
		"## The 40 of the contract\n\n" + tableHead + strings.Join(contract, "\n") +
		"\n\n## The program around them\n\n" + tableHead + strings.Join(others, "\n") + "\n"
	if *servertest.Update {
		if err := os.WriteFile(endpointsFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(endpointsFile)
	if err != nil || string(written) != text {
		t.Errorf("docs/endpoints.md is stale (%v): run go test ./app/tests/contract -run Endpoints -update", err)
	}
}

const tableHead = "| code | method | path | who | second factor | transcripts |\n|---|---|---|---|---|---|\n"

func rowsOf(endpoints []api.Endpoint, shown map[string][]string, wanted func(code string) bool) (rows []string) {
	for _, e := range endpoints {
		if wanted(servertest.CodeOf(&e)) {
			rows = append(rows, fmt.Sprintf("| %s | %s | `%s` | %s | %s | %s |", servertest.CodeOf(&e), e.Method, e.Path,
				e.Access, e.Factor, strings.Join(shown[e.Method+" "+e.Path], ", ")))
		}
	}
	return rows
}

// transcriptsOf returns the transcripts that call each endpoint.
func transcriptsOf(t *testing.T, endpoints []api.Endpoint) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("../../../docs/transcripts/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "\n## ")[1:] {
			method, path, _ := strings.Cut(strings.Split(part, "\n")[1], " ")
			path, _, _ = strings.Cut(path, "?")
			if key, found := endpointOf(endpoints, method, path); found {
				name := strings.TrimSuffix(filepath.Base(file), ".txt")
				if !slices.Contains(shown[key], name) {
					shown[key] = append(shown[key], name)
				}
			}
		}
	}
	return shown
}

// endpointOf finds the endpoint of a request. Fixed words take precedence over names.
func endpointOf(endpoints []api.Endpoint, method, path string) (key string, found bool) {
	asked, best := strings.Split(path, "/"), -1
	for _, e := range endpoints {
		segments := strings.Split(e.Path, "/")
		fixed := 0
		if e.Method != method || len(segments) != len(asked) || !slices.EqualFunc(segments, asked, func(s, a string) bool {
			if s == a {
				fixed++
			}
			return s == a || strings.HasPrefix(s, "{")
		}) {
			continue
		}
		if fixed > best {
			best, key, found = fixed, e.Method+" "+e.Path, true
		}
	}
	return key, found
}
