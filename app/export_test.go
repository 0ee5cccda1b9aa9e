package app

import (
	"punchcard/api"
	"punchcard/purchase"
)

// EndpointTable is the table of the running server, without a server.
func EndpointTable() []api.Endpoint {
	return (&server{}).endpoints((*purchase.Desk)(nil), nil)
}
