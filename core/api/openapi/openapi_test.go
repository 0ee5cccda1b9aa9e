package openapi_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/api/openapi"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/form"
	"punchcard/platform/web"
)

// letter is the object of the endpoints in the tests.
type letter struct {
	envelope
	ID       string             `json:"letterId"`
	Stamps   []stamp            `json:"stamps"`
	Weight   decimal.Hundredths `json:"weight"`
	SentAt   *string            `json:"sentAt,omitempty"`
	Reply    *letter            `json:"reply"`
	Notes    map[string]string  `json:"notes"`
	Extra    json.RawMessage    `json:"extra"`
	Labels   labels             `json:"labels"`
	Page     page[stamp]        `json:"page"`
	Hidden   string             `json:"-"`
	Untagged bool
	private  int
}

type envelope struct {
	Colour string `json:"colour"`
	ID     int    `json:"letterId"`
}

type stamp struct {
	Price int64 `json:"price,string"`
}

type page[T any] struct {
	Rows []T `json:"rows"`
}

// labels are an empty array where there are none.
type labels map[string]int64

func (l labels) MarshalJSON() ([]byte, error) {
	if len(l) == 0 {
		return []byte("[]"), nil
	}
	return json.Marshal(map[string]int64(l))
}

func readLetter(g *form.Group) string {
	seal := g.Group("seal")
	kind := seal.Choice("kind", []string{"round", "square"}, form.NotBlank)
	if kind == "round" {
		seal.Choice("colour", []string{"red", "green"}, form.NotBlank)
	}
	for _, name := range g.Keys("texts") {
		g.Group("texts").Group(name).Text("text", form.NotBlank, form.MaxLength(9))
	}
	for _, line := range g.Groups("lines") {
		line.Decimal("price", 2, form.AtLeast(150), form.LessThan(1000))
	}
	g.Texts("tags", form.MinItems(1))
	g.UUIDs("owners")
	g.DateTime("sentAt", time.UTC)
	g.Integer("copies", form.GreaterThan(0))
	g.Checkbox("urgent")
	return kind
}

// readPhotographed reads a letter with a file, which JSON cannot hold.
func readPhotographed(g *form.Group) string {
	g.File("photo")
	return readLetter(g)
}

func endpoints() []api.Endpoint {
	handle := func(c *api.Call) error { return c.Done() }
	return []api.Endpoint{
		{Method: "POST", Path: "/api/{storeCode}/letter", Access: access.AdministratorWith(access.Levels, access.Modify),
			Factor: api.Everyday, Audit: api.Audited("WriteLetter", "letter"),
			Handle: handle, Summary: "Send a letter", Form: api.Reads(readLetter), Response: letter{private: 1}},
		{Method: "POST", Path: "/api/letter", Access: access.Public(), Factor: api.Everyday,
			Audit:  api.Audited("WriteLetter", "letter"),
			Handle: handle, Summary: "Send a letter",
			Form: api.Reads(readPhotographed), Also: map[int]any{503: []stamp{}}},
		{Method: "GET", Path: "/api/letter/{letter}", Access: access.Only(access.Customer), Handle: handle,
			Summary:  "Show a letter about a transaction",
			Query:    api.ListQuery(map[string]string{"name": "n"}, func(q *form.Group) { q.Texts("tag") }),
			Response: api.Media("image/png")},
		{Method: "DELETE", Path: "/api/letter/{id}", Access: access.Only(access.Seller), Factor: api.Everyday, Handle: handle,
			Audit:    api.Audited("DeleteLetter", "letter"),
			Response: api.NoContent{}},
		{Method: "PUT", Path: "/api/letter/{id}", Access: access.Only(access.Seller), Factor: api.Everyday,
			Audit:  api.Audited("WriteLetter", "letter"),
			Handle: handle, Unkeyed: true},
	}
}

const conversation = `A walk.

## Refused
POST /api/SHOP/letter
---
400

## Sent
POST /api/SHOP/letter
as: admin
seal[kind]=round
copies=3
urgent=1
tags[]=a+b
lines[0][price]=1.5
owners[]={{ida}}
---
200
X-Colour: red
{"letterId":"<id-7>"}
> id = letterId

## Sent again
POST /api/SHOP/letter
---
200
`

var sections = []openapi.Section{
	{Name: "Letters", Description: "What is sent.", Endpoints: endpoints()},
	{Name: "Description", Description: "What there is."},
}

// names has the one of an endpoint; the others get theirs of method and path.
var names = openapi.Names{"POST /api/{storeCode}/letter": "sendLetter"}

// all are the endpoints of the tests with those that describe them.
func all(t *testing.T) []api.Endpoint {
	t.Helper()
	conversations := fstest.MapFS{"01.txt": {Data: []byte(conversation)}}
	return append(endpoints(), openapi.Endpoints(openapi.Source{
		Version: "1.2.3", Sections: sections, Names: names, Transcripts: conversations,
		Events: []openapi.Event{{Type: "Post.LetterWasSent", Payload: stamp{}, Personal: []string{"price"}}},
	})...)
}

