package trade_test

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/mail/mailtest"
)

// reach is a store with a mail server, a level, a reward with a photo, and a customer who agrees to marketing.
type reach struct {
	admin          *client
	smtp           *mailtest.Server
	level, reward  string
	customer, mail string
}

const publicURL = "https://loyalty.example"

func startReach(t *testing.T, engine string) *reach {
	t.Helper()
	r := &reach{smtp: mailtest.Start(t)}
	base := servertest.StartServer(t, engine, func(c *app.Config) {
		c.SMTP, c.MailFrom, c.PublicURL = r.smtp.URL(), "loyalty@example.com", publicURL
		c.AllowPrivateAddresses = true
	})
	r.admin = servertest.LogInAdmin(t, base)
	r.level = r.admin.JSON("POST", "/api/DEFAULT/level/create", object{"level": object{
		"translations": object{"en": object{"name": "Base"}}, "active": true, "conditionValue": 0,
		"reward": object{"name": "Base", "value": 5, "code": "B"}}})["levelId"].(string)
	r.reward = r.admin.MakeGift(r.level, "TEA1", "TEA2")
	upload(r.admin, "/api/DEFAULT/campaign/"+r.reward+"/photo", "photo[file]")
	upload(r.admin, "/api/DEFAULT/settings/photo/hero-image", "photo[file]")
	upload(r.admin, "/api/DEFAULT/settings/photo/logo", "photo[file]")
	r.mail = "ida@example.org"
	r.customer = r.admin.JSON("POST", "/api/DEFAULT/customer/register", object{"customer": object{
		"firstName": "Ida <b>", "lastName": "Berg", "email": r.mail, "agreement1": true, "agreement2": true,
	}})["customerId"].(string)
	r.admin.Form("/api/DEFAULT/admin/customer/"+r.customer+"/activate", "").Must(t)
	r.smtp.Next(t) // the temporary password
	return r
}

// upload sends a picture.
func upload(c *client, path, field string) {
	c.T.Helper()
	var picture, body bytes.Buffer
	if err := png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 40, 20))); err != nil {
		c.T.Fatal(err)
	}
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile(field, "picture.png")
	if err == nil {
		_, err = part.Write(picture.Bytes())
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		c.T.Fatal(err)
	}
	if r := c.Send("POST", path, w.FormDataContentType(), body.String()); r.Status >= 300 {
		c.T.Fatalf("%s: %d %s", path, r.Status, r.Body)
	}
}

// photo returns the picture of the reward as blocks name it.
func (r *reach) photo() string {
	photos := r.admin.Get("/api/DEFAULT/campaign/" + r.reward)["photos"].([]any)
	return r.reward + "/" + photos[0].(object)["photoId"].(string)
}

// blocks are blocks of all kinds.
func (r *reach) blocks() []any {
	return []any{
		object{"kind": "heading", "text": "Spring, {{ first_name }}"},
		object{"kind": "text", "text": "You have {{ points }} points.\nLook: {{ link }}"},
		object{"kind": "button", "text": "Order now", "link": "https://shop.example/order?a=1&b=2"},
		object{"kind": "picture", "picture": "hero-image", "text": "Our garden", "link": "https://shop.example/garden"},
		object{"kind": "picture", "picture": r.photo(), "text": "Tea"},
		object{"kind": "reward", "campaignId": r.reward},
		object{"kind": "coupon", "text": "At the till", "code": "SPRING"},
		object{"kind": "divider"}, object{"kind": "space"},
	}
}

// follow opens a link of a message as its recipient, and returns where it leads.
func (r *reach) follow(t *testing.T, link string) (to string, status int) {
	t.Helper()
	return r.ask(t, http.MethodGet, link, nil)
}

// ask sends a request to an address of a message, and returns where the response leads.
func (r *reach) ask(t *testing.T, method, link string, header http.Header) (to string, status int) {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	address := r.admin.Base + strings.TrimPrefix(link, publicURL)
	request, err := http.NewRequestWithContext(t.Context(), method, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		request.Header = header.Clone()
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // nothing is read
	return response.Header.Get("Location"), response.StatusCode
}

// between returns the part of a text between two others.
func between(t *testing.T, text, before, after string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, before)
	part, _, ends := strings.Cut(rest, after)
	if !found || !ends {
		t.Fatalf("nothing between %q and %q in\n%s", before, after, text)
	}
	return part
}

