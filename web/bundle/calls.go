package bundle

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// operation is the part of an OpenAPI operation that the type of its calls is made of.
type operation struct {
	Parameters []struct {
		Name     string  `json:"name"`
		In       string  `json:"in"`
		Style    string  `json:"style"`
		Required bool    `json:"required"`
		Schema   *schema `json:"schema"`
	} `json:"parameters"`
	RequestBody *struct {
		Required bool               `json:"required"`
		Content  map[string]content `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]content `json:"content"`
	} `json:"responses"`
}

type content struct {
	Schema *schema `json:"schema"`
}

const jsonType = "application/json"

// writeCalls writes a TypeScript interface of all operations, by method and path: the parameters of path and query, the
// body, and the body of the response. The apps put the code of their store into {store}.
func writeCalls(out *strings.Builder, operations map[string]map[string]*operation) {
	paths := map[string][]string{} // by method
	for path, methods := range operations {
		for method := range methods {
			paths[method] = append(paths[method], path)
		}
	}
	out.WriteString("\n// Calls are the operations by method and path.\nexport interface Calls {\n")
	for _, method := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(out, "  %s: {\n", strings.ToUpper(method))
		slices.Sort(paths[method])
		for _, path := range paths[method] {
			o := operations[path][method]
			fmt.Fprintf(out, "    '%s': {\n      params: %s\n      body: %s\n      answer: %s\n    }\n",
				ofStore.ReplaceAllString(path, "{store}"), o.params(), o.body(), o.answer())
		}
		out.WriteString("  }\n")
	}
	out.WriteString("}\n")
}

// ofStore matches the parameter that is the code of a store.
var ofStore = regexp.MustCompile(`\{(storeCode|loginStore)\}`)

// params returns the type of the parameters of path and query. Those that are objects are left out: no app sends them.
func (o *operation) params() string {
	var members []string
	names := map[string]bool{} // a parameter of the query may be called like one of the path
	for _, p := range o.Parameters {
		inPath := p.In == "path"
		if p.In == "header" || p.Style == "deepObject" || !inPath && names[p.Name] || ofStore.MatchString("{"+p.Name+"}") {
			continue
		}
		names[p.Name] = true
		member := quoted(strings.TrimSuffix(p.Name, "[]"))
		if !p.Required {
			member += "?"
		}
		value := p.Schema.typeScript(sent, "")
		if inPath {
			value = "string | number"
		}
		members = append(members, member+": "+value)
	}
	if len(members) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(members, "; ") + " }"
}

func (o *operation) body() string {
	if o.RequestBody == nil {
		return "undefined"
	}
	var body string
	for _, only := range o.RequestBody.Content { // JSON, or a form with a file
		body = only.Schema.typeScript(sent, "      ")
	}
	if !o.RequestBody.Required {
		body += " | undefined"
	}
	return body
}

// answer returns the type of the responses that are no errors: undefined for an empty body. Blob stands for contents
// other than JSON where there is no JSON.
func (o *operation) answer() string {
	var types []string
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		text := "undefined"
		if response := o.Responses[status]; len(response.Content) > 0 {
			text = "Blob"
			if body, isJSON := response.Content[jsonType]; isJSON {
				text = body.Schema.typeScript(received, "      ")
			}
		}
		if !slices.Contains(types, text) {
			types = append(types, text)
		}
	}
	if len(types) > 1 {
		types = slices.DeleteFunc(types, func(text string) bool { return text == "Blob" })
	}
	return strings.Join(types, " | ")
}