// serve runs a server of these endpoints, to which nobody logs in.
func serve(t *testing.T) string {
	t.Helper()
	server := &api.Server{Authenticate: func(*web.Request) (*access.Caller, error) { return nil, nil }}
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(all(t))), Log: slog.New(slog.DiscardHandler), NewID: db.NewID, Clock: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	running := httptest.NewServer(handler)
	t.Cleanup(running.Close)
	return running.URL
}

func get(t *testing.T, address string) (*http.Response, []byte) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, body
}

// at walks the description to the part that a path of names and indexes leads to, as compact JSON.
func at(t *testing.T, path ...any) string {
	t.Helper()
	_, body := get(t, serve(t)+"/api/openapi.json")
	for _, step := range path {
		var part json.RawMessage
		switch step := step.(type) {
		case string:
			var members map[string]json.RawMessage
			_ = json.Unmarshal(body, &members) // what is no object has no member
			part = members[step]
		case int:
			var elements []json.RawMessage
			if json.Unmarshal(body, &elements) == nil && step < len(elements) {
				part = elements[step]
			}
		}
		if part == nil {
			t.Fatalf("no %v in %s", step, body)
		}
		body = part
	}
	return string(body)
}

func expect(t *testing.T, want string, path ...any) {
	t.Helper()
	var got, wanted any
	if err := json.Unmarshal([]byte(at(t, path...)), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("%v (-want +got):\n%s", path, diff)
	}
}

// A response is described by the type that encoding/json writes.
func TestAnswerOfAType(t *testing.T) {
	expect(t, `{"type":"object","properties":{
		"colour":{"type":"string"},
		"letterId":{"type":"string"},
		"stamps":{"type":"array","items":{"$ref":"#/components/schemas/OpenapiTestStamp"}},
		"weight":{"type":"number"},
		"sentAt":{"type":"string"},
		"reply":{"anyOf":[{"$ref":"#/components/schemas/OpenapiTestLetter"},{"type":"null"}]},
		"notes":{"type":"object","additionalProperties":{"type":"string"}},
		"extra":{},
		"labels":{"anyOf":[{"type":"object","additionalProperties":{"type":"integer"}},{"type":"array","items":{}}]},
		"page":{"$ref":"#/components/schemas/OpenapiTestPageOpenapiTestStamp"},
		"Untagged":{"type":"boolean"}},
		"required":["colour","letterId","stamps","weight","reply","notes","extra","labels","page","Untagged"]}`,
		"components", "schemas", "OpenapiTestLetter")
	expect(t, `{"type":"object","properties":{"price":{"type":"string"}},"required":["price"]}`,
		"components", "schemas", "OpenapiTestStamp")
	text := at(t, "components", "schemas", "OpenapiTestLetter")
	if strings.Index(text, `"stamps"`) > strings.Index(text, `"notes"`) {
		t.Errorf("the members are not in their order: %s", text)
	}
}

// A form is described by the code that reads it, in all its branches.
func TestFormOfItsReader(t *testing.T) {
	expect(t, `{"type":"object","properties":{
		"seal":{"type":"object","properties":{
			"kind":{"type":"string","enum":["round","square"]},
			"colour":{"type":"string","enum":["red","green"],"description":"Required when kind is round."}},
			"required":["kind"]},
		"texts":{"type":"object","additionalProperties":{"type":"object",
			"properties":{"text":{"type":"string","maxLength":9}},"required":["text"]}},
		"lines":{"type":"array","items":{"type":"object",
			"properties":{"price":{"type":"number","minimum":1.5,"maximum":9.99}}}},
		"tags":{"type":"array","items":{"type":"string"},"minItems":1},
		"owners":{"type":"array","items":{"type":"string","format":"uuid"}},
		"sentAt":{"type":"string","pattern":
			"^\\d{4}-\\d{2}-\\d{2}([ T]\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-](0\\d|1[0-4]):?[0-5]\\d)?)?$"},
		"copies":{"type":"integer","minimum":1},
		"urgent":{"type":"boolean"}},
		"required":["seal","tags"]}`,
		"components", "schemas", "SendLetterForm")
	expect(t, `{"required":true,"content":{
		"multipart/form-data":{"schema":{"$ref":"#/components/schemas/PostLetterForm"}}}}`,
		"paths", "/api/letter", "post", "requestBody")
	expect(t, `{"type":"string","contentMediaType":"application/octet-stream"}`,
		"components", "schemas", "PostLetterForm", "properties", "photo")
	// What a transcript sends as a form is shown as JSON, with values of the types of the schema.
	expect(t, `{"required":true,"content":{
		"application/json":{"schema":{"$ref":"#/components/schemas/SendLetterForm"},
		"examples":{"transcript":{"value":{"seal":{"kind":"round"},"copies":3,"urgent":true,"tags":["a+b"],
		"lines":[{"price":1.5}],"owners":["0190a6e0-0000-7000-8000-000000000001"]}}}}}}`,
		"paths", "/api/{storeCode}/letter", "post", "requestBody")
}

