package auth

import (
	"time"

	"github.com/mileusna/useragent"

	"punchcard/core/access"
	"punchcard/core/api"
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

func listSessions(r *api.Reading) (sessionList, error) {
	all, err := sessionsOf(r.Tx, r.Caller.ID, shownSessions)
	list := sessionList{Sessions: make([]sessionView, len(all))}
	for i, s := range all {
		list.Sessions[i] = sessionView{
			ID: s.id, Device: deviceOf(s.agent), App: appOf(&s), Address: s.address, Current: s.id == r.Caller.Session,
			StartedAt: api.Timestamp(s.startedAt, time.UTC), LastUsedAt: api.Timestamp(s.usedAt, time.UTC),
		}
	}
	return list, err
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
func (a *Auth) endSession(w *api.Writing) (api.NoContent, error) {
	s, found, err := lockSession(w.Tx, w.PathValue("session"))
	if err == nil && (!found || s.userID != w.Caller.ID || w.Caller.ID == "") {
		err = fault.ErrNotFound
	}
	if err == nil {
		err = a.endOne(w.Tx, &s)
	}
	return api.NoContent{}, err
}
