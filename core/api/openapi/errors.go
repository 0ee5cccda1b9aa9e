package openapi

import (
	"slices"

	"punchcard/platform/idempotency"
	"punchcard/platform/web"
)

// errorSchemas returns the schemas of errors.
func errorSchemas() named[*schema] {
	text := &schema{Type: "string"}
	required := func(s *schema) *schema {
		for _, m := range s.Properties {
			s.Required = append(s.Required, m.name)
		}
		return s
	}
	children := &schema{Type: "object", Additional: reference("FieldErrors")}
	coded := required(object(member[*schema]{"code", &schema{Type: "integer"}}, member[*schema]{"message", text}))
	logIn := object(member[*schema]{"code", &schema{Type: "integer"}}, member[*schema]{"message", text})
	logIn.Required = []string{"message"}
	pending := required(object(member[*schema]{"code", &schema{Type: "integer"}}, member[*schema]{"message", text},
		member[*schema]{"error", text}, member[*schema]{"login_token", text}, member[*schema]{"factors", listSchema(text)},
		member[*schema]{"expiresAt", text}))
	formErrors := required(object(member[*schema]{"form", reference("FieldErrors")},
		member[*schema]{"errors", listSchema(text)}))
	formErrors.Properties.add("error", text)
	return named[*schema]{
		{"Error", required(object(member[*schema]{"error", coded}))},
		{"Refusal", required(object(member[*schema]{"error", text}))},
		{"FormErrors", formErrors},
		{"FieldErrors", object(member[*schema]{"errors", listSchema(text)}, member[*schema]{"children", children})},
		{"LogInError", logIn},
		{"PendingLogIn", pending},
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
		member[*schema]{"requestId", text}, member[*schema]{"explanation", listSchema(ruleSchema())})
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
	refusal := func(description string, shapes ...string) *response {
		s := reference(shapes[0])
		if len(shapes) > 1 {
			s = &schema{}
			for _, shape := range shapes {
				s.AnyOf = append(s.AnyOf, reference(shape))
			}
		}
		return &response{Description: description, Content: named[mediaType]{
			{"application/json", mediaType{Schema: s}}, {web.ProblemType, mediaType{Schema: reference("Problem")}},
		}}
	}
	all := named[*response]{
		{"BadRequest", refusal("The request is malformed, a rule refuses it, or fields are not valid: then all "+
			"fields of the form are listed with their problems.", "Error", "Refusal", "FormErrors", "LogInError")},
		{"Unauthorized", refusal("There are no credentials, they are not valid, or a log-in waits for a second factor.",
			"LogInError", "PendingLogIn")},
		{"Forbidden", refusal("The caller may not do this, or the permanent token is unknown.", "Error", "LogInError")},
		{"NotFound", refusal("The path names nothing that the caller can see.", "Error", "Refusal")},
		{"Refused", refusal("The request cannot be served: 405, 412, 413, 414, 415, 422 or, with Retry-After, "+
			"409 or 429.", "Error")},
		{"Failed", refusal("A defect, or with Retry-After a busy server.", "Error")},
	}
	for _, one := range all {
		if slices.Contains([]string{"BadRequest", "NotFound", "Refused"}, one.name) {
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
		{idempotency.Replayed, header{replayedHeader, &schema{Type: "string", Enum: []string{"true"}}}},
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
