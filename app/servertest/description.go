package servertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"punchcard/app"
	"punchcard/core/api"
	"punchcard/core/api/openapi"
	"punchcard/platform/form"
)

// description is the API description of a server, made strict: a response with a member that it does not name is wrong.
type description struct {
	*openapi3.T
	Endpoints []api.Endpoint
	routes    map[string]*routers.Route // by method and shape

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // by place in the description; compiling one takes longer than using it
}

// descriptions are those of the running servers with kinds of their own, by host, and the one that all others share:
// building it takes longer than most tests.
var descriptions = struct {
	sync.Mutex
	further map[string]*description // nil before the first request
	common  *description
}{further: map[string]*description{}}

// hasKinds notes that the server with the address describes kinds of its own, until the end of the test.
func hasKinds(t testing.TB, base string) {
	t.Helper()
	server, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	descriptions.Lock()
	defer descriptions.Unlock()
	descriptions.further[server.Host] = nil
	t.Cleanup(func() { // another server may get the port
		descriptions.Lock()
		defer descriptions.Unlock()
		delete(descriptions.further, server.Host)
	})
}

// DescribedBy returns the description of a server. Its forms depend on the server's kinds.
func DescribedBy(t testing.TB, server *url.URL) *description {
	t.Helper()
	descriptions.Lock()
	defer descriptions.Unlock()
	known, further := descriptions.further[server.Host]
	if !further {
		known = descriptions.common
	}
	if known != nil {
		return known
	}
	known = readDescription(t, server)
	if further {
		descriptions.further[server.Host] = known
	} else {
		descriptions.common = known
	}
	return known
}

// readDescription reads the description that a server sends.
func readDescription(t testing.TB, server *url.URL) *description {
	t.Helper()
	response, err := http.Get(server.Scheme + "://" + server.Host + "/api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return parseDescription(t, text)
}

// parseDescription makes a description strict.
func parseDescription(t testing.TB, text []byte) *description {
	t.Helper()
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	closeObjects(tree)
	strict, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := openapi3.NewLoader().LoadFromData(strict)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(descriptionName, tree); err != nil {
		t.Fatal(err)
	}
	d := &description{
		T: parsed, Endpoints: app.EndpointTable(), routes: map[string]*routers.Route{},
		compiler: compiler, schemas: map[string]*jsonschema.Schema{},
	}
	for path, item := range parsed.Paths.Map() {
		for method, operation := range item.Operations() {
			d.routes[method+" "+Shape(path)] = &routers.Route{
				Spec: parsed, Path: path, PathItem: item, Method: method, Operation: operation,
			}
		}
	}
	return d
}

// descriptionName is the URL of the description for its schemas.
const descriptionName = "punchcard:description"

// inPointer escapes a name in a JSON pointer.
var inPointer = strings.NewReplacer("~", "~0", "/", "~1")

// schema returns the schema at a place in the description.
func (d *description) schema(place ...string) (*jsonschema.Schema, error) {
	pointer := ""
	for _, name := range place {
		pointer += "/" + url.PathEscape(inPointer.Replace(name))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.schemas[pointer]; known != nil {
		return known, nil
	}
	compiled, err := d.compiler.Compile(descriptionName + "#" + pointer)
	if err == nil {
		d.schemas[pointer] = compiled
	}
	return compiled, err
}

// closeObjects refuses members that an object does not list.
func closeObjects(tree any) {
	switch tree := tree.(type) {
	case []any:
		for _, element := range tree {
			closeObjects(element)
		}
	case map[string]any:
		for name, member := range tree {
			if strings.HasSuffix(name, "Form") {
				openConditional(member)
			} else {
				closeObjects(member)
			}
		}
		if _, lists := tree["properties"].(map[string]any); lists && tree["type"] == "object" {
			tree["additionalProperties"] = false
		}
	}
}

// openConditional lets the fields of a form that are read only in some cases have any value, because they are ignored
// in the others.
func openConditional(tree any) {
	object, _ := tree.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	for name, member := range properties {
		description, _ := member.(map[string]any)["description"].(string)
		if strings.Contains(description, "Required when ") || strings.Contains(description, "Read when ") {
			properties[name] = map[string]any{}
		} else {
			openConditional(member)
		}
	}
}

// Route finds the description of a request.
func (d *description) Route(method, path string) (*routers.Route, error) {
	e := openapi.Match(d.Endpoints, method, path)
	if e == nil {
		return nil, nil // no endpoint: the router responds
	}
	if route := d.routes[method+" "+Shape(e.Path)]; route != nil {
		return route, nil
	}
	return nil, fmt.Errorf("%s %s is not described", method, e.Path)
}

// check compares an exchange with the description. A request that was refused may be wrong in any way.
func (d *description) check(request *http.Request, answer Reply) error {
	body, err := sentBody(request)
	if err != nil {
		return err
	}
	route, err := d.Route(overridden(request, body), request.URL.EscapedPath())
	if route == nil {
		return err
	}
	asked := &openapi3filter.RequestValidationInput{Request: request, Route: route}
	if answer.Status < 400 {
		if err := d.checkRequest(asked, body); err != nil {
			return err
		}
	}
	if answer.Header.Get("Content-Type") == api.EffectsType {
		return d.checkSchema(answer, "components", "schemas", "ApiEffects")
	}
	documented := route.Operation.Responses.Status(answer.Status)
	if documented != nil && len(documented.Value.Content) == 0 && len(answer.Body) > 0 {
		return fmt.Errorf("a body where none is described: %s", answer.Body)
	}
	if err := openapi3filter.ValidateResponse(request.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: asked, Status: answer.Status, Header: answer.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true, ExcludeResponseBody: true},
	}); err != nil || documented == nil || request.Method == http.MethodHead {
		return err
	}
	return d.checkBody(route, documented, answer)
}

