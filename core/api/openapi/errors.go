package openapi

import (
	"slices"

	"punchcard/platform/idempotency"
	"punchcard/platform/web"
)

// errorSchemas returns the schemas of errors.
func errorSchemas() named[*schema] {
	text := &schema{Type: "string"}
	children := &schema{Type: "object", Additional: reference("FieldErrors")}
	coded := object(member[*schema]{"code", &schema{Type: "integer"}}, member[*schema]{"message", text})
	coded.Required = []string{"code", "message"}
	whole := object(
		member[*schema]{"error", &schema{OneOf: []*schema{text, reference("CodedError")}}},
		member[*schema]{"form", reference("FieldErrors")}, member[*schema]{"errors", listSchema(text)},
		member[*schema]{"code", &schema{Type: "integer"}}, member[*schema]{"message", text},
		member[*schema]{"login_token", text}, member[*schema]{"factors", listSchema(text)},
		member[*schema]{"expiresAt", text})
	whole.Description = "Which members there are depends on the error: error alone, form and errors for problems of " +
		"fields, code and message for log-ins, and login_token, factors and expiresAt besides for one that waits for a " +
		"second factor. With Accept: application/problem+json all errors are a Problem."
	return named[*schema]{
		{"Error", whole}, {"CodedError", coded},
		{"FieldErrors", object(member[*schema]{"errors", listSchema(text)}, member[*schema]{"children", children})},
		{"Problem", problemSchema()},
	}
}

// problemSchema describes the body of errors for clients that accept application/problem+json.
func problemSchema() *schema {
	text, number := &schema{Type: "string"}, &schema{Type: "integer"}
	one := object(member[*schema]{"detail", text}, member[*schema]{"pointer", text}, member[*schema]{"code", text})
	one.Required = []string{"detail", "pointer", "code"}
	s := object(member[*schema]{"type", text}, member[*schema]{"title", text}, member[*schema]{"status", number},
		member[*schema]{"detail", text}, member[*schema]{"code", text}, member[*schema]{"errors", listSchema(one)},
		member[*schema]{"requestId", text}, member[*schema]{"explanation", listSchema(ruleSchema())},
		member[*schema]{"missing", text}, member[*schema]{"permission", text}, member[*schema]{"roles", listSchema(text)})
	s.Required = []string{"type", "title", "status", "detail", "code", "requestId"}
	return s
}

// ruleSchema describes a rule that was checked, for requests that ask for an explanation.
func ruleSchema() *schema {
	text := &schema{Type: "string"}
	s := object(member[*schema]{"rule", text}, member[*schema]{"passed", &schema{Type: "boolean"}},
		member[*schema]{"need", &schema{}}, member[*schema]{"have", &schema{}}, member[*schema]{"hint", text})
	s.Required = []string{"rule", "passed"}
	return s
}

// errorResponses returns the responses of errors that all endpoints have in common.
func errorResponses() named[*response] {
	refusal := func(description string) *response {
		return &response{Description: description, Content: named[mediaType]{
			{"application/json", mediaType{Schema: reference("Error")}},
			{web.ProblemType, mediaType{Schema: reference("Problem")}},
		}}
	}
	all := named[*response]{
		{"BadRequest", refusal("The request is malformed, a rule refuses it, or fields are not valid: then all " +
			"fields of the form are listed with their problems.")},
		{"Unauthorized", refusal("There are no credentials, they are not valid, or a log-in waits for a second factor: " +
			"then the body has login_token, factors and expiresAt.")},
		{"Forbidden", refusal("The caller may not do this, or the permanent token is unknown.")},
		{"NotFound", refusal("The path names nothing that the caller can see.")},
		{"Conflict", refusal("The state of something does not allow it, or a request with the Idempotency-Key is in " +
			"progress; with Retry-After it may be repeated later.")},
		{"PreconditionFailed", refusal("The object has changed since the ETag of If-Match; nothing was changed.")},
		{"TooLarge", refusal("The body is larger than allowed.")},
		{"UnsupportedMedia", refusal("The body has another type than JSON or a form.")},
		{"Unprocessable", refusal("The Idempotency-Key was used for another request, or the call has no dry run.")},
		{"TooManyRequests", refusal("Too many requests; repeat after Retry-After seconds.")},
		{"InternalError", refusal("A defect; the log of the server has the X-Request-Id.")},
		{"Unavailable", refusal("The server is busy or its database is away; repeat after Retry-After seconds.")},
	}
	for _, one := range all {
		if slices.Contains([]string{"BadRequest", "NotFound", "Conflict", "Unprocessable"}, one.name) {
			one.value.Headers = replayed
		}
		if one.name == "BadRequest" {
			one.value.Headers = append(one.value.Headers[:1:1], headerReference(web.LimitSetting))
		}
	}
	return all
}

// replayed refers to the header of responses that may be replays.
var replayed = named[*schema]{headerReference(idempotency.Replayed)}

func headerReference(name string) member[*schema] {
	return member[*schema]{name, &schema{Ref: "#/components/headers/" + name}}
}

type header struct {
	Description string  `json:"description"`
	Schema      *schema `json:"schema"`
}

func headers() named[header] {
	return named[header]{
		{idempotency.Replayed, header{replayedHeader, &schema{Type: "string", Enum: []any{"true"}}}},
		{web.LimitSetting, header{limitSetting, &schema{Type: "string"}}},
	}
}

type securityScheme struct {
	Type         string `json:"type"`
	Scheme       string `json:"scheme,omitempty"`
	BearerFormat string `json:"bearerFormat,omitempty"`
	Name         string `json:"name,omitempty"`
	In           string `json:"in,omitempty"`
	Flows        *flows `json:"flows,omitempty"`
	Description  string `json:"description"`
}

type flows struct {
	ClientCredentials flow `json:"clientCredentials"`
}

type flow struct {
	TokenURL string            `json:"tokenUrl"`
	Scopes   map[string]string `json:"scopes"`
}

func securitySchemes() named[securityScheme] {
	return named[securityScheme]{
		{"token", securityScheme{Type: "http", Scheme: "bearer", BearerFormat: "JWT",
			Description: "The token of a log-in."}},
		{"permanentToken", securityScheme{Type: "apiKey", Name: "X-AUTH-TOKEN", In: "header",
			Description: "The permanent token of an administrator who is an integration."}},
		{"apiKey", securityScheme{Type: "http", Scheme: "bearer", BearerFormat: "pck_live_…",
			Description: "The secret of a key for programs, made at /api/admin/key."}},
		{"clientCredentials", securityScheme{Type: "oauth2",
			Description: "An access token of 15 minutes, for the id and the secret of a key for programs.",
			Flows:       &flows{ClientCredentials: flow{TokenURL: "/oauth/token", Scopes: map[string]string{}}}}},
	}
}
