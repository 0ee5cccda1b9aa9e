// Package transcripts holds the conversations that show what the endpoints do.
package transcripts

import "embed"

// Files are the conversations; the comment of app/tests/transcripts/transcript_test.go tells their form.
//
//go:embed *.txt
var Files embed.FS