// checkBody compares the body of a response with its description.
func (d *description) checkBody(route *routers.Route, documented *openapi3.ResponseRef, answer Reply) error {
	if len(documented.Value.Content) == 0 {
		return nil
	}
	kind := answer.Header.Get("Content-Type")
	media := documented.Value.Content.Get(kind)
	if media == nil {
		return fmt.Errorf("a body of the type %q is not described", kind)
	}
	if media.Schema == nil || !strings.Contains(kind, "json") {
		return nil
	}
	place := []string{"paths", route.Path, strings.ToLower(route.Method), "responses", strconv.Itoa(answer.Status)}
	if documented.Ref != "" {
		place = strings.Split(strings.TrimPrefix(documented.Ref, "#/"), "/")
	}
	for name, content := range documented.Value.Content {
		if content == media {
			place = append(place, "content", name, "schema")
		}
	}
	return d.checkSchema(answer, place...)
}

// checkSchema compares the body of a response with the schema at a place in the description.
func (d *description) checkSchema(answer Reply, place ...string) error {
	schema, err := d.schema(place...)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// sentBody returns a copy of the body that was sent.
func sentBody(request *http.Request) ([]byte, error) {
	if request.GetBody == nil {
		return nil, nil
	}
	body, err := request.GetBody()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(body)
}

func overridden(request *http.Request, body []byte) string {
	wanted := request.Header.Get("X-HTTP-Method-Override")
	if sent, err := form.Decode(request.Header.Get("Content-Type"), bytes.NewReader(body)); wanted == "" && err == nil {
		wanted = sent.Child("_method").Text()
	}
	if query, err := form.ParseQuery(request.URL.RawQuery); wanted == "" && err == nil {
		wanted = query.Child("_method").Text()
	}
	if wanted == "" || request.Method != http.MethodPost {
		return request.Method
	}
	return strings.ToUpper(wanted)
}

// everywhere lists the query fields that every endpoint accepts.
var everywhere = []string{"auth_token", "_method"}

// withoutEffect is a query field that a transcript sends to show that it is ignored.
const withoutEffect = "/api/{storeCode}/customer/points/transfer customerId"

// checkRequest requires that the query and the body have only names that are described, and that the values of the body
// are valid.
func (d *description) checkRequest(asked *openapi3filter.RequestValidationInput, body []byte) error {
	query, err := form.ParseQuery(asked.Request.URL.RawQuery)
	if err != nil {
		return err
	}
	for name := range query.Children() {
		known := slices.ContainsFunc(asked.Route.Operation.Parameters, func(p *openapi3.ParameterRef) bool {
			return p.Value.In == "query" && strings.TrimSuffix(p.Value.Name, "[]") == name
		})
		if !known && !slices.Contains(everywhere, name) && asked.Route.Path+" "+name != withoutEffect {
			return fmt.Errorf("the query field %s is not described", name)
		}
	}
	if asked.Request.Method == http.MethodDelete && asked.Route.Operation.RequestBody == nil {
		return nil // the body is not read
	}
	sent, err := form.Decode(asked.Request.Header.Get("Content-Type"), bytes.NewReader(body))
	if err != nil || sent.Len() == 0 {
		return err
	}
	if asked.Route.Operation.RequestBody == nil {
		return fmt.Errorf("no body is described, but one was sent: %s", body)
	}
	mediaType := "application/json" // which stands for all encodings
	if asked.Route.Operation.RequestBody.Value.Content[mediaType] == nil {
		mediaType = "multipart/form-data"
	}
	described := asked.Route.Operation.RequestBody.Value.Content[mediaType].Schema
	schema, err := d.schema("paths", asked.Route.Path, strings.ToLower(asked.Route.Method),
		"requestBody", "content", mediaType, "schema")
	if err != nil {
		return err
	}
	return schema.Validate(valueOf(sent, described.Value))
}

// valueOf returns the JSON value of a submitted one: texts become the type of the schema if they can, and blank ones
// are left out.
func valueOf(n *form.Node, s *openapi3.Schema) any {
	switch {
	case n.File() != nil:
		return n.File().Name
	case n.IsGroup() && !s.Type.Is("object") && (s.Type.Is("array") || n.IsList() && n.Len() > 0):
		values := []any{}
		for _, child := range n.Children() {
			if child.IsGroup() || child.Text() != "" {
				values = append(values, valueOf(child, orAny(s.Items)))
			}
		}
		return values
	case n.IsGroup() && s.Type.Is("string") && n.Len() == 1: // an id, sent as the object that has it
		for _, child := range n.Children() {
			return valueOf(child, s)
		}
	case n.IsGroup():
		values := map[string]any{}
		for name, child := range n.Children() {
			name = strings.TrimPrefix(name, "_") // the other spelling of a log-in
			if child.IsGroup() || child.File() != nil || child.Text() != "" {
				inner := orAny(s.Properties[name])
				if s.Properties[name] == nil {
					inner = orAny(s.AdditionalProperties.Schema)
				}
				values[name] = valueOf(child, inner)
			}
		}
		return values
	}
	text := strings.TrimSpace(n.Text())
	if number, err := strconv.ParseFloat(text, 64); err == nil && (s.Type.Is("integer") || s.Type.Is("number")) {
		return number
	}
	if truth, ok := form.ParseActive(text); ok && s.Type.Is("boolean") {
		return truth
	}
	return text
}

func orAny(s *openapi3.SchemaRef) *openapi3.Schema {
	if s == nil {
		return &openapi3.Schema{}
	}
	return s.Value
}
