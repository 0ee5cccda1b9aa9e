package openapi

import (
	"io/fs"
	"slices"
	"strings"

	"punchcard/api"
)

// maxExampleLines is the number of lines that are shown of a long exchange.
const maxExampleLines = 120

// examplesOf returns the first successful exchange of each endpoint, by its key.
func examplesOf(endpoints []api.Endpoint, conversations fs.FS) (map[string]string, error) {
	examples := map[string]string{}
	names, err := fs.Glob(conversations, "*.txt")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(conversations, name)
		if err != nil {
			return nil, err
		}
		exchanges := strings.Split(string(text), "\n## ")
		for _, exchange := range exchanges[1:] {
			_, exchange, _ = strings.Cut(exchange, "\n") // the title
			_, response, _ := strings.Cut(exchange, "\n---\n")
			if !strings.HasPrefix(response, "2") {
				continue
			}
			method, rest, _ := strings.Cut(exchange, " ")
			path, _, _ := strings.Cut(rest, "\n")
			path, _, _ = strings.Cut(path, "?")
			if e := Match(endpoints, method, path); e != nil && examples[key(e)] == "" {
				examples[key(e)] = shortened(strings.TrimSpace(exchange))
			}
		}
	}
	return examples, nil
}

func shortened(exchange string) string {
	lines := strings.Split(exchange, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "> ") })
	if len(lines) > maxExampleLines {
		lines = append(lines[:maxExampleLines], "…")
	}
	return strings.Join(lines, "\n")
}

// Match returns the endpoint that serves a path, nil if there is none. Of several it returns the one with a literal
// segment at the leftmost place where they differ, like the router. An open brace sorts after every letter.
func Match(endpoints []api.Endpoint, method, path string) *api.Endpoint {
	var best *api.Endpoint
	for i := range endpoints {
		e := &endpoints[i]
		if e.Method == method && fits(e.Path, path) && (best == nil || e.Path < best.Path) {
			best = e
		}
	}
	return best
}

func fits(pattern, path string) bool {
	for {
		wanted, patternRest, more := strings.Cut(pattern, "/")
		given, pathRest, further := strings.Cut(path, "/")
		switch {
		case strings.HasSuffix(wanted, "...}"):
			return true
		case more != further, wanted != given && !(strings.HasPrefix(wanted, "{") && given != ""):
			return false
		case !more:
			return true
		}
		pattern, path = patternRest, pathRest
	}
}