func TestOperation(t *testing.T) {
	store := []any{"paths", "/api/{storeCode}/letter", "post"}
	expect(t, `"administrator (LEVEL MODIFY)"`, append(store, "x-who")...)
	expect(t, `["Letters"]`, append(store, "tags")...)
	expect(t, `"POST /api/SHOP/letter\nas: admin\nseal[kind]=round\ncopies=3\nurgent=1\ntags[]=a+b\nlines[0][price]=1.5\n`+
		`owners[]={{ida}}\n---\n200\nX-Colour: red\n{\"letterId\":\"<id-7>\"}"`, append(store, "x-example")...)
	expect(t, `[{"url":"/"}]`, "servers")
	expect(t, `"DEFAULT"`, append(store, "parameters", 0, "example")...)
	expect(t, `[]`, "paths", "/api/letter", "post", "security")
	expect(t, `[{"token":[]},{"permanentToken":[]},{"apiKey":[]},{"clientCredentials":[]}]`, "security")
	fault := func(name string) string { return `{"$ref":"#/components/responses/` + name + `"}` }
	const replayed = `"headers":{"Idempotent-Replayed":{"$ref":"#/components/headers/Idempotent-Replayed"}}`
	expect(t, `{"200":{"description":"The response.",`+replayed+`,
			"content":{"application/json":{"schema":{"$ref":"#/components/schemas/OpenapiTestLetter"},
			"examples":{"transcript":{"value":{"letterId":"0190a6e0-0000-7000-8000-000000000002"}}}}}},
		"400":`+fault("BadRequest")+`,"401":`+fault("Unauthorized")+`,"403":`+fault("Forbidden")+`,
		"404":`+fault("NotFound")+`,"409":`+fault("Conflict")+`,"413":`+fault("TooLarge")+`,
		"415":`+fault("UnsupportedMedia")+`,"422":`+fault("Unprocessable")+`,"429":`+fault("TooManyRequests")+`,
		"500":`+fault("InternalError")+`,"503":`+fault("Unavailable")+`}`,
		append(store, "responses")...)
	expect(t, `{"description":"The response.","content":{"application/json":{"schema":
		{"type":"array","items":{"$ref":"#/components/schemas/OpenapiTestStamp"}}}}}`,
		"paths", "/api/letter", "post", "responses", "503")
	expect(t, `{"Idempotent-Replayed":{"$ref":"#/components/headers/Idempotent-Replayed"},
		"Limit-Setting":{"$ref":"#/components/headers/Limit-Setting"}}`,
		"components", "responses", "BadRequest", "headers")
	expect(t, `"string"`, "components", "headers", "Limit-Setting", "schema", "type")
	// Two paths of one shape are one path of the document.
	expect(t, `{"description":"Done.",`+replayed+`}`, "paths", "/api/letter/{letter}", "delete", "responses", "204")
	expect(t, `"Idempotency-Key"`, "paths", "/api/letter/{letter}", "delete", "parameters", 1, "name")
	expect(t, `"header"`, "paths", "/api/letter/{letter}", "delete", "parameters", 1, "in")
	expect(t, `"letter"`, "paths", "/api/letter/{letter}", "delete", "parameters", 0, "name")
	expect(t, `{"name":"tag[]","in":"query","style":"form","explode":true,
		"schema":{"type":"array","items":{"type":"string"}}}`, "paths", "/api/letter/{letter}", "get", "parameters", 1)
	expect(t, `{"description":"The content.","content":{"image/png":{}}}`,
		"paths", "/api/letter/{letter}", "get", "responses", "200")
	// It takes no Idempotency-Key.
	expect(t, `{"description":"Done; the body is empty."}`, "paths", "/api/letter/{letter}", "put", "responses", "200")
	expect(t, `"Dry-Run"`, "paths", "/api/letter/{letter}", "put", "parameters", 1, "name")
}

