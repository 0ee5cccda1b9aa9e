package sso

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// person holds the claims of a user.
type person struct {
	subject   string
	session   string    // id of the session at the provider; empty if unknown
	askedAt   time.Time // when the provider asked who the user is; zero if it does not say
	groups    []string
	email     string // empty unless the provider has verified it, or does not say
	firstName string
	lastName  string
}

// claims are those of a user, as the provider wrote them.
type claims map[string]any

// text returns a claim, or nothing if it is no text.
func (c claims) text(name string) string {
	text, _ := c[name].(string)
	return text
}

// denies reports whether a claim is false. Some providers write it as a text; what is neither true nor false denies
// too.
func (c claims) denies(name string) bool {
	switch value := c[name].(type) {
	case nil:
		return false
	case bool:
		return !value
	case string:
		return value != "true"
	}
	return true
}

// moment returns a claim that is a number of seconds since 1970.
func (c claims) moment(name string) time.Time {
	if seconds, is := c[name].(float64); is && seconds > 0 && seconds < 1<<40 {
		return time.Unix(int64(seconds), 0)
	}
	return time.Time{}
}

// read reads the claims of a verified ID token. A claim that only describes the user and has another type than it
// should is left out.
func (c *conversation) read(ctx context.Context, verified *oidc.IDToken, token *oauth2.Token) (*person, error) {
	var all claims
	if verified.Claims(&all) != nil {
		return nil, ErrToken
	}
	if authorized := all["azp"]; authorized != nil && authorized != "" && authorized != c.of.ClientID {
		return nil, ErrToken
	}
	who := &person{subject: verified.Subject, session: all.text("sid"), askedAt: all.moment("auth_time")}
	if _, has := all[c.of.GroupClaim]; !has {
		more, err := c.userInfo(ctx, verified.Subject, token)
		if err != nil {
			return nil, err
		}
		if all.text("email") != "" { // whether the address is verified belongs to it
			delete(more, "email")
			delete(more, "email_verified")
		}
		maps.Copy(more, all)
		all = more
	}
	who.groups = textsOf(all[c.of.GroupClaim])
	who.firstName, who.lastName = all.text("given_name"), all.text("family_name")
	if !all.denies("email_verified") {
		who.email = all.text("email")
	}
	return who, nil
}

// userInfo asks the provider for the claims that are not in the ID token. Not every provider answers.
func (c *conversation) userInfo(ctx context.Context, subject string, token *oauth2.Token) (claims, error) {
	more := claims{}
	if c.document.UserInfoEndpoint() == "" {
		return more, nil
	}
	info, err := c.document.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		if err := explain(err); errors.Is(err, ErrAway) {
			return nil, err
		}
		return more, nil // it refuses, or answers in a form that only some clients read
	}
	if info.Subject != subject || info.Claims(&more) != nil {
		return nil, ErrToken
	}
	return more, nil
}

// textsOf reads a claim that is a text or a list of texts.
func textsOf(claim any) (texts []string) {
	switch claim := claim.(type) {
	case string:
		return []string{claim}
	case []any:
		for _, one := range claim {
			if text, is := one.(string); is {
				texts = append(texts, text)
			}
		}
	}
	return texts
}
