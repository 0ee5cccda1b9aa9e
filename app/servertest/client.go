package servertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"punchcard/core/access"
)

// AddRole adds a role and returns its number, which is the next one.
func AddRole(t *testing.T, admin *Client, name string, permissions map[string][]string) (number string) {
	t.Helper()
	body := "role[name]=" + name
	n := 0
	for resource, granted := range permissions {
		body += fmt.Sprintf("&role[permissions][%d][resource]=%s&role[permissions][%[1]d][access]=%[3]s",
			n, resource, granted[0])
		n++
	}
	admin.Form("/api/admin/acl/role", body).Must(t)
	var list struct{ Roles []struct{ ID int } }
	roles := admin.Send("GET", "/api/admin/acl/role?perPage=100", "", "").Must(t)
	if err := json.Unmarshal([]byte(roles), &list); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(list.Roles[len(list.Roles)-1].ID)
}

// AddIntegration adds an administrator with a permanent key and returns its id.
func AddIntegration(t *testing.T, admin *Client, role, key string) (id string) {
	t.Helper()
	return admin.Form("/api/admin/data", "admin[external]=1&admin[isActive]=1&admin[apiKey]="+key+
		"&admin[email]="+key+"@example.com&admin[roles][]="+role).ID(t)
}

// Client calls a server as one user.
type Client struct {
	T     testing.TB
	Base  string
	Token string
}

// Send makes a request with a body of the content type, both of which may be empty.
func (c *Client) Send(method, path, contentType, body string) Reply {
	c.T.Helper()
	return Send(c.T, c.Request(method, path, contentType, body))
}

// Request returns a request of the user. contentType may be empty.
func (c *Client) Request(method, path, contentType, body string) *http.Request {
	c.T.Helper()
	request, err := http.NewRequest(method, c.Base+path, strings.NewReader(body))
	if err != nil {
		c.T.Fatal(err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	return request
}

// Form posts a body of form fields.
func (c *Client) Form(path, body string) Reply {
	c.T.Helper()
	return c.Send("POST", path, "application/x-www-form-urlencoded", body)
}

// LogIn returns a client with the token of the user.
func LogIn(t testing.TB, base, path, name, plain string) *Client {
	t.Helper()
	c := &Client{T: t, Base: base}
	r := c.Form(path, "username="+name+"&password="+plain)
	var answer struct{ Token string }
	if err := json.Unmarshal(r.Body, &answer); err != nil || r.Status != 200 {
		t.Fatalf("log-in of %s: %d %s", name, r.Status, r.Body)
	}
	c.Token = answer.Token
	return c
}

// LogInAdmin logs in the administrator of PlainConfig.
func LogInAdmin(t testing.TB, base string) *Client {
	t.Helper()
	return LogIn(t, base, "/api/admin/login_check", "admin", "open")
}

// EventCount returns the number of stored events, which every write increases.
func (c *Client) EventCount() int {
	c.T.Helper()
	r := c.Send("GET", "/api/event?perPage=1", "", "")
	var answer struct{ Total int }
	if err := json.Unmarshal(r.Body, &answer); err != nil || r.Status != 200 {
		c.T.Fatalf("events: %d %s", r.Status, r.Body)
	}
	return answer.Total
}

// Content types of bodies.
const (
	FormType = "application/x-www-form-urlencoded"
	JSONType = "application/json"
)

const (
	// Nobody is the id of nothing.
	Nobody = "00000000-0000-7000-8000-000000000000"
	// BuyForNobody is the path of a purchase that finds neither customer nor campaign.
	BuyForNobody = "/api/DEFAULT/admin/customer/" + Nobody + "/campaign/" + Nobody + "/buy"
)

// claim returns a claim of a token without verifying it, as clients do.
func claim(t testing.TB, token, name string) string {
	t.Helper()
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims map[string]any
	if err := json.Unmarshal(payload, &claims); err != nil {
		t.Fatal(err)
	}
	text, ok := claims[name].(string)
	if !ok {
		t.Fatalf("claim %s is %v", name, claims[name])
	}
	return text
}

// PictureForm returns a multipart form with a small picture.
func PictureForm(t *testing.T, field string) (contentType, body string) {
	t.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile(field, "pixel.png")
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(part, image.NewGray(image.Rect(0, 0, 9, 9))); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return writer.FormDataContentType(), form.String()
}

// Callback sends the outcome of a payment as a provider does, in the header of the contract.
func (c *Client) Callback(order, status string) Reply {
	c.T.Helper()
	request, err := http.NewRequest(http.MethodPost, c.Base+"/api/DEFAULT/campaign/cashback/callback/payprovider", nil)
	if err != nil {
		c.T.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{"orderId": order, "status": status})
	if err != nil {
		c.T.Fatal(err)
	}
	request.Header.Set("Content", string(text))
	request.Header.Set("Authorization", "Bearer "+c.Token)
	return Send(c.T, request)
}

// AsCaller returns a caller with the role and every right, or nil for nobody.
func AsCaller(role access.Role) *access.Caller {
	if role == "" {
		return nil
	}
	return &access.Caller{Role: role, Master: true}
}

// OwnID is the id of the customer who is logged in, as their token says.
func (c *Client) OwnID() string {
	c.T.Helper()
	return claim(c.T, c.Token, "id")
}

// FirstID returns the first UUID of a text.
func FirstID(text string) string {
	for i := range text {
		if len(text) >= i+36 && strings.Count(text[i:i+36], "-") == 4 && text[i+8] == '-' && text[i+23] == '-' {
			return text[i : i+36]
		}
	}
	return ""
}

// Pairs returns the keys of a map, each followed by its value, for strings.NewReplacer.
func Pairs(m map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key) || !yield(m[key]) {
				return
			}
		}
	}
}

