package openapi

import (
	"net/http"
	"strings"

	"punchcard/core/api"
)

// refusal is a status of errors that operations share.
type refusal struct {
	status, name string
	when         func(e *api.Endpoint) bool // it can happen
}

func always(*api.Endpoint) bool { return true }

func writes(e *api.Endpoint) bool { return e.Method != http.MethodGet }

// hasBody reports whether the endpoint reads a body, in a form or as a file.
func hasBody(e *api.Endpoint) bool { return e.Form != nil || e.UploadBytes > 0 }

var refusals = []refusal{
	{"400", "BadRequest", always},
	{"401", "Unauthorized", func(e *api.Endpoint) bool { return !e.Access.Anyone || e.Form != nil }},
	{"403", "Forbidden", func(e *api.Endpoint) bool { return !e.Access.Anyone || writes(e) }},
	{"404", "NotFound", always},
	{"409", "Conflict", func(e *api.Endpoint) bool { return writes(e) || strings.Contains(e.Path, "/report/") }},
	{"412", "PreconditionFailed", func(e *api.Endpoint) bool { return e.Keyed() && e.Replaces() }},
	{"413", "TooLarge", hasBody},
	{"415", "UnsupportedMedia", hasBody},
	{"422", "Unprocessable", writes},
	{"429", "TooManyRequests", always},
	{"500", "InternalError", always},
	{"503", "Unavailable", always},
}
