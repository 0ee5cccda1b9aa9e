package transcripts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/limit"
)

// Every file of docs/transcripts is a conversation with a new server, on every database. The responses are compared
// byte for byte, except ids and tokens, which are numbered in the order of their appearance. The log of the server at
// level debug holds no password, token, key, code, name, address or number of a person from the conversation.
//
// Every call records the events that its emissions declare, in that order and with those members. Every declared event
// of a call is recorded in some transcript.
//
// An exchange is a title, a request and, after a line of dashes, the response:
//
//	## Give points
//	POST /api/DEFAULT/points/transfer/add
//	as: admin
//	transfer[customer]={{customer}}
//	transfer[points]=100
//	---
//	200
//	{ "pointsTransferId": "<id-7>" }
//	> transfer = pointsTransferId
//
// Lines of a body that is not JSON are fields of a form. The last lines save members of the response, each a path of
// names and indexes, under a name. as: sends a saved token. Pictures are shown by type and size.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("../../../docs/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	listener, dryRuns := newEventListener(t), &rehearsed{endpoints: app.EndpointTable()}
	t.Cleanup(func() { listener.checkAllSeen(t, len(files)) })
	for _, file := range files {
		for _, engine := range dbtest.Engines {
			t.Run(filepath.Base(file)+"/"+engine, func(t *testing.T) {
				if !*servertest.Update {
					t.Parallel()
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				config := servertest.PlainConfig(servertest.TranscriptDatabase(t, engine, file))
				config.Log, config.Rates = "debug", ratesOf[filepath.Base(file)]
				log, messages := &journal{}, eavesdropper{}
				base, d, commits := servertest.StartRested(t, config, log)
				p := servertest.NewPlayer(t, base)
				p.Send = messages.send
				if engine == "sqlite" { // PostgreSQL records the same, and numbers events later
					p.Send = listener.every(d, auditEvery(d, p.Send))
				}
				if ratesOf[filepath.Base(file)] == (app.Rates{}) { // dry runs count in the limits
					p.Send = dryRuns.every(t, d, commits, p.Send)
				}
				got := p.Play(string(text))
				servertest.ExpectClean(t, config.Database)
				for _, found := range log.holds(config.Data, messages) {
					t.Errorf("the log contains the %s", found)
				}
				if len(messages) == 0 || log.Len() == 0 {
					t.Error("no messages were received, or nothing was logged")
				}
				if *servertest.Update && engine == "sqlite" {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(got, "\n")); diff != "" {
					t.Errorf("the responses differ (-transcript +server):\n%s", diff)
				}
			})
		}
	}
}

// ratesOf are the rate limits of the servers of some transcripts; the others have none.
var ratesOf = map[string]app.Rates{
	"35-invitation-limit.txt": {
		LimitInvitation: limit.Rate{Quota: 2, Window: 24 * time.Hour},
		LimitGuess:      limit.Rate{Quota: 3, Window: time.Hour}, LimitGuessAddress: limit.Rate{Quota: 5, Window: time.Hour},
	},
	"121-checkout.txt":           {LimitCoupon: limit.Rate{Quota: 3, Window: 10 * time.Minute}},
	"69-coupons-at-the-till.txt": {LimitCoupon: limit.Rate{Quota: 3, Window: 10 * time.Minute}},
	"82-limits.txt": {
		LimitLoginAccountAddress: limit.Rate{Quota: 3, Window: 90 * time.Second},
		LimitLoginAccount:        limit.Rate{Quota: 100, Window: time.Hour},
		LimitLoginAddress:        limit.Rate{Quota: 5, Window: 10 * time.Second},
		LimitRegistration:        limit.Rate{Quota: 3, Window: time.Hour},
		LimitActivation:          limit.Rate{Quota: 2, Window: time.Hour},
		LimitCheck:               limit.Rate{Quota: 2, Window: time.Minute},
		LimitCallback:            limit.Rate{Quota: 8, Window: time.Minute},
		LimitToken:               limit.Rate{Quota: 13, Window: time.Second},
	},
}
