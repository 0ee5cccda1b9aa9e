// Package privacy_test tests where personal data is, and that it is forgotten.
package privacy_test

import (
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/password"
)

type (
	client = servertest.Client
	object = servertest.Object
)

func TestMain(m *testing.M) {
	password.Cheapen() // hashes would take a fifth of the time of these tests
	servertest.Main(m)
}
