// Package plans_test tests which rows the statements of the product read.
package plans_test

import (
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/password"
)

type (
	client = servertest.Client
)

func TestMain(m *testing.M) {
	password.Cheapen() // hashes would take a fifth of the time of these tests
	servertest.Main(m)
}
