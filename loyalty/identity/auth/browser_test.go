package auth_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"punchcard/loyalty/identity/auth"
)

// browser sends what a page of an origin sends to the endpoint of the web apps, and keeps cookies as browsers do.
type browser struct {
	*node
	origin  string
	cookies map[string]*http.Cookie
}

func (n *node) browser() *browser { return &browser{n, n.url, map[string]*http.Cookie{}} }

func (b *browser) session(body string, headers ...string) answer {
	b.t.Helper()
	request, err := http.NewRequest("POST", b.url+"/api/session", strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	_, request.Host, _ = strings.Cut(b.origin, "://")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Origin", b.origin)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	for _, cookie := range b.cookies {
		request.AddCookie(&http.Cookie{Name: cookie.Name, Value: cookie.Value})
	}
	got := b.do(request)
	for _, cookie := range (&http.Response{Header: got.header}).Cookies() {
		if b.cookies[cookie.Name] = cookie; cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		}
	}
	return got
}

// token renews the session of the cockpit, which must succeed, and returns its access token.
func (b *browser) token(body string) string {
	b.t.Helper()
	var got struct {
		Token string `json:"token"`
	}
	answer := b.session(body)
	if err := json.Unmarshal([]byte(answer.body), &got); err != nil || answer.status != 200 || got.Token == "" {
		b.t.Fatalf("%s: %d %s", body, answer.status, answer.body)
	}
	if strings.Contains(answer.body, "refresh") {
		b.t.Errorf("the response shows a refresh token: %s", answer.body)
	}
	return got.Token
}

const cockpitSession = `{"app":"cockpit"}`

func takeOver(refresh string) string { return `{"app":"cockpit","refresh_token":"` + refresh + `"}` }

// A page hands in the refresh token of its log-in. From then on the session is renewed with the cookie alone.
func TestSessionInCookie(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		b, first := s.browser(), s.logIn("/api/admin/login_check", "admin")
		s.who(b.token(takeOver(first.Refresh)))
		s.clock.Advance(time.Hour)
		token := b.token(cockpitSession)
		if got := s.who(token); got.status != 200 {
			t.Errorf("the new token: %d %s", got.status, got.body)
		}
		cookie := b.cookies["__Host-pc-cockpit"]
		if cookie == nil || !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteStrictMode ||
			cookie.Path != "/" || cookie.Domain != "" || cookie.MaxAge != int(auth.DefaultRefreshLife.Seconds()) {
			t.Errorf("the cookie is %v", cookie)
		}
		b.session(`{"app":"cockpit","end":true}`).is(t, 200, `{}`)
		if len(b.cookies) > 0 {
			t.Errorf("after the end there is %v", b.cookies)
		}
		s.who(token).is(t, 401, invalidToken)
		b.session(cockpitSession).is(t, 401, invalidRefresh)
		b.session(`{"app":"cockpit","end":true}`).is(t, 200, `{}`) // again
	})
}

// A log-in in a browser that has a session ends that session, because nobody can use it any more. A repeated request of
// the log-in ends nothing.
func TestLogInReplacesTheSession(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		b, elsewhere := s.browser(), s.logIn("/api/admin/login_check", "admin")
		former := b.token(takeOver(s.logIn("/api/admin/login_check", "admin").Refresh))
		second := s.logIn("/api/admin/login_check", s.people.reporter.ID)
		present := b.token(takeOver(second.Refresh))
		b.token(takeOver(second.Refresh))
		s.who(former).is(t, 401, invalidToken)
		for _, token := range []string{present, elsewhere.Token, b.token(cockpitSession)} {
			if got := s.who(token); got.status != 200 {
				t.Errorf("another session: %d %s", got.status, got.body)
			}
		}
	})
}

// A cookie that was copied ends its session, as any refresh token does, and the browser forgets it.
func TestCopiedCookie(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		b, thief := s.browser(), s.browser()
		b.token(takeOver(s.logIn("/api/admin/login_check", "admin").Refresh))
		copied := *b.cookies["__Host-pc-cockpit"]
		thief.cookies[copied.Name] = &copied
		b.token(cockpitSession)
		s.clock.Advance(2 * auth.RefreshOverlap)
		thief.session(cockpitSession).is(t, 401, invalidRefresh)
		b.session(cockpitSession).is(t, 401, invalidRefresh)
		if len(b.cookies)+len(thief.cookies) > 0 {
			t.Errorf("left: %v, %v", b.cookies, thief.cookies)
		}
	})
}

// Apps and stores have cookies of their own.
func TestCookiesOfApps(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		b := s.browser()
		b.token(takeOver(s.logIn("/api/admin/login_check", "admin").Refresh))
		customer := s.logIn("/api/customer/login_check", "user@example.com")
		b.token(`{"app":"me","store":"DEFAULT","refresh_token":"` + customer.Refresh + `"}`)
		for name, id := range map[string]string{
			cockpitSession: s.people.super.ID, `{"app":"me","store":"DEFAULT"}`: s.people.customer.ID,
		} {
			if got := s.who(b.token(name)); !strings.Contains(got.body, id) {
				t.Errorf("%s: %s", name, got.body)
			}
		}
		b.session(`{"app":"me","store":"OTHER"}`).is(t, 401, invalidRefresh)
		for _, wrong := range []string{`{}`, `{"app":"shop"}`, `{"app":"me","store":"A;B"}`} {
			if got := b.session(wrong); got.status != 400 {
				t.Errorf("%s: %d %s", wrong, got.status, got.body)
			}
		}
	})
}

