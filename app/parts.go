package app

import (
	"context"
	"maps"

	"punchcard/core/store"
	"punchcard/loyalty/identity/sso"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/storeapi"
	"punchcard/loyalty/transaction"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

// receiptHooks returns what decides what receipts earn.
func (s services) receiptHooks() transaction.Hooks {
	return transaction.Hooks{
		Earn: s.earning.Earn, Simulate: s.earning.Simulate, Explain: s.earning.ExplainSale,
	}
}

// clientReceipts is receiptHooks with the limits of receipts of clients.
func (s *server) clientReceipts() transaction.Hooks {
	hooks := s.receiptHooks()
	hooks.Ahead, hooks.Guesses = s.config.ReceiptsAhead, s.limiters.guesses
	return hooks
}

// singleSignOn returns what signs administrators and sellers in by identity providers, at the address of links.
func (s *server) singleSignOn() *sso.Service {
	return sso.New(sso.Config{
		Auth: s.auth, Client: s.outbound, Base: func() string { return s.messages.Base },
		Attempts: s.limiters.signIns,
	})
}

// storeParts returns what the endpoints of stores need of the program.
func (s *server) storeParts() storeapi.Parts {
	return storeapi.Parts{
		ReservedCodes: s.reservedCodes, Save: webhook.FollowSettings, Guard: verification.Guard(s.auth),
		Due: func() []store.Job {
			return append(s.features.storeJobs(), store.Job{
				Name: notification.Announcements, Work: notification.Announce(s.desk),
			})
		},
	}
}

// sendNow sends a test of a message.
func (s *server) sendNow(ctx context.Context, d *db.DB, of *store.Store, channel, to string, t template.Text) (
	id string, o outbound.Outcome, err error) {
	return s.messages.SendNow(ctx, d, of, channel, to, t)
}

// verifier returns the endpoints that activate accounts and reset passwords.
func (s *server) verifier() *verification.Verifier {
	return &verification.Verifier{Config: verification.Config{
		Requests: s.limiters.messages, Codes: s.limiters.codes, StoreCodes: s.limiters.storeCodes,
	}}
}

// messageSecrets returns what makes the secrets of messages, by event.
func messageSecrets() map[string]message.Secrets {
	all := map[string]message.Secrets{}
	for _, of := range []map[string]message.Secrets{verification.Secrets, invitation.Secrets} {
		maps.Copy(all, of)
	}
	return all
}
