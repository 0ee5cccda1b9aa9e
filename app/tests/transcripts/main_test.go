// Package transcripts_test plays the conversations of docs/transcripts. It also compares the events, audit entries
// and dry runs of each call.
package transcripts_test

import (
	"testing"

	"punchcard/app/servertest"
	"punchcard/platform/password"
)

type (
	reply = servertest.Reply
)

func TestMain(m *testing.M) {
	password.Cheapen() // hashes would take a fifth of the time of these tests
	servertest.Main(m)
}