// An operation has the name of the list, or one of its method and path.
func TestNames(t *testing.T) {
	expect(t, `"sendLetter"`, "paths", "/api/{storeCode}/letter", "post", "operationId")
	expect(t, `"deleteLetterById"`, "paths", "/api/letter/{letter}", "delete", "operationId")
	for _, wrong := range []string{"GET /a", "GET /a one\nGET /b one\n", "GET /a one\nGET /a other\n"} {
		if _, err := openapi.ParseNames(wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
	found, err := openapi.ParseNames("GET /a one\n")
	if err != nil || found["GET /a"] != "one" {
		t.Errorf("%v, %v", found, err)
	}
}

// Web hooks send objects that their type tells apart. A member that some callers do not see is not required.
func TestWebhooks(t *testing.T) {
	expect(t, `{"$ref":"#/components/schemas/WebhookEvent"}`,
		"webhooks", "event", "post", "requestBody", "content", "application/json", "schema")
	expect(t, `{"oneOf":[{"$ref":"#/components/schemas/LetterWasSent"}],"discriminator":{"propertyName":"type",
		"mapping":{"Post.LetterWasSent":"#/components/schemas/LetterWasSent"}}}`, "components", "schemas", "WebhookEvent")
	expect(t, `{"type":"object","properties":{"price":{"type":"string"}}}`,
		"components", "schemas", "LetterWasSent", "properties", "data", "properties", "payload")
	expect(t, `["Post.LetterWasSent"]`, "components", "schemas", "LetterWasSent", "properties", "type", "enum")
	expect(t, `["price"]`, "components", "schemas", "OpenapiTestStamp", "required")
}

func TestSections(t *testing.T) {
	expect(t, `[{"name":"Letters","description":"What is sent."},
		{"name":"Description","description":"What there is."}]`, "tags")
	expect(t, `["Description"]`, "paths", "/api/openapi.json", "get", "tags")
}

// The literal segment at the leftmost place wins, as in the router.
func TestMatch(t *testing.T) {
	table := []api.Endpoint{
		{Method: "GET", Path: "/api/{storeCode}/{thing}"}, {Method: "GET", Path: "/api/{storeCode}/level"},
		{Method: "GET", Path: "/api/token/{thing}"}, {Method: "POST", Path: "/api/{storeCode}/{thing}"},
		{Method: "GET", Path: "/files/{name...}"},
	}
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/api/SHOP/level", "/api/{storeCode}/level"},
		{"GET", "/api/SHOP/other", "/api/{storeCode}/{thing}"},
		{"GET", "/api/token/level", "/api/token/{thing}"},
		{"POST", "/api/SHOP/level", "/api/{storeCode}/{thing}"},
		{"GET", "/files/a/b", "/files/{name...}"},
		{"GET", "/api/SHOP/", ""}, {"GET", "/api/SHOP", ""}, {"GET", "/api/SHOP/a/b", ""}, {"PUT", "/api/SHOP/level", ""},
	} {
		got := ""
		if e := openapi.Match(table, c.method, c.path); e != nil {
			got = e.Path
		}
		if got != c.want {
			t.Errorf("%s %s is served by %q, want %q", c.method, c.path, got, c.want)
		}
	}
}

func TestPageIsServedUnderAStrictPolicy(t *testing.T) {
	server := serve(t)
	for path, mediaType := range map[string]string{
		"/docs": "text/html; charset=utf-8", "/docs/page.css": "text/css; charset=utf-8",
		"/docs/reference.js": "text/javascript; charset=utf-8", "/docs/icon.svg": "image/svg+xml",
		web.ErrorsPage: "text/html; charset=utf-8",
	} {
		response, body := get(t, server+path)
		policy := response.Header.Get("Content-Security-Policy")
		if response.StatusCode != 200 || response.Header.Get("Content-Type") != mediaType || len(body) == 0 ||
			policy != "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "+
				"connect-src 'self'; font-src 'self'; object-src 'none'; "+
				"base-uri 'none'; form-action 'self'; frame-ancestors 'none'" {
			t.Errorf("%s: %d %s, policy %q", path, response.StatusCode, response.Header.Get("Content-Type"), policy)
		}
		if strings.Contains(string(body), "style=") || strings.Contains(string(body), "://") &&
			!strings.Contains(string(body), "http://www.w3.org/2000/svg") {
			t.Errorf("%s has an inline style or an outside address", path)
		}
	}
	for _, path := range []string{"/docs/page", "/docs/none.js", "/docs/..%2fopenapi.go", "/docs/"} {
		if response, _ := get(t, server+path); response.StatusCode != 404 {
			t.Errorf("%s: %d", path, response.StatusCode)
		}
	}
}

// The files of Swagger UI have its version in their names, so that browsers never ask for them again.
func TestSwaggerUIIsCachedForEver(t *testing.T) {
	server := serve(t)
	_, index := get(t, server+"/docs")
	for path, size := range map[string]int{"/docs/swagger-ui-5.35.0.js": 1732839, "/docs/swagger-ui-5.35.0.css": 187956} {
		response, body := get(t, server+path)
		if response.StatusCode != 200 || len(body) != size ||
			!strings.Contains(string(index), path[:strings.LastIndexByte(path, '.')]) ||
			response.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: %d, %d bytes, %v", path, response.StatusCode, len(body), response.Header)
		}
	}
}
