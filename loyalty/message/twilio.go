package message

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// The services that send SMS. The empty one is a gateway of the store's own.
const (
	ownGateway = "gateway"
	twilio     = "twilio"
)

// twilioURL is where the Messages API of Twilio is.
const twilioURL = "https://api.twilio.com"

var (
	twilioAccount = regexp.MustCompile(`^AC[0-9a-fA-F]{32}$`)
	// twilioSender matches a phone number, a name, or the id of a messaging service.
	twilioSender = regexp.MustCompile(`^(?:\+[0-9]{5,15}|[0-9]{3,8}|[A-Za-z0-9 ]{1,11}|MG[0-9a-fA-F]{32})$`)
)

// readTwilio completes the settings of SMS by those of Twilio. An empty token keeps the present one.
func readTwilio(g *form.Group, sms *Gateway) {
	matches := func(pattern *regexp.Regexp) form.Rule {
		return form.Matches(form.NotValid, func(text string) bool { return text == "" || pattern.MatchString(text) })
	}
	service := g.Choice("service", []string{ownGateway, twilio})
	account, from := g.Text("account", matches(twilioAccount)), g.Text("from", matches(twilioSender))
	token := g.Verbatim("token", form.MaxLength(nameLimit))
	if service != twilio {
		return
	}
	sms.Service, sms.Account, sms.From, sms.Token = service, account, from, token
	for name, text := range map[string]string{"account": account, "from": from} {
		if text == "" && !g.Failed(name) {
			g.AddError(name, form.Blank)
		}
	}
	if sms.URL == "" {
		sms.URL = twilioURL
	}
	if !hidesCredentials(sms.URL) && !g.Failed("url") {
		g.AddError("url", errPlain)
	}
}

// hidesCredentials reports whether nobody on the way to an address can read what is sent.
func hidesCredentials(text string) bool {
	u, err := url.Parse(text)
	return err != nil || u.Scheme == "https" || slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname())
}

// keepToken keeps the former token of the same account at the same address. Another one needs it again, so that nobody
// has a stored token sent to a server of theirs.
func (g *Gateway) keepToken(old *Gateway) (ok bool) {
	if g.Service == twilio && g.Token == "" && g.Account == old.Account && g.URL == old.URL {
		g.Token = old.Token
	}
	return g.Service != twilio || g.Token != ""
}

// The error codes of Twilio that mean that the phone gets no SMS, that it was not reached or that the account cannot
// reach it, and that this SMS cannot be sent to anybody.
var (
	twilioGone     = []int{21211, 21610, 21614}
	twilioDoubtful = []int{21214, 21217}
	twilioHopeless = []int{21602, 21605, 21617}
)

// sendTwilio sends an SMS by the Messages API. It has no key against repeats: if the server is killed between the
// response and storing it, the phone gets the SMS twice.
func (c *Config) sendTwilio(ctx context.Context, g *Gateway, to, text string) outbound.Outcome {
	fields := url.Values{"To": {to}, "Body": {text}, "From": {g.From}}
	if strings.HasPrefix(g.From, "MG") && len(g.From) == len("MG")+32 {
		fields.Del("From")
		fields.Set("MessagingServiceSid", g.From)
	}
	credentials := base64.StdEncoding.EncodeToString([]byte(g.Account + ":" + g.Token))
	o, body := c.HTTP.Ask(ctx, outbound.Call{
		URL:  strings.TrimRight(g.URL, "/") + "/2010-04-01/Accounts/" + g.Account + "/Messages.json",
		Body: []byte(fields.Encode()),
		Header: map[string][]string{
			"Content-Type": {"application/x-www-form-urlencoded"}, "Authorization": {"Basic " + credentials},
		},
	}, "SMS service")
	if o.OK() {
		return o
	}
	var answer struct{ Code int }
	if json.Unmarshal(body, &answer) != nil || answer.Code == 0 {
		return o
	}
	o.Problem = fmt.Sprintf("%s, error %d", o.Problem, answer.Code)
	o.Gone, o.Doubtful = slices.Contains(twilioGone, answer.Code), slices.Contains(twilioDoubtful, answer.Code)
	o.Hopeless = o.Gone || slices.Contains(twilioHopeless, answer.Code)
	return o
}
