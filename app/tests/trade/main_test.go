// Package trade_test tests what customers, sellers and several nodes do together, from receipts to messages.
package trade_test

import (
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/password"
)

type (
	client = servertest.Client
	nodes  = servertest.Nodes
	object = servertest.Object
	reply  = servertest.Reply
)

func TestMain(m *testing.M) {
	password.Cheapen() // hashes would take a fifth of the time of these tests
	servertest.Main(m)
}
