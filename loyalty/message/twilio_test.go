package message_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

const twilioAccount = "AC0123456789abcdef0123456789abcdef"

// smsService plays the Messages API of Twilio.
type smsService struct {
	mutex      sync.Mutex
	code       int    // of the error that it answers, 0 for none
	status     int    // of that answer
	retryAfter string // seconds
	calls      []string
}

func (s *smsService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	user, password, _ := r.BasicAuth()
	if r.Method != "POST" || r.URL.Path != "/2010-04-01/Accounts/"+user+"/Messages.json" || password != "token" {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"code":20003,"message":"Authenticate","status":401}`))
		return
	}
	_ = r.ParseForm()
	s.calls = append(s.calls, r.PostForm.Encode())
	if s.retryAfter != "" {
		w.Header().Set("Retry-After", s.retryAfter)
	}
	if s.code != 0 {
		w.WriteHeader(s.status)
		_, _ = fmt.Fprintf(w, `{"code":%d,"message":"no","status":%d}`, s.code, s.status)
		return
	}
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write([]byte(`{"sid":"SM1","status":"queued"}`))
}

// A message that names push among its channels is pushed, although its event has an inbox, too.
func TestPushOfMailings(t *testing.T) {
	eachOffice(t, func(o *office) {
		g := newGateway(o, func(r *http.Request) string { return r.Method })
		o.Write(func(tx *db.Tx) error {
			return tx.Insert("message_settings", "store_id, email, sms, push, unsubscribe_key", "", []any{
				o.Store.Key, `{"Off":true}`, `{}`, `{"URL":"` + g.url + `","Secret":"` + outbound.NewSecret() + `"}`, "key",
			})
		})
		ida := o.ida()
		mailing := to(ida, template.Mailing)
		mailing.Channels = []string{template.Push, template.Inbox}
		o.queue(mailing, to(ida, template.PointsEnding))
		o.settle()
		if d := o.only(ida); d.State != message.Sent || d.Queue != "push_marketing" || len(g.bodies) != 1 {
			o.Errorf("%+v, calls %q", d, g.bodies)
		}
	})
}

// TestTwilio shows the calls of the SMS service, and what its errors mean: some end a message, some make the phone
// undeliverable, and with all others the message is sent again, not before the time that the service asks for.
func TestTwilio(t *testing.T) {
	eachOffice(t, func(o *office) {
		service := &smsService{}
		server := httptest.NewServer(service)
		o.Cleanup(server.Close)
		configure := func(from, token string) {
			o.Write(func(tx *db.Tx) error {
				return tx.Insert("message_settings", "store_id, email, sms, push, unsubscribe_key",
					"ON CONFLICT (store_id) DO UPDATE SET sms = excluded.sms", []any{
						o.Store.Key, `{"Off":true}`, `{"Service":"twilio","URL":"` + server.URL + `/","Account":"` + twilioAccount +
							`","From":"` + from + `","Token":"` + token + `"}`, `{}`, "key",
					})
			})
		}
		ida := o.ida()
		phone := to(ida, template.CustomerActivation)
		phone.Email = ""
		send := func() message.Delivery {
			o.queue(phone)
			o.settle()
			return o.of(ida)[0]
		}
		configure("Leaf club", "wrong")
		if d := send(); d.State != message.Waiting || d.Status != 401 || !strings.Contains(d.Error, "20003") {
			o.Errorf("with a wrong token: %+v", d)
		}
		configure("Leaf club", "token")
		if d := send(); d.State != message.Sent || d.Status != 201 {
			o.Errorf("%+v", d)
		}
		const want = "Body=Loyalty+program%3A+your+activation+code+is+123456&From=Leaf+club&To=%2B48123"
		if len(service.calls) != 1 || service.calls[0] != want {
			o.Errorf("calls %q, want %s", service.calls, want)
		}
		configure("MG0123456789abcdef0123456789abcdef", "token")
		send()
		if last := service.calls[len(service.calls)-1]; strings.Contains(last, "From=") ||
			!strings.Contains(last, "MessagingServiceSid=MG") {
			o.Errorf("by a messaging service: %s", last)
		}
		service.retryAfter = "3600"
		for _, c := range []struct {
			status, code int
			state        string
		}{
			{429, 20429, message.Waiting}, {500, 20500, message.Waiting}, {400, 21617, message.Dead},
			{400, 21408, message.Waiting}, {400, 21214, message.Waiting}, {400, 21211, message.Dead},
			{0, 0, message.Dead}, // undeliverable
		} {
			service.status, service.code = c.status, c.code
			d := send()
			if d.State != c.state {
				o.Errorf("after %d: %+v", c.code, d)
			}
			if c.code == 20429 && d.DueAt.Before(o.clock.Now().Add(time.Hour)) {
				o.Errorf("due again at %v", d.DueAt)
			}
		}
	})
}
