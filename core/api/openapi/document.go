package openapi

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"punchcard/core/api"
	"punchcard/platform/form"
	"punchcard/platform/idempotency"
)

// document is an OpenAPI 3.1 description.
type document struct {
	OpenAPI    string           `json:"openapi"`
	Info       info             `json:"info"`
	Servers    []server         `json:"servers"`
	Security   []requirement    `json:"security"`
	Tags       []tag            `json:"tags"`
	Paths      named[*pathItem] `json:"paths"`
	Webhooks   named[*pathItem] `json:"webhooks,omitempty"`
	Components json.Marshaler   `json:"components"`
}

type info struct {
	Title       string  `json:"title"`
	Version     string  `json:"version"`
	Description string  `json:"description"`
	Contact     contact `json:"contact"`
	License     license `json:"license"`
}

type contact struct {
	Name string `json:"name"`
}

type license struct {
	Name       string `json:"name"`
	Identifier string `json:"identifier"` // of SPDX
}

type server struct {
	URL string `json:"url"`
}

// requirement names one of the security schemes.
type requirement map[string][]string

type tag struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// pathItem has the operations of a path by method, in lower case.
type pathItem = named[*operation]

type operation struct {
	Tags        []string         `json:"tags"`
	Summary     string           `json:"summary,omitempty"`
	Description string           `json:"description"`
	ID          string           `json:"operationId"`
	Who         string           `json:"x-who"`
	Example     string           `json:"x-example,omitempty"`
	Parameters  []parameter      `json:"parameters,omitempty"`
	RequestBody *body            `json:"requestBody,omitempty"`
	Responses   named[*response] `json:"responses"`
	Security    *[]requirement   `json:"security,omitempty"`
}

type parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Required    bool    `json:"required,omitempty"`
	Description string  `json:"description,omitempty"`
	Style       string  `json:"style,omitempty"`
	Explode     bool    `json:"explode,omitempty"`
	Example     string  `json:"example,omitempty"`
	Schema      *schema `json:"schema"`
}

type body struct {
	Required bool             `json:"required,omitempty"`
	Content  named[mediaType] `json:"content"`
}

type response struct {
	Ref         string           `json:"$ref,omitempty"`
	Description string           `json:"description,omitempty"`
	Headers     named[*schema]   `json:"headers,omitempty"`
	Content     named[mediaType] `json:"content,omitempty"`
}

type mediaType struct {
	Schema   *schema        `json:"schema,omitempty"`
	Examples named[example] `json:"examples,omitempty"`
}

// example is a body of a transcript.
type example struct {
	Value json.RawMessage `json:"value"`
}

// examples returns the member examples; nil for no body.
func examples(value json.RawMessage) named[example] {
	if value == nil {
		return nil
	}
	return named[example]{{"transcript", example{value}}}
}

// builder builds the document endpoint by endpoint.
type builder struct {
	document
	components
	shapes map[string]string // paths of the document by their shape, which has no parameter names
	forms  map[string]string // names of the schemas of forms by their JSON
	names  Names
}

// build describes the endpoints. Examples come from the transcripts.
func build(of Source, exchanges map[string]exchange) ([]byte, error) {
	b := &builder{
		document: document{
			OpenAPI: "3.1.0", Servers: []server{{"/"}},
			Info: info{
				"Punchcard", of.Version, introduction, contact{"Punchcard"}, license{"Apache License 2.0", "Apache-2.0"},
			},
			Security: []requirement{{"token": {}}, {"permanentToken": {}}, {"apiKey": {}}, {"clientCredentials": {}}},
		},
		components: components{typeNames: map[reflect.Type]string{}},
		shapes:     map[string]string{}, forms: map[string]string{}, names: of.Names,
	}
	for _, section := range of.Sections {
		b.Tags = append(b.Tags, tag{section.Name, section.Description})
		for i := range section.Endpoints {
			e := &section.Endpoints[i]
			if err := b.add(e, section.Name, exchanges[key(e)]); err != nil {
				return nil, err
			}
		}
	}
	b.Webhooks = b.webhooks(of.Events)
	b.effects(api.EffectsOf(of.Effects))
	b.schemas = append(b.schemas, errorSchemas()...)
	b.Components = named[any]{
		{"securitySchemes", securitySchemes()}, {"headers", headers()}, {"responses", errorResponses()},
		{"schemas", b.schemas},
	}
	return json.Marshal(b.document)
}

func key(e *api.Endpoint) string { return e.Method + " " + e.Path }

// add describes one endpoint.
func (b *builder) add(e *api.Endpoint, section string, shown exchange) error {
	path := b.path(e.Path)
	o := &operation{
		Tags: []string{section}, Summary: e.Summary, Description: describe(e), ID: b.names.of(e), Who: e.Access.String(),
		Example:    shown.text,
		Parameters: slices.Concat(pathParameters(path), queryParameters(e.Query), headerParameters(e)),
		Responses:  b.responses(e, shown),
	}
	if e.Access.Anyone {
		o.Security = &[]requirement{}
	}
	if e.Form != nil {
		reading, err := b.form(o.ID, e.Form, shown)
		if err != nil {
			return err
		}
		o.RequestBody = reading
	}
	at := slices.IndexFunc(b.Paths, func(m member[*pathItem]) bool { return m.name == path })
	if at < 0 {
		at = len(b.Paths)
		b.Paths.add(path, &pathItem{})
	}
	b.Paths[at].value.add(strings.ToLower(e.Method), o)
	return nil
}

