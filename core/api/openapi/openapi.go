// Package openapi describes all endpoints in an OpenAPI 3.1 document, and serves a page that shows it offline.
package openapi

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/yuin/goldmark"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/fault"
)

//go:embed page
var page embed.FS

// policy lets the page load files of this server only.
// Swagger UI sets styles of elements, and its icons are data.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// vendored are the files of Swagger UI, which are stored compressed. Their names have its version.
var vendored = map[string]func() ([]byte, error){
	"swagger-ui-5.35.0.js":  sync.OnceValues(func() ([]byte, error) { return unpack("swagger-ui-5.35.0.js") }),
	"swagger-ui-5.35.0.css": sync.OnceValues(func() ([]byte, error) { return unpack("swagger-ui-5.35.0.css") }),
}

func unpack(name string) ([]byte, error) {
	packed, err := page.ReadFile("page/swagger-ui/" + name + ".zst")
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	return decoder.DecodeAll(packed, nil)
}

// Source holds the parts of the description.
type Source struct {
	Version     string    // of the program
	Sections    []Section // in their order
	Names       Names
	Events      []Event       // that web hooks send
	Effects     []*api.Effect // of dry runs
	Transcripts fs.FS         // with examples, in the format of docs/transcripts
}

// Endpoints returns the endpoints of the description and of its page. They belong to the last section. The description
// is built on first use.
func Endpoints(of Source) []api.Endpoint {
	of.Sections = slices.Clone(of.Sections)
	describe := sync.OnceValues(func() (*file, error) {
		examples, err := examplesOf(of.Sections, of.Transcripts)
		if err != nil {
			return nil, err
		}
		content, err := build(of, examples)
		return &file{mediaType: "application/json", content: content, tag: tagOf(content)}, err
	})
	own := []api.Endpoint{
		{Method: "GET", Path: "/api/openapi.json", Access: access.Public(), Handle: func(c *api.Call) error {
			description, err := describe()
			if err != nil {
				return err
			}
			return description.send(c)
		},
			Summary: "Describe every endpoint", Response: json.RawMessage{}},
		{Method: "GET", Path: "/docs", Access: access.Public(), Handle: sendPage,
			Summary: "Show the description as a page", Response: api.Media("text/html")},
		{Method: "GET", Path: "/docs/{file}", Access: access.Public(), Handle: sendPage,
			Summary: "Send a part of that page", Response: api.Media("*/*")},
	}
	last := &of.Sections[len(of.Sections)-1]
	last.Endpoints = slices.Concat(last.Endpoints, own)
	return own
}

// file is content that does not change while the server runs.
type file struct {
	mediaType string
	content   []byte
	tag       string
}

func tagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// send responds with the file, or with 304 to a client that has it. The tag of a compressed response is a weak one.
func (f *file) send(c *api.Call) error {
	header := c.ResponseHeader()
	header.Set("Etag", f.tag)
	header.Set("Cache-Control", "no-cache") // cached, but revalidated: it may differ in a new version of the program
	if strings.Contains(c.Header.Get("If-None-Match"), f.tag) {
		return c.Empty(304)
	}
	return c.Bytes(200, f.mediaType, f.content)
}

// index is the page of all endpoints, with the introduction in it.
var index = sync.OnceValues(func() ([]byte, error) {
	content, err := page.ReadFile("page/index.html")
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = goldmark.Convert([]byte(introduction), &text)
	return bytes.Replace(content, []byte("<!--introduction-->"), text.Bytes(), 1), err
})

var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

func sendPage(c *api.Call) error {
	name := c.PathValue("file")
	switch name {
	case "":
		name = "index.html"
	case "errors":
		name = "errors.html"
	}
	c.ResponseHeader().Set("Content-Security-Policy", policy)
	c.ResponseHeader().Set("Referrer-Policy", "no-referrer")
	if read := vendored[name]; read != nil {
		content, err := read()
		if err != nil {
			return err
		}
		c.ResponseHeader().Set("Cache-Control", "public, max-age=31536000, immutable")
		return c.Bytes(200, mediaTypes[path.Ext(name)], content)
	}
	content, err := page.ReadFile("page/" + name)
	if err != nil {
		return fault.ErrNotFound
	}
	if name == "index.html" {
		if content, err = index(); err != nil {
			return err
		}
	}
	f := &file{mediaType: mediaTypes[path.Ext(name)], content: content, tag: tagOf(content)}
	return f.send(c)
}