// Only scripts of the server's own pages reach the endpoint; nothing is used up by others.
func TestSessionOfOtherOrigins(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		b := s.browser()
		b.token(takeOver(s.logIn("/api/admin/login_check", "admin").Refresh))
		for name, headers := range map[string][]string{
			"another origin":   {"Origin", "https://evil.example"},
			"another port":     {"Origin", "http://127.0.0.1:1"},
			"a sandboxed page": {"Origin", "null"},
			"another site":     {"Sec-Fetch-Site", "cross-site"},
			"a neighbour":      {"Sec-Fetch-Site", "same-site"},
			"a form":           {"Content-Type", "application/x-www-form-urlencoded"},
			"plain text":       {"Content-Type", "text/plain"},
			"a program":        {"Origin", ""},
		} {
			got := b.session(cockpitSession, headers...)
			if got.status != 403 || got.header.Get("Access-Control-Allow-Origin") != "" ||
				got.header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %d %s %v", name, got.status, got.body, got.header)
			}
		}
		if n := s.number(`SELECT COUNT(*) FROM refresh_tokens WHERE used_at IS NULL`); n != 1 {
			t.Errorf("%d tokens are unused, want the one of the cookie", n)
		}
		b.token(cockpitSession)
	})
}

// Without HTTPS the cookie has a plain name, because browsers refuse a secure one, and the log has a warning.
func TestSessionWithoutHTTPS(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		b := s.browser()
		b.origin = "http://shop.example"
		for range 2 {
			b.token(takeOver(s.logIn("/api/admin/login_check", "admin").Refresh))
		}
		if cookie := b.cookies["pc-cockpit"]; cookie == nil || cookie.Secure || !cookie.HttpOnly || len(b.cookies) != 1 {
			t.Errorf("the cookies are %v", b.cookies)
		}
		if n := strings.Count(s.log.String(), "serve them by HTTPS"); n != 1 {
			t.Errorf("the log has %d warnings", n)
		}
		b.origin = "https://shop.example" // encrypted by a proxy
		b.token(takeOver(s.logIn("/api/admin/login_check", "admin").Refresh))
		if cookie := b.cookies["__Host-pc-cockpit"]; cookie == nil || !cookie.Secure {
			t.Errorf("the cookies are %v", b.cookies)
		}
	})
}

// Users see their own sessions with device and last use, and end one of them at once.
func TestOwnSessions(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		old := s.logIn("/api/admin/login_check", "admin")
		s.clock.Advance(time.Hour)
		const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
		b := s.browser()
		b.session(takeOver(s.logIn("/api/admin/login_check", "admin").Refresh), "User-Agent", firefox)
		token := b.token(cockpitSession)
		b.session(cockpitSession, "User-Agent", firefox)
		s.logIn("/api/seller/login_check", "seller@example.com")
		var list struct {
			Sessions []struct {
				SessionID, Device, App, Address, StartedAt, LastUsedAt string
				Current                                                bool
			}
		}
		read := func() {
			t.Helper()
			got := s.get("/api/me/sessions", "Authorization", "Bearer "+token)
			if err := json.Unmarshal([]byte(got.body), &list); err != nil || got.status != 200 {
				t.Fatalf("%d %s (%v)", got.status, got.body, err)
			}
		}
		read()
		if len(list.Sessions) != 2 || !list.Sessions[0].Current || list.Sessions[1].Current ||
			list.Sessions[0].Device != "Firefox, Linux" || list.Sessions[0].LastUsedAt != "2031-04-17T13:00:00+0000" ||
			list.Sessions[1].StartedAt != "2031-04-17T12:00:00+0000" {
			t.Fatalf("the sessions are %+v", list.Sessions)
		}
		here, program := list.Sessions[0], list.Sessions[1]
		if here.App != "cockpit" || program.App != "" || here.Address == "" || here.Address != program.Address {
			t.Errorf("apps and addresses are %+v", list.Sessions)
		}
		foreign := s.logIn("/api/customer/login_check", "user@example.com")
		end := "/api/me/sessions/" + list.Sessions[1].SessionID
		s.ask("DELETE", end, "Authorization", "Bearer "+foreign.Token).is(t, 404, notFound)
		s.ask("DELETE", end, "Authorization", "Bearer "+token).is(t, 204, "")
		s.who(old.Token).is(t, 401, invalidToken)
		s.refresh(old.Refresh).is(t, 401, invalidRefresh)
		if read(); len(list.Sessions) != 1 {
			t.Errorf("left: %+v", list.Sessions)
		}
		if n := s.number(`SELECT COUNT(*) FROM sessions WHERE ended_at IS NOT NULL AND address <> ''`); n > 0 {
			t.Errorf("%d ended sessions have an address", n)
		}
	})
}