var braces = regexp.MustCompile(`\{(\w+)(?:\.\.\.)?\}`)

// path returns the path in the document. Paths that differ only in parameter names are one path there, and the one that
// ends with a slash is shown without it.
func (b *builder) path(pattern string) string {
	pattern = strings.TrimSuffix(pattern, "/")
	shape := braces.ReplaceAllString(pattern, "{}")
	if b.shapes[shape] == "" {
		b.shapes[shape] = braces.ReplaceAllString(pattern, "{$1}")
	}
	return b.shapes[shape]
}

func pathParameters(path string) []parameter {
	var all []parameter
	for _, found := range braces.FindAllStringSubmatch(path, -1) {
		all = append(all, parameter{
			Name: found[1], In: "path", Required: true, Description: inPath[found[1]], Schema: &schema{Type: "string"},
			Example: examplesInPath[found[1]],
		})
	}
	return all
}

// queryParameters describes the fields of the query. Fields of groups and lists have names with brackets.
func queryParameters(read func(*form.Group)) []parameter {
	if read == nil {
		return nil
	}
	var all []parameter
	for _, f := range form.Describe(read) {
		s := querySchema(f)
		p := parameter{Name: f.Name, In: "query", Description: sentences(inQuery[f.Name], s.Description), Schema: s}
		s.Description = ""
		switch f.Kind {
		case form.KindTexts, form.KindUUIDs:
			p.Name += "[]"
			p.Style, p.Explode = "form", true
		case form.KindGroup, form.KindGroups, form.KindMap:
			p.Style, p.Explode = "deepObject", true
		}
		all = append(all, p)
	}
	return all
}

// headerParameters describes the headers of writes.
func headerParameters(e *api.Endpoint) (all []parameter) {
	text := func(name, description string) {
		all = append(all, parameter{Name: name, In: "header", Description: description, Schema: &schema{Type: "string"}})
	}
	if e.Keyed() {
		text(idempotency.Header, keyHeader)
	}
	if e.Keyed() && e.Replaces() {
		text("If-Match", ifMatch)
	}
	if e.HasDryRun() {
		text(api.DryRunHeader, dryRunHeader)
	}
	return all
}

// form describes the body as JSON, or as a multipart form if a file is in it. That all bodies may have three encodings
// stands in the introduction: generators would make three calls, or a union of equal types, of three descriptions.
func (b *builder) form(id string, read func(*form.Group), shown exchange) (*body, error) {
	s := formSchema(form.Describe(read))
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	name := b.forms[string(text)]
	if name == "" {
		name = title(id) + "Form"
		b.forms[string(text)] = name
		b.schemas.add(name, s)
	}
	encoding := "application/json"
	if hasFile(s) {
		encoding = "multipart/form-data"
	}
	content := named[mediaType]{{encoding, mediaType{Schema: reference(name)}}}
	content[0].value.Examples = examples(shown.request(s))
	return &body{Required: len(s.Required) > 0, Content: content}, nil
}

// responses describes the responses of the endpoint and the errors that it may return.
func (b *builder) responses(e *api.Endpoint, shown exchange) named[*response] {
	var all named[*response]
	status := 200
	if _, empty := e.Response.(api.NoContent); empty {
		status = 204
	}
	own := b.response(e.Response)
	if e.Keyed() {
		own.Headers = replayed
	}
	all.add(strconv.Itoa(status), own)
	for status, result := range e.Also {
		all.add(strconv.Itoa(status), b.response(result))
	}
	for i, of := range all {
		if content := of.value.Content; of.name == shown.status && len(content) > 0 && content[0].name == "application/json" {
			all[i].value.Content[0].value.Examples = examples(shown.received)
		}
	}
	fault := func(status, name string) {
		if !all.has(status) {
			all.add(status, &response{Ref: "#/components/responses/" + name})
		}
	}
	for _, one := range refusals {
		if one.when(e) {
			fault(one.status, one.name)
		}
	}
	slices.SortFunc(all, func(x, y member[*response]) int { return strings.Compare(x.name, y.name) })
	return all
}

// effects describes the response to a dry run with effects. No operation lists it: success has one type.
func (b *builder) effects(t reflect.Type) {
	for field := range t.Fields() {
		if of := field.Type; of.Kind() == reflect.Slice && of.Elem() != reflect.TypeFor[api.EventEffect]() {
			own := "Api" + title(of.Elem().Name()) // not of the feature, for older clients
			b.typeNames[of.Elem()] = own
			b.schemas.add(own, b.members(of.Elem()))
		}
	}
	b.schemas.add("ApiEffects", b.members(t))
}

func (b *builder) response(result any) *response {
	switch result := result.(type) {
	case nil:
		return &response{Description: "Done; the body is empty."}
	case api.NoContent:
		return &response{Description: "Done."}
	case api.Media:
		var content named[mediaType]
		for name := range strings.SplitSeq(string(result), ", ") {
			content = append(content, named[mediaType]{{name, mediaType{}}}...)
		}
		return &response{Description: "The content.", Content: content}
	case Composed:
		return jsonResponse(b.composed(result))
	}
	return jsonResponse(b.typeSchema(reflect.TypeOf(result)))
}

func jsonResponse(s *schema) *response {
	return &response{Description: "The response.", Content: named[mediaType]{{"application/json", mediaType{Schema: s}}}}
}
