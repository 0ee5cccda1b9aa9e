package auth

import (
	"net/url"
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/identity/factor"
	"punchcard/platform/fault"
	"punchcard/platform/limit"
)

// passkeyLimit is how many challenges for a log-in with a passkey one address gets.
var passkeyLimit = limit.Rate{Quota: 60, Window: 5 * time.Minute}

// errPasskeySite refuses pages that cannot use passkeys here.
var errPasskeySite = fault.New(fault.Refused, "passkeys_not_available",
	"Passkeys need a page of this server with a host name.")

// siteOf returns the site of the page that sent the request, with the host of the request or, where a proxy changes it,
// of the public address.
func (a *Auth) siteOf(c *api.Call) (factor.Site, error) {
	if err := c.SameOrigin(); err != nil {
		return factor.Site{}, err
	}
	page, err := url.Parse(c.Header.Get("Origin"))
	if err != nil || page.Host == "" {
		return factor.Site{}, errPasskeySite
	}
	public, err := url.Parse(a.config.PublicURL)
	if err != nil {
		return factor.Site{}, err
	}
	if !strings.EqualFold(page.Host, c.Host) && !strings.EqualFold(page.Host, public.Host) {
		return factor.Site{}, errPasskeySite
	}
	return factor.Site{RPID: strings.ToLower(page.Hostname()), Origin: page.Scheme + "://" + page.Host}, nil
}

// creationOptions are the parameters of navigator.credentials.create. Binary values are base64url.
type creationOptions struct {
	Challenge          string   `json:"challenge"`
	RPID               string   `json:"rpId"`
	UserHandle         string   `json:"userHandle"`
	UserName           string   `json:"userName"`
	Algorithms         []int64  `json:"algorithms"` // COSE numbers
	ExcludeCredentials []string `json:"excludeCredentials"`
	Timeout            int64    `json:"timeout"` // milliseconds
}

// requestOptions are the parameters of navigator.credentials.get. Binary values are base64url.
type requestOptions struct {
	Challenge        string   `json:"challenge"`
	RPID             string   `json:"rpId"`
	AllowCredentials []string `json:"allowCredentials"` // none for a log-in with a passkey alone
	UserVerification string   `json:"userVerification"`
	Timeout          int64    `json:"timeout"` // milliseconds
}

const challengeMilliseconds = int64(factor.ChallengeLife / time.Millisecond)

func newRequestOptions(site factor.Site, challenge string, of []factor.Passkey) requestOptions {
	o := requestOptions{
		Challenge: challenge, RPID: site.RPID, AllowCredentials: credentialsAt(site, of), UserVerification: "preferred",
		Timeout: challengeMilliseconds,
	}
	return o
}

// credentialsAt lists the names of the passkeys that were made for a site.
func credentialsAt(site factor.Site, of []factor.Passkey) []string {
	names := []string{}
	for i := range of {
		if of[i].BelongsTo(site) {
			names = append(names, of[i].CredentialID())
		}
	}
	return names
}
