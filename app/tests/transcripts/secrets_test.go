package transcripts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/app/servertest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// journal is a log that several goroutines write to.
type journal struct {
	sync.Mutex
	bytes.Buffer
}

func (j *journal) Write(line []byte) (int, error) {
	j.Lock()
	defer j.Unlock()
	return j.Buffer.Write(line)
}

// ours matches the parts of a line that the program writes itself, which can equal a value by chance.
var ours = regexp.MustCompile(`"(time|id|method|route|msg)":"[^"]*"`)

// holds lists the values that the log contains, with the line of each. It ignores the data
// folder, whose path has the name of the test.
func (j *journal) holds(folder string, values map[string]string) (found []string) {
	j.Lock()
	defer j.Unlock()
	for line := range strings.Lines(j.String()) {
		line = strings.ReplaceAll(ours.ReplaceAllString(line, ""), folder, "")
		for value, name := range values {
			if strings.Contains(line, value) {
				found = append(found, fmt.Sprintf("%s %q in %s", name, value, line))
			}
		}
	}
	return found
}

// eavesdropper collects the personal values and secrets of a conversation, with the names of their fields.
type eavesdropper map[string]string

// send sends a request and collects from it and its response.
func (e eavesdropper) send(t testing.TB, request *http.Request) reply {
	t.Helper()
	body, err := io.ReadAll(request.Body)
	if err != nil {
		t.Fatal(err)
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	answer := servertest.Send(t, request)
	for _, header := range []string{"Authorization", "X-Auth-Token", "Webhook-Signature"} {
		e.note(header, strings.TrimPrefix(request.Header.Get(header), "Bearer "))
	}
	e.form(request.URL.Query())
	if fields, err := url.ParseQuery(string(body)); err == nil {
		e.form(fields)
	}
	for _, text := range [][]byte{[]byte(request.Header.Get("Content")), body, answer.Body} {
		var value any
		if json.Unmarshal(text, &value) == nil {
			e.tree("", value)
		}
	}
	return answer
}

func (e eavesdropper) form(fields url.Values) {
	for name, values := range fields {
		parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(name, "[]"), "]"), "[")
		for _, value := range values {
			e.tree(parts[len(parts)-1], value)
		}
	}
}

func (e eavesdropper) tree(name string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			e.tree(name, member)
		}
	case []any:
		for _, member := range value {
			e.tree(name, member)
		}
	case string:
		if personal.MatchString(name) {
			e.note(name, value)
		}
	}
}

// personal matches the names of fields that identify a person or are a secret.
var personal = regexp.MustCompile(`(?i)password|token|secret|key$|mail|phone|username|(first|last)name|cardnumber|` +
	`birthdate|street|address|postal|city|nip|^code$|coupon|identifier|labels`)

// aNumber matches numbers that are too short to search for.
var aNumber = regexp.MustCompile(`^\d{1,5}$`)

// words are values of such fields that the program itself uses.
var words = []string{"DEFAULT", "email", "phone", "true", "false", "none", "admin", "loyaltyCardNumber"}

// note adds a value, unless it is too short to search for, or one of words.
func (e eavesdropper) note(name, value string) {
	if len(value) >= 4 && !aNumber.MatchString(value) && !slices.Contains(words, value) {
		e[value] = name
	}
}

// What must not be logged. sabotage chooses by the first word what happens to a statement that contains it.
const (
	secretWord  = "Secret-Word-77"
	hiddenEmail = "hidden-77@example.com"
	breaking    = "breaking-" + hiddenEmail
	delaying    = "delaying-" + hiddenEmail
)

// sabotage makes statements about some people fail or take long.
func sabotage(_ string, args []any) {
	switch said := fmt.Sprint(args...); {
	case strings.Contains(said, breaking):
		panic("cannot run with " + said)
	case strings.Contains(said, delaying):
		for began := time.Now(); time.Since(began) < 11*db.SlowOperation; {
			runtime.Gosched()
		}
	}
}

