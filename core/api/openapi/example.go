package openapi

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"punchcard/core/api"
	"punchcard/platform/form"
)

// maxExampleLines is the number of lines that are shown of a long exchange.
const maxExampleLines = 120

// exchange is a request of a transcript with its response.
type exchange struct {
	text     string // of both, as it is shown
	sent     string // the body of the request
	form     bool   // the body is not JSON
	status   string
	received json.RawMessage // the body of the response; nil unless it is JSON
}

// examplesOf returns the first successful exchange of each endpoint, by its key.
func examplesOf(sections []Section, conversations fs.FS) (map[string]exchange, error) {
	var endpoints []api.Endpoint
	for _, s := range sections {
		endpoints = append(endpoints, s.Endpoints...)
	}
	examples := map[string]exchange{}
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
			if e := Match(endpoints, method, path); e != nil && examples[key(e)].text == "" {
				examples[key(e)] = parse(strings.TrimSpace(exchange))
			}
		}
	}
	return examples, nil
}

var (
	variable   = regexp.MustCompile(`\{\{\w+\}\}|<id-\d+>`)
	secret     = regexp.MustCompile(`<(\w+)-\d+>`)
	headerLine = regexp.MustCompile(`^[\w-]+: `)
	formField  = regexp.MustCompile(`^[\w%]+(\[[^\]=]*\])*=`)
)

// parse reads an exchange.
func parse(text string) exchange {
	lines := strings.Split(text, "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "> ") })
	x := exchange{text: shortened(lines)}
	plain := secret.ReplaceAllString(withIDs(strings.Join(lines, "\n")), "$1")
	request, response, _ := strings.Cut(plain, "\n---\n")
	_, body, _ := strings.Cut(request, "\n")
	for headerLine.MatchString(body) {
		_, body, _ = strings.Cut(body, "\n")
	}
	switch {
	case json.Valid([]byte(body)):
		x.sent = body
	case formField.MatchString(body):
		x.sent, x.form = strings.ReplaceAll(body, "\n", "&"), true
	}
	x.status, response, _ = strings.Cut(response, "\n")
	for headerLine.MatchString(response) {
		_, response, _ = strings.Cut(response, "\n")
	}
	if response != "" && len(lines) <= maxExampleLines && json.Valid([]byte(response)) {
		x.received = json.RawMessage(response)
	}
	return x
}

// withIDs puts ids in the place of variables, another one for each.
func withIDs(text string) string {
	var seen []string
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		at := slices.Index(seen, name)
		if at < 0 {
			at, seen = len(seen), append(seen, name)
		}
		return fmt.Sprintf("0190a6e0-0000-7000-8000-%012d", at+1)
	})
}

// request returns the body of the request as JSON of the schema, nil if it has none.
func (x exchange) request(s *schema) json.RawMessage {
	mediaType, body := "application/json", x.sent
	if x.form {
		mediaType, body = "application/x-www-form-urlencoded", strings.ReplaceAll(body, "+", "%2B")
	}
	node, err := form.Decode(mediaType, strings.NewReader(body))
	if err != nil || node.Len() == 0 {
		return nil
	}
	value, err := json.Marshal(valueFor(node, s))
	if err != nil {
		return nil
	}
	return value
}

// valueFor converts a value that was sent to the types of a schema, without members that are ignored.
func valueFor(n *form.Node, s *schema) any {
	switch {
	case n.IsGroup() && s.Type == "array":
		values := []any{}
		for _, child := range n.Children() {
			values = append(values, valueFor(child, s.Items))
		}
		return values
	case n.IsGroup():
		values := named[any]{}
		for name, child := range n.Children() {
			of := s.Additional
			if at := slices.IndexFunc(s.Properties, func(m member[*schema]) bool { return m.name == name }); at >= 0 {
				of = s.Properties[at].value
			}
			if of != nil && (child.IsGroup() || child.Text() != "" || of.Type == "string") {
				values.add(name, valueFor(child, of))
			}
		}
		return values
	case s.Type == "boolean":
		return form.IsTrue(n.Text())
	case (s.Type == "integer" || s.Type == "number") && json.Valid([]byte(n.Text())):
		return json.Number(n.Text())
	}
	return n.Text()
}

func shortened(lines []string) string {
	if len(lines) > maxExampleLines {
		lines = append(slices.Clone(lines[:maxExampleLines]), "…")
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
