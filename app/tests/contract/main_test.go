// Package contract_test tests what clients rely on: the description of the API, forms, methods, keys and conditions.
package contract_test

import (
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/password"
	"punchcard/web/webtest"
)

type (
	client = servertest.Client
	nodes  = servertest.Nodes
	object = servertest.Object
	reply  = servertest.Reply
)

func TestMain(m *testing.M) {
	password.Cheapen() // hashes would take a fifth of the time of these tests
	servertest.Main(m, webtest.Stop)
}
