package app

import (
	"punchcard/api"
	"punchcard/purchase"
)

// EndpointTable is the table of the running server, without a server.
func EndpointTable() []api.Endpoint {
	endpoints, err := (&server{}).described(new(purchase.Desk), nil)
	if err != nil {
		panic(err) // what describes an endpoint is part of the program
	}
	return endpoints
}
