package openapi

import "punchcard/core/api"

// Section is a part of the description, whose tag its operations have.
type Section struct {
	Name        string
	Description string // one sentence
	Endpoints   []api.Endpoint
}
