package fault

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestErrorsAreComparedByCode(t *testing.T) {
	taken := New(Refused, "name_taken", "This value is already used.")
	other := New(Refused, "code_taken", "This value is already used.")
	if errors.Is(taken, other) {
		t.Error("errors with different codes are equal")
	}
	for _, copied := range []error{
		taken.WithCause(errors.New("row 7")), taken.After(time.Second), taken.WithSetting("--far"),
		fmt.Errorf("create: %w", taken),
	} {
		if !errors.Is(copied, taken) || KindOf(copied) != Refused {
			t.Errorf("%v does not equal the error it was made from", copied)
		}
	}
	if taken.RetryAfter != 0 || taken.Setting != "" || taken.Unwrap() != nil {
		t.Error("a copy changed its original")
	}
}

func TestMessages(t *testing.T) {
	limit := New(Fields, "too_long", "%d characters or less")
	for err, want := range map[*Error]string{
		limit.With(5):                                "5 characters or less",
		New(Invalid, "bad", ""):                      "bad",
		New(Invalid, "bad", "").WithCause(errTest):   "broken",
		New(Invalid, "bad", "No").WithCause(errTest): "No: broken",
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err.Error(), want)
		}
	}
}

var errTest = errors.New("broken")

// Stored responses have the names of kinds: each kind has one of its own.
func TestNamesOfKinds(t *testing.T) {
	for kind := Internal; kind <= Unavailable; kind++ {
		name, err := kind.MarshalText()
		var again Kind
		if err != nil || len(name) == 0 || again.UnmarshalText(name) != nil || again != kind {
			t.Errorf("kind %d has the name %q, which is read as %d", kind, name, again)
		}
	}
	var k Kind
	if k.UnmarshalText([]byte("unheard")) == nil {
		t.Error("an unknown kind is read")
	}
}
