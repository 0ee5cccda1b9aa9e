package auth

import (
	"time"

	"github.com/mileusna/useragent"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// shownSessions is how many sessions of a user the list shows.
const shownSessions = 100

// sessionList is the response to GET /api/me/sessions: docs/behaviour/authentication.md#own-sessions.
type sessionList struct {
	Sessions []sessionView `json:"sessions"` // the last used first
}

type sessionView struct {
	ID         string `json:"sessionId"`
	Device     string `json:"device"`  // browser and system, such as "Firefox, Linux"; empty if unknown
	App        string `json:"app"`     // cockpit, till or me, in a browser; empty for other programs
	Address    string `json:"address"` // of the client at the log-in or the last refresh; empty if unknown
	StartedAt  string `json:"startedAt"`
	LastUsedAt string `json:"lastUsedAt"` // of the log-in or the last refresh
	Current    bool   `json:"current"`    // the session of this call
}

func (a *Auth) listSessions(c *api.Call) error {
	var all []session
	err := c.Read(func(tx *db.Tx) (err error) {
		all, err = sessionsOf(tx, c.Caller.ID, shownSessions)
		return err
	})
	if err != nil {
		return err
	}
	list := sessionList{Sessions: make([]sessionView, len(all))}
	for i, s := range all {
		list.Sessions[i] = sessionView{
			ID: s.id, Device: deviceOf(s.agent), App: appOf(&s), Address: s.address, Current: s.id == c.Caller.Session,
			StartedAt: api.Timestamp(s.startedAt, time.UTC), LastUsedAt: api.Timestamp(s.usedAt, time.UTC),
		}
	}
	return c.OK(list)
}

// appOf names the web app that keeps a session, if one does.
func appOf(s *session) string {
	switch {
	case !s.browser:
		return ""
	case s.role == access.Administrator:
		return "cockpit"
	case s.role == access.Seller:
		return "till"
	default:
		return "me"
	}
}

// deviceOf names the browser, or the program, and the system of a User-Agent.
func deviceOf(agent string) string {
	switch of := useragent.Parse(agent); {
	case of.Name == "":
		return ""
	case of.OS == "":
		return of.Name
	default:
		return of.Name + ", " + of.OS
	}
}

// endSession ends a session of the caller, perhaps that of the call itself.
func (a *Auth) endSession(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		s, found, err := lockSession(tx, c.PathValue("session"))
		if err != nil {
			return err
		}
		if !found || s.userID != c.Caller.ID || c.Caller.ID == "" {
			return fault.ErrNotFound
		}
		return a.endOne(tx, &s)
	}, c.NoContent)
}
