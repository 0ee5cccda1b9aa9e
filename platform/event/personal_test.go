package event

import (
	"encoding/json"
	"slices"
	"testing"
)

type home struct {
	City string `json:"city,omitempty"`
	Flat int64  `json:"flat,omitempty"`
}

type person struct {
	Name   string   `json:"name"`
	Email  string   `json:"email,omitempty"`
	Phone  *string  `json:"phone,omitempty"`
	Home   *home    `json:"home,omitempty"`
	Work   home     `json:"work"`
	Labels []string `json:"labels,omitempty"`
	Adult  bool     `json:"adult"`
}

type met struct {
	ID struct {
		PersonID string `json:"personId"`
	} `json:"personId"`
	Person person `json:"person"`
	Note   string `json:"note"`
}

func (met) EventType() string { return "Platform.Test.Event.Met" }

// Clearing and leaving out affect the same members, for any payload.
func TestEditNamesTheMembersThatItClears(t *testing.T) {
	edit := Editing(func(m *met) {
		m.Person.Name, m.Person.Email, m.Person.Home, m.Person.Labels, m.Note = "-", "", nil, nil, ""
		if m.Person.Phone != nil {
			*m.Person.Phone = ""
		}
		m.Person.Work.City = ""
	})
	want := []string{"note", "person.email", "person.home", "person.labels", "person.name", "person.phone",
		"person.work.city"}
	if !slices.Equal(edit.Members, want) {
		t.Errorf("the edit clears %q, want %q", edit.Members, want)
	}
	for payload, want := range map[string]string{
		`{"personId":{"personId":"7"},"person":{"name":"Ida","email":"i@x","phone":"1","home":{"city":"B"},` +
			`"work":{"city":"B","flat":12345678901234567890},"labels":["a"],"adult":true},"note":"<n>"}`: `{"person":` +
			`{"adult":true,"work":{"flat":12345678901234567890}},"personId":{"personId":"7"}}`,
		`{"personId":{"personId":"7"},"person":{"name":"","adult":false},"note":""}`: `{"person":{"adult":false},` +
			`"personId":{"personId":"7"}}`,
		`{"note":"n","more":"<b> & c"}`: `{"more":"<b> & c"}`,
		`{"more":  1}`:                  `{"more":  1}`,
	} {
		got, err := edit.Without(json.RawMessage(payload))
		if err != nil || string(got) != want {
			t.Errorf("%s without its person: %s %v, want %s", payload, got, err, want)
		}
	}
	if _, err := edit.Without(json.RawMessage(`{"person":7}`)); err == nil {
		t.Error("a payload of another form is shown")
	}
	if got, err := (Edit{}).Without(json.RawMessage(`{"a":1}`)); err != nil || string(got) != `{"a":1}` {
		t.Errorf("an edit of nothing changes a payload: %s %v", got, err)
	}
}