// TestMailOfBlocks sends a mailing of blocks, whose buttons count clicks and lead to what is stored, and one without
// blocks, which is sent like other plain texts.
func TestMailOfBlocks(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		r := startReach(t, engine)
		const mailings = "/api/DEFAULT/admin/mailing"
		texts := object{"en": object{"subject": "Spring", "content": "ignored", "blocks": r.blocks()}}
		form := object{"mailing": object{"name": "Spring", "channels": []any{"email"}, "audience": "everybody",
			"link": "https://shop.example/spring", "texts": texts}}
		preview := r.admin.JSON("POST", mailings+"/preview", form)
		if page, _ := preview["html"].(string); !strings.Contains(page, "Spring, Anna") ||
			!strings.Contains(page, `src="/api/DEFAULT/settings/photo/hero-image"`) ||
			!strings.Contains(page, `href="https://shop.example/order?a=1&amp;b=2"`) {
			t.Errorf("the preview is %v", preview)
		}
		id := r.admin.JSON("POST", mailings, form)["mailingId"].(string)
		r.admin.JSON("POST", mailings+"/"+id+"/send", object{})
		got := r.smtp.Next(t)
		for _, want := range []string{
			"Spring, Ida", "You have 0 points.", "Order now: " + publicURL + "/api/DEFAULT/mailing/", "Our garden\n",
			"At the till: SPRING", "----------", "/unsubscribe/",
		} {
			if !strings.Contains(got.Text, want) {
				t.Errorf("no %q in\n%s", want, got.Text)
			}
		}
		for _, want := range []string{
			"Spring, Ida b", `src="https://loyalty.example/api/DEFAULT/settings/photo/hero-image"`, "max-width:600px",
			`src="https://loyalty.example/api/DEFAULT/settings/photo/logo"`, "SPRING</p>", "/unsubscribe/",
			`src="https://loyalty.example/api/DEFAULT/campaign/` + r.photoPath(),
		} {
			if !strings.Contains(got.HTML, want) {
				t.Errorf("no %q in\n%s", want, got.HTML)
			}
		}
		button := between(t, got.Text, "Order now: ", "\n")
		if to, status := r.ask(t, "HEAD", button, nil); to == "" || status != http.StatusFound {
			t.Errorf("to HEAD, the button leads to %q, %d", to, status)
		}
		r.ask(t, "GET", button, http.Header{"Sec-Purpose": {"prefetch;anonymous-client-ip"}})
		if clicked := r.admin.Get(mailings + "/" + id)["clicked"]; clicked != 0.0 {
			t.Errorf("%v customers clicked without anybody seeing it", clicked)
		}
		if to, status := r.follow(t, button); to != "https://shop.example/order?a=1&b=2" || status != http.StatusFound {
			t.Errorf("the button leads to %q, %d", to, status)
		}
		garden := between(t, got.Text, "Our garden\n", "\n")
		if to, _ := r.follow(t, garden); to != "https://shop.example/garden" {
			t.Errorf("the picture leads to %q", to)
		}
		if to, _ := r.follow(t, between(t, got.Text, "Look: ", "\n")); to != "https://shop.example/spring" {
			t.Errorf("the link leads to %q", to)
		}
		if _, status := r.follow(t, button+"x"); status != http.StatusNotFound {
			t.Errorf("an unknown target answers %d", status)
		}
		r.peopleAreLed(t, button+"x", strings.Trim(got.Header.Get("List-Unsubscribe"), "<>"))
		if clicked := r.admin.Get(mailings + "/" + id)["clicked"]; clicked != 1.0 {
			t.Errorf("%v customers clicked", clicked)
		}

		texts["en"] = object{"subject": "Plain", "content": "Hello {{ first_name }}"}
		r.admin.JSON("POST", mailings+"/"+r.admin.JSON("POST", mailings, form)["mailingId"].(string)+"/send", object{})
		if got := r.smtp.Next(t); !strings.Contains(got.HTML, `<p dir="auto">Hello Ida b</p>`) ||
			strings.Contains(got.HTML, "<table") {
			t.Errorf("without blocks: %s", got.HTML)
		}
	})
}

// peopleAreLed opens addresses for machines as a browser does whose user clicks: that of a lost link, and that of the
// header List-Unsubscribe, which mail programs show.
func (r *reach) peopleAreLed(t *testing.T, lost, unsubscribe string) {
	t.Helper()
	browser := http.Header{"Accept": {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}}
	_, token, _ := strings.Cut(unsubscribe, "/customer/unsubscribe/")
	for address, want := range map[string]string{
		lost: publicURL + "/me/DEFAULT", unsubscribe: publicURL + "/me/DEFAULT/unsubscribe/" + token,
	} {
		if to, status := r.ask(t, "GET", address, browser); to != want || status != http.StatusFound || token == "" {
			t.Errorf("%s leads a person to %q, %d", address, to, status)
		}
	}
	for _, accept := range []string{"", "*/*", "application/json", "application/json, text/html;q=0.5"} {
		if _, status := r.ask(t, "GET", unsubscribe, http.Header{"Accept": {accept}}); status != http.StatusOK {
			t.Errorf("with Accept: %s, the status is %d", accept, status)
		}
	}
}

// photoPath is the end of the address of the reward's photo.
func (r *reach) photoPath() string { return strings.Replace(r.photo(), "/", "/photo/", 1) }