// The log holds nothing of the content of requests that are malformed, that fail or that time out.
func TestFailuresTellNothing(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		log := &journal{}
		config := servertest.PlainConfig(servertest.Database(t, engine))
		config.Log, config.Trace = "debug", sabotage
		base := servertest.RunLogging(t, config, log)
		admin := servertest.LogInAdmin(t, base)
		admin.Form("/api/DEFAULT/level/create", "level[translations][en][name]=Base&level[active]=1&"+
			"level[conditionValue]=0&level[reward][name]=B&level[reward][value]=0&level[reward][code]=B").Must(t)
		for _, c := range []struct {
			email  string
			status int
		}{{hiddenEmail, 200}, {breaking, 500}, {delaying, 200}} {
			r := admin.Form("/api/DEFAULT/customer/self_register", "customer[firstName]="+secretWord+"&customer[lastName]=B&"+
				"customer[agreement1]=1&customer[plainPassword]="+secretWord+"&customer[email]="+c.email)
			if r.Status != c.status {
				t.Errorf("registration of %s: %d %s", c.email, r.Status, r.Body)
			}
		}
		if r := admin.Send("GET", "/api/DEFAULT/customer/check?emailOrPhone="+breaking, "", ""); r.Status != 500 {
			t.Errorf("a look-up that breaks: %d %s", r.Status, r.Body)
		}
		for _, request := range brokenRequests {
			sendRaw(t, base, strings.ReplaceAll(request, "\n", "\r\n"))
		}
		if r := admin.Send("GET", "/api/DEFAULT/customer", "", ""); r.Status != 200 {
			t.Errorf("after all: %d %s", r.Status, r.Body)
		}
		for _, found := range log.holds("", map[string]string{secretWord: "secret", hiddenEmail: "address"}) {
			t.Error(found)
		}
		for _, said := range []string{"a slow operation", "panic in an operation", `"panic":"string"`,
			"the request was refused", `"status":500`, `"status":413`, `"method":"other"`} {
			if !strings.Contains(log.String(), said) {
				t.Errorf("the log does not say %s", said)
			}
		}
	})
}

// brokenRequests are requests with secrets in unexpected places.
var brokenRequests = []string{
	"GET /api/DEFAULT/nothing/" + secretWord + "?auth_token=" + secretWord + " HTTP/1.1\nHost: a\nConnection: close\n\n",
	"GET /api/DEFAULT/campaign?auth_token=" + secretWord + "&a=%zz HTTP/1.1\nHost: a\nConnection: close\n\n",
	"GET /api/DEFAULT/campaign HTTP/1.1\nHost: a\nConnection: close\nX-Auth-Token: " + secretWord + "\n\n",
	"GET /api/DEFAULT/campaign HTTP/1.1\nHost: a\nConnection: close\nAuthorization: Bearer " + secretWord + "\n\n",
	"GET /api/DEFAULT/campaign HTTP/1.1\nHost: a\nConnection: close\nX-Request-Id: " + hiddenEmail + "\n\n",
	"GET /api/DEFAULT/campaign HTTP/1.1\nHost: a\n" + secretWord + "\n\n",
	"GET /?" + secretWord + " HTTP/9\nHost: a\n\n",
	secretWord + " /api/DEFAULT/campaign HTTP/1.1\nHost: a\nConnection: close\n\n",
	post(servertest.JSONType, `{"username":"`+hiddenEmail+`","password":"`+secretWord),
	post(servertest.JSONType, `{"username":"`+hiddenEmail+`"} {"password":"`+secretWord+`"}`),
	post(servertest.FormType, "username="+hiddenEmail+"&password=%zz"+secretWord),
	post(servertest.FormType, "username["+secretWord+"=x"),
	post("multipart/form-data; boundary=b", "--b\n"+secretWord+" is no header\n\nx\n--b--\n"),
	post("multipart/form-data; boundary=b", "--b "+secretWord+"\n\nx"),
	post("multipart/form-data; boundary=b", "--b\nContent-Disposition: form-data; name=\""+secretWord+"\n\nx\n--b--\n"),
	post("multipart/form-data; boundary="+secretWord, "x"),
	post("text/"+secretWord, "x"),
	"POST /api/customer/login_check HTTP/1.1\nHost: a\nContent-Length: 99999999\nConnection: close\n\n" + secretWord,
	"POST /api/customer/login_check HTTP/1.1\nHost: a\nContent-Length: 999\nContent-Type: application/json\n\n" +
		secretWord,
}

func post(contentType, body string) string {
	return fmt.Sprintf("POST /api/customer/login_check HTTP/1.1\nHost: a\nConnection: close\nContent-Type: %s\n"+
		"Content-Length: %d\n\n%s", contentType, len(strings.ReplaceAll(body, "\n", "\r\n")), body)
}

// sendRaw sends bytes, closes its side, and waits until the server closes the connection.
func sendRaw(t *testing.T, base, bytes string) {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }() // it has been read to its end
	if _, err := io.WriteString(connection, bytes); err != nil {
		t.Fatal(err)
	}
	if err := connection.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, connection) // a response, or the end of the connection
}
