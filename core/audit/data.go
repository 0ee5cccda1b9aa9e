package audit

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"punchcard/platform/form"
)

// Limits of the data that an entry keeps of a change.
const (
	textLimit  = 500  // characters of a text
	itemsLimit = 50   // items of a list, members of an object
	dataLimit  = 8000 // bytes of Before, After and Sent, each
)

// secrets are parts of the names of members that entries never hold: those that logs never hold.
var secrets = []string{
	"password", "passwd", "token", "secret", "hash", "apikey", "api_key", "masterkey", "signature", "header",
}

// personal are parts of the names of members of a body that may be about somebody else than the customer of the entry.
var personal = []string{
	"mail", "phone", "firstname", "first_name", "lastname", "last_name", "fullname", "full_name", "birth", "address",
	"card", "receiver", "sender", "customerdata", "username", "recipient", "referr", "taxid", "nip", "gender", "label",
}

func isSecret(name string) bool {
	name = strings.ToLower(name)
	return name == "code" || name == "codes" || name == "pin" || strings.HasSuffix(name, "coupon") ||
		strings.HasSuffix(name, "coupons") || hasPart(name, secrets)
}

func isPersonal(name string) bool { return hasPart(strings.ToLower(name), personal) }

func hasPart(name string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// isContact reports whether a text may be an e-mail address or a phone.
func isContact(text string) bool {
	if strings.Contains(text, "@") {
		return true
	}
	digits := strings.TrimPrefix(text, "+")
	return len(digits) >= 7 && '0' <= digits[0] && digits[0] <= '9' && strings.Trim(digits, "0123456789 ()/-") == ""
}

// ignored are the members of objects that say nothing about a change.
var ignored = map[string]bool{
	"storeKey": true, "id": true, "version": true, "updatedAt": true, "lastLoginAt": true, "levelRecalculatedAt": true,
	"purchases": true, "generation": true, "basis": true, "nextBasis": true, "createdAt": true, "position": true,
	"customers": true,
}

// members returns the members of the JSON object that encodes v, with names as in the API.
func members(v any) (map[string]any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	renamed, _ := rename(all).(map[string]any)
	for name := range ignored {
		delete(renamed, name)
	}
	return renamed, nil
}

// rename writes the first letters of the names of members small, as in levelId, and leaves out empty values.
func rename(value any) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = rename(value[i])
		}
	case map[string]any:
		renamed := make(map[string]any, len(value))
		for name, member := range value {
			if !empty(member) {
				renamed[memberName(name)] = rename(member)
			}
		}
		return renamed
	}
	return value
}

func empty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == "" || value == "0001-01-01T00:00:00Z"
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}

func memberName(name string) string {
	if name == "" || !unicode.IsUpper(rune(name[0])) {
		return name
	}
	if beginning, found := strings.CutSuffix(name, "ID"); found {
		name = beginning + "Id"
	}
	small := 0
	for small < len(name) && unicode.IsUpper(rune(name[small])) {
		small++
	}
	if small > 1 && small < len(name) {
		small-- // the last of several begins the next word
	}
	return strings.ToLower(name[:small]) + name[small:]
}

// differences returns the members that two objects do not have in common, without secrets. Segments name customers
// by their contacts, which are left out if the objects are anonymous.
func differences(before, after map[string]any, anonymous bool) (was, is map[string]any) {
	was, is = map[string]any{}, map[string]any{}
	compare(before, after, anonymous, was, is)
	return limitSize(was), limitSize(is)
}

func compare(before, after map[string]any, anonymous bool, was, is map[string]any) {
	for name, old := range before {
		inner, isObject := old.(map[string]any)
		other, areObjects := after[name].(map[string]any)
		switch {
		case isObject && areObjects:
			innerWas, innerIs := map[string]any{}, map[string]any{}
			compare(inner, other, anonymous, innerWas, innerIs)
			keep(was, name, innerWas, anonymous)
			keep(is, name, innerIs, anonymous)
		case !reflect.DeepEqual(old, after[name]):
			keep(was, name, old, anonymous)
			keep(is, name, after[name], anonymous)
		}
	}
	for name, now := range after {
		if _, known := before[name]; !known {
			keep(is, name, now, anonymous)
		}
	}
}

func keep(to map[string]any, name string, value any, anonymous bool) {
	switch {
	case isSecret(name) || empty(value):
	case anonymous && isPersonal(name):
	default:
		to[name] = shortened(value, anonymous)
	}
}

// shortened returns a value without secrets, with long texts and lists cut.
func shortened(value any, anonymous bool) any {
	switch value := value.(type) {
	case string:
		if anonymous && isContact(value) {
			return "•••"
		}
		if runes := []rune(value); len(runes) > textLimit {
			return string(runes[:textLimit]) + "…"
		}
	case []any:
		cut := make([]any, 0, min(len(value), itemsLimit))
		for _, item := range value[:min(len(value), itemsLimit)] {
			cut = append(cut, shortened(item, anonymous))
		}
		return cut
	case map[string]any:
		cut := map[string]any{}
		for name, member := range value {
			if len(cut) < itemsLimit {
				keep(cut, name, member, anonymous)
			}
		}
		return cut
	}
	return value
}

// limitSize returns nil for an object whose JSON is too long.
func limitSize(object map[string]any) map[string]any {
	if len(object) == 0 {
		return nil
	}
	if text, err := json.Marshal(object); err != nil || len(text) > dataLimit {
		return map[string]any{"shortened": true}
	}
	return object
}

// Sent returns what an entry keeps of a body: no secrets, no contacts, and nothing that may be personal.
func Sent(body *form.Node) map[string]any {
	sent, _ := sentValue(body).(map[string]any)
	return limitSize(sent)
}

func sentValue(n *form.Node) any {
	switch {
	case n.File() != nil:
		return map[string]any{"bytes": len(n.File().Bytes)}
	case !n.IsGroup():
		return shortened(n.Text(), true)
	case n.IsList() && n.Len() > 0:
		list := []any{}
		for _, child := range n.Children() {
			if len(list) < itemsLimit {
				list = append(list, sentValue(child))
			}
		}
		return list
	}
	object := map[string]any{}
	for name, child := range n.Children() {
		if len(object) < itemsLimit && !isPersonal(name) && !secretChild(name, child) {
			object[name] = sentValue(child)
		}
	}
	return object
}

// secretChild reports whether a member of a body is a secret. A list of coupons that are used has objects, of which
// only the code is one.
func secretChild(name string, n *form.Node) bool {
	return isSecret(name) && !(strings.EqualFold(name, "coupons") && n.Child("0").IsGroup())
}

// impersonal returns an object with the values that say nothing about a person: ids, numbers and yes or no.
func impersonal(object map[string]any) map[string]any {
	rest := map[string]any{}
	for name, value := range object {
		switch value := value.(type) {
		case bool, float64:
			rest[name] = value
		case string:
			if form.IsUUID(value) {
				rest[name] = value
			}
		case map[string]any:
			if inner := impersonal(value); len(inner) > 0 {
				rest[name] = inner
			}
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return rest
}
