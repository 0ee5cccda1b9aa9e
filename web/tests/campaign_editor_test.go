package tests

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"punchcard/web/webtest"
)

// editorWalk creates a reward from a recipe, with a mistake that the user corrects.
type editorWalk struct {
	recipe, reward string
	mistake        func(p *webtest.Page)
	message        string // at the field, or about the whole form
	correction     func(p *webtest.Page)
	saved          map[string]string // members of the stored campaign
}

func typing(label, text string) func(p *webtest.Page) {
	return func(p *webtest.Page) { p.Type(label, text) }
}

var editorWalks = []editorWalk{
	{
		recipe: "welcome", reward: "discount_code",
		mistake: typing("Price", "-5"), message: "At least 0.", correction: typing("Price", "25"),
		saved: map[string]string{"costInPoints": "25", "limit": "1000", "featured": "true"},
	},
	{
		recipe: "delivery", reward: "free_delivery_code",
		mistake: typing("At most, in all", "0"), message: "This is needed.", correction: typing("At most, in all", "70"),
		saved: map[string]string{"limit": "70", "limitPerUser": "10"},
	},
	{
		recipe: "gold", reward: "gift_code",
		mistake: typing("Valid for", "40000"), message: "Less than 36,500.", correction: typing("Valid for", "60"),
		saved: map[string]string{"daysValid": "60", "fulfillmentTracking": "true"},
	},
	{
		recipe: "event", reward: "event_code",
		mistake: func(p *webtest.Page) { p.Click("Can be bought at any time") }, message: "This is needed.",
		correction: func(p *webtest.Page) {
			p.Type("From", "2031-05-01T08:00")
			p.Type("To", "2031-05-31T20:00")
		},
		saved: map[string]string{"campaignActivity.allTimeActive": "false", "limit": "50"},
	},
	{
		// The campaign is saved before its codes are refused, and not once more afterwards.
		recipe: "voucher", reward: "value_code",
		mistake: typing("How many", "0"), message: "The reward is saved, but not everything that belongs to it.",
		correction: typing("How many", "20"),
		saved:      map[string]string{"usageLeft": "20", "unlimited": "false"},
	},
	{
		recipe: "percent", reward: "percentage_discount_code",
		mistake: typing("Part of the sale", "150"), message: "Less than 100.",
		correction: typing("Part of the sale", "15"),
		saved:      map[string]string{"transactionPercentageValue": "15"},
	},
	{
		recipe: "cashback", reward: "cashback",
		mistake: typing("Money for one point", ""), message: "This is needed.",
		correction: typing("Money for one point", "0,02"),
		saved:      map[string]string{"pointValue": "0.02", "costInPoints": "0"},
	},
	{
		// The field is in a part of the form that is closed. An error opens it.
		recipe: "connected", reward: "custom_campaign_code",
		mistake: func(p *webtest.Page) {
			p.Click("More: message, categories, brand, labels")
			p.Type("Link for more information (optional)", "nowhere")
			p.Click("More: message, categories, brand, labels")
		},
		message:    "This is no web address.",
		correction: typing("Link for more information (optional)", "https://example.org/"),
		saved:      map[string]string{"moreInformationLink": "https://example.org/", "connectType": "none"},
	},
}

// The editor creates a reward of each type, says what is wrong with it, and saves it once.
func TestEditorOfEachRewardType(t *testing.T) {
	s := openShop(t)
	for _, walk := range editorWalks {
		t.Run(walk.reward, func(t *testing.T) {
			p := s.openAs(t, "cockpit", "/DEFAULT/campaigns/new/"+walk.recipe, webtest.Options{})
			name := "Walked " + strings.ReplaceAll(walk.reward, "_", " ")
			p.Type("Name", name)
			walk.mistake(p)
			p.Click("Save and activate")
			p.WaitText("Some fields need another value.")
			p.WaitText(walk.message)
			walk.correction(p)
			p.Click("Save and activate")
			p.WaitText(name + " is live.")
			list := "/api/DEFAULT/campaign?perPage=2&name=" + strings.ReplaceAll(name, " ", "%20")
			if total := s.get(t, list, "total"); total != "1" {
				t.Fatalf("there are %s campaigns of this name", total)
			}
			if reward := s.get(t, list, "campaigns", 0, "reward"); reward != walk.reward {
				t.Errorf("it is a %s", reward)
			}
			for member, want := range walk.saved {
				path := []any{"campaigns", 0}
				for _, name := range strings.Split(member, ".") {
					path = append(path, name)
				}
				if is := s.get(t, list, path...); is != want {
					t.Errorf("%s is %s, not %s", member, is, want)
				}
			}
		})
	}
}

