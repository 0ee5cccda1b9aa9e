package journey

import (
	"strings"
	"testing"

	"punchcard/loyalty/mailing"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/letter"
)

// A journey has blocks with its own placeholders, and its buttons lead through links of the recipient.
func TestBlocksOfJourneys(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		id := s.start("welcome", func(j *Journey) {
			gift(20)(j)
			j.Content.Texts = map[string]mailing.Text{"en": {Subject: "Hello", Blocks: []letter.Block{
				{Kind: letter.Text, Text: "{{ gift_points }} points for you, {{ first_name }}"},
				{Kind: letter.Button, Text: "Spend them", Link: "https://shop.example/rewards"},
			}}}
		})
		ida := s.member()
		s.run()
		s.expect(id, "1 sent, 1 gifts")
		values := s.mails(ida)[0].Values
		parts, err := letter.Decode(values[message.Blocks])
		if err != nil || len(parts) != 2 || !strings.HasPrefix(parts[0].Text, "20 points for you, ") ||
			!strings.HasPrefix(parts[1].Link, "https://api.example/api/SHOP/journey/") {
			t.Fatalf("%+v, %v", parts, err)
		}
		if text := values["mailing_text"]; text != parts[0].Text+"\n\nSpend them: "+parts[1].Link {
			t.Errorf("the plain text is %q", text)
		}
	})
}
