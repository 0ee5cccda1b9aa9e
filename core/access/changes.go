package access

// RightsChanged is a change of what a user or a key may do, to which others react. It counts at once after the commit.
type RightsChanged struct{ ID string }

// SessionsEnded is a change after which a user must log in anew, to which others react.
type SessionsEnded struct {
	UserID string
	Keep   string // the session that goes on; empty for none
	Links  bool   // links to set a password end too
}
