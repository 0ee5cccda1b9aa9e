// Package letter writes e-mails that a store puts together of blocks, as HTML in the look of the store and as plain
// text: docs/behaviour/mailings.md#blocks.
package letter

import (
	"encoding/json"
	"slices"
	"strings"
)

// Block is a part of an e-mail as a store wrote it, with placeholders.
type Block struct {
	Kind     string `json:"kind"`                 // the name of one of kinds
	Text     string `json:"text,omitempty"`       // of a button its label, of a picture what it shows
	Code     string `json:"code,omitempty"`       // of a coupon
	Link     string `json:"link,omitempty"`       // where a button or a picture leads
	Picture  string `json:"picture,omitempty"`    // the name of one of the store's, or <campaign>/<photo>
	Campaign string `json:"campaignId,omitempty"` // of a reward
}

// Part is a block as a recipient gets it.
type Part struct {
	Kind  string `json:"kind"`
	Title string `json:"title,omitempty"` // of a reward
	Note  string `json:"note,omitempty"`  // of a reward: what it costs
	Text  string `json:"text,omitempty"`
	Code  string `json:"code,omitempty"`
	Link  string `json:"link,omitempty"`
	Image string `json:"image,omitempty"` // URL
}

// The kinds of blocks.
const (
	Heading = "heading"
	Text    = "text"
	Button  = "button"
	Picture = "picture"
	Reward  = "reward"
	Coupon  = "coupon"
	Divider = "divider"
	Space   = "space"

	// ending is the kind of the last line of a message. Stores do not write it.
	ending = "ending"
)

// kind is a kind of block: the fields that it has, and its plain text, empty for none.
type kind struct {
	name     string
	fields   []string
	required []string
	plain    func(p *Part) string
}

var kinds = []kind{
	{Heading, []string{"text"}, []string{"text"}, func(p *Part) string { return p.Text }},
	{Text, []string{"text"}, []string{"text"}, func(p *Part) string { return p.Text }},
	{Button, []string{"text", "link"}, []string{"text", "link"}, func(p *Part) string { return p.Text + ": " + p.Link }},
	{Picture, []string{"picture", "text", "link"}, []string{"picture"}, func(p *Part) string {
		return lines(p.Text, p.Link)
	}},
	{Reward, []string{"campaignId", "text"}, []string{"campaignId"}, func(p *Part) string {
		return lines(p.Title, p.Text, p.Note, p.Link)
	}},
	{Coupon, []string{"text", "code"}, []string{"code"}, func(p *Part) string {
		return strings.TrimPrefix(p.Text+": "+p.Code, ": ")
	}},
	{Divider, nil, nil, func(*Part) string { return "----------" }},
	{Space, nil, nil, func(*Part) string { return "" }},
}

func kindOf(name string) *kind {
	at := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if at < 0 {
		return nil
	}
	return &kinds[at]
}

func lines(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(line string) bool { return line == "" }), "\n")
}

// Plain returns the plain text of an e-mail.
func Plain(parts []Part) string {
	var all []string
	for i := range parts {
		if k := kindOf(parts[i].Kind); k != nil {
			if text := strings.TrimSpace(k.plain(&parts[i])); text != "" {
				all = append(all, text)
			}
		}
	}
	return strings.Join(all, "\n\n")
}

// Encode returns parts as a text that Decode reads, empty for none.
func Encode(parts []Part) (string, error) {
	if len(parts) == 0 {
		return "", nil
	}
	text, err := json.Marshal(parts)
	return string(text), err
}

// Decode returns the parts of a text that Encode made.
func Decode(text string) (parts []Part, err error) {
	if text == "" {
		return nil, nil
	}
	return parts, json.Unmarshal([]byte(text), &parts)
}

// Footer returns the last line of a message, and the link that follows it.
func Footer(line, link string) Part { return Part{Kind: ending, Text: line, Link: link} }

// Around returns the parts with the texts that stand before and after them, without empty ones.
func Around(before string, parts []Part, after string) []Part {
	all := make([]Part, 0, len(parts)+2)
	if before = strings.TrimSpace(before); before != "" {
		all = append(all, Part{Kind: Text, Text: before})
	}
	all = append(all, parts...)
	if after = strings.TrimSpace(after); after != "" {
		all = append(all, Part{Kind: Text, Text: after})
	}
	return all
}