// Pictures that are chosen in the editor are uploaded after the campaign is saved. If some fail, the user tries again;
// the campaign and the pictures that were saved are not saved again. Codes that were left out are reported.
func TestEditorAfterSaving(t *testing.T) {
	s := openShop(t)
	folder := t.TempDir()
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	file := func(name string, content []byte) string {
		place := filepath.Join(folder, name)
		if err := os.WriteFile(place, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return place
	}
	cup, mug := file("cup.png", drawn.Bytes()), file("mug.png", drawn.Bytes())
	broken, text := file("broken.png", []byte("no picture")), file("text.txt", []byte("no picture"))
	list := file("codes.csv", []byte("code\nMUG-1\nMUG-2\nMUG-1\n"))

	p := s.openAs(t, "cockpit", "/DEFAULT/campaigns/new/voucher", webtest.Options{})
	p.Type("Name", "A mug")
	p.Type("Short description (optional)",
		"**Blue**, _hot_ and <b>big</b>: [more](https://example.org/mugs) [bad](javascript:alert)")
	wantProse(p)
	p.Upload("Drop pictures here…", text)
	p.WaitText("Choose a PNG, JPEG or GIF.")
	p.Upload("Drop pictures here…", cup, mug)
	p.Upload("Drop pictures here…", broken)
	p.Upload("Add the brand's icon…", cup)
	p.Click("Delete the picture cup.png")
	p.Click("CSV file")
	p.Click("Save and activate")
	p.WaitText("This is needed.") // the file with codes
	p.Upload("File with codes…", list)
	p.Click("Save and activate")
	p.WaitText("A mug is saved.")
	p.WaitText("2 codes added")
	p.WaitText("More than once in the upload: 1")
	p.WaitText("1 picture could not be saved")
	p.WaitText("broken.png: Choose a PNG, JPEG or GIF.")
	p.Within("dialog", "A mug is saved.").Click("Try again")
	p.WaitText("1 picture could not be saved")
	p.Within("dialog", "A mug is saved.").Click("Done")
	p.WaitText("Sales over time")
	wantProse(p)
	if total := s.get(t, "/api/DEFAULT/campaign?name=A%20mug", "total"); total != "1" {
		t.Errorf("there are %s campaigns", total)
	}
	id := s.get(t, "/api/DEFAULT/campaign?name=A%20mug", "campaigns", 0, "campaignId")
	photos := s.get(t, "/api/DEFAULT/campaign/"+id, "photos")
	if strings.Count(photos, "photoId") != 1 || !strings.Contains(photos, "mug.png") {
		t.Errorf("the photos are %s", photos)
	}
	if s.get(t, "/api/DEFAULT/campaign/"+id, "brandIcon") != "true" {
		t.Error("there is no icon")
	}

	p.ClickRole("link", "Edit")
	p.Click("Delete the picture mug.png")
	p.Upload("Drop pictures here…", cup)
	p.Failing("/api/DEFAULT/campaign/"+id+"/photo", func() {
		p.Click("Save")
		p.WaitText("2 pictures could not be saved")
	})
	p.Within("dialog", "A mug is saved.").Click("Try again")
	p.WaitText("Sales over time")
	photos = s.get(t, "/api/DEFAULT/campaign/"+id, "photos")
	if strings.Count(photos, "photoId") != 1 || !strings.Contains(photos, "cup.png") {
		t.Errorf("the photos are %s", photos)
	}
}

// wantProse waits for the Markdown of the description, rendered without markup of its own.
func wantProse(p *webtest.Page) {
	p.WaitText("Blue, hot and <b>big</b>: more bad")
	p.WaitUntil("the text is rendered", `
		document.querySelectorAll('.page p > b, .page p > a:not([href="https://example.org/mugs"])').length === 0 &&
		document.querySelector('.page p > strong').textContent === 'Blue' &&
		document.querySelector('.page p > em').textContent === 'hot' &&
		document.querySelector('.page p > a').textContent === 'more'`)
}