// Reply is a response with its body read.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Must returns the body of a successful response.
func (r Reply) Must(t *testing.T) string {
	t.Helper()
	if r.Status != http.StatusOK && r.Status != http.StatusNoContent {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return string(r.Body)
}

// ID returns the first UUID in the body of a successful response.
func (r Reply) ID(t *testing.T) string {
	t.Helper()
	return FirstID(r.Must(t))
}

// Send makes a request, and compares the exchange with the description of the API.
func Send(t testing.TB, request *http.Request) Reply {
	t.Helper()
	answer := Exchange(t, request)
	if err := DescribedBy(t, request.URL).check(request, answer); err != nil {
		t.Errorf("%s %s: the exchange does not match the description: %v", request.Method, request.URL, err)
	}
	return answer
}

// Exchange makes a request. It leaves the body of a stream, which would not end.
func Exchange(t testing.TB, request *http.Request) Reply {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body []byte
	if response.Header.Get("Content-Type") != "text/event-stream" {
		if body, err = io.ReadAll(response.Body); err != nil {
			t.Fatal(err)
		}
	}
	return Reply{response.StatusCode, response.Header, body}
}

// IDsOf returns ids of the demonstration, by the names of path parameters.
func IDsOf(t *testing.T, admin, customer *Client) map[string]string {
	t.Helper()
	ids := map[string]string{
		"{customer}": customer.OwnID(), "{customerId}": customer.OwnID(), "{eventId}": "1", "{active}": "active",
	}
	for name, at := range map[string][3]string{
		"{campaign}":         {"campaign", "campaigns", "campaignId"},
		"{level}":            {"level", "levels", "levelId"},
		"{segment}":          {"segment", "segments", "segmentId"},
		"{transaction}":      {"transaction", "transactions", "transactionId"},
		"{earningRule}":      {"earningRule", "earningRules", "earningRuleId"},
		"{seller}":           {"seller", "sellers", "sellerId"},
		"{pos}":              {"pos", "pos", "posId"},
		"{campaignCategory}": {"campaignCategory", "categories", "campaignCategoryId"},
		"{transfer}":         {"points/transfer", "transfers", "pointsTransferId"},
		"{message}":          {"message", "messages", "id"},
	} {
		reply := admin.Send("GET", "/api/DEFAULT/"+at[0]+"?perPage=1", "", "")
		var body map[string]json.RawMessage
		var rows []map[string]any
		if err := json.Unmarshal(reply.Body, &body); err != nil {
			t.Fatalf("%s: %v", at[0], err)
		}
		if err := json.Unmarshal(body[at[1]], &rows); err != nil || len(rows) == 0 {
			t.Fatalf("%s: no %s in %.300s (%v)", at[0], at[1], reply.Body, err)
		}
		ids[name] = rows[0][at[2]].(string)
	}
	return ids
}
