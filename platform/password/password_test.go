package password

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/alexedwards/argon2id"
	"github.com/google/go-cmp/cmp"

	"punchcard/platform/fault"
)

func TestHashIsVerified(t *testing.T) {
	hash, err := Hash(t.Context(), "Correct horse 1")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("the hash is %q", hash)
	}
	second, err := Hash(t.Context(), "Correct horse 1")
	if err != nil || second == hash {
		t.Errorf("two hashes of one password are equal: %v", err)
	}
	for plain, want := range map[string]bool{"Correct horse 1": true, "correct horse 1": false, "": false} {
		if got, err := Verify(t.Context(), plain, hash); got != want || err != nil {
			t.Errorf("%q: %t, %v", plain, got, err)
		}
	}
}

// An unknown name must cost what a known one costs.
func TestNobodyHasAPassword(t *testing.T) {
	params, _, _, err := argon2id.DecodeHash(dummyHash)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(cost, params); diff != "" {
		t.Errorf("the cost of an unknown name differs: %s", diff)
	}
	for _, plain := range []string{"", "Correct horse 1", strings.Repeat("x", MaxBytes+1)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if match, err := Verify(t.Context(), plain, ""); match || err != nil {
			t.Errorf("%q matches nobody: %t, %v", plain, match, err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took < uint64(cost.Memory)<<10 {
			t.Errorf("%q was refused after %d bytes of work", plain, took)
		}
	}
}

func TestLongPasswordsAreRefused(t *testing.T) {
	long := strings.Repeat("aA1-", MaxBytes/4)
	hash, err := Hash(t.Context(), long)
	if err != nil {
		t.Fatal(err)
	}
	if match, err := Verify(t.Context(), long, hash); !match || err != nil {
		t.Errorf("the longest password does not match: %v", err)
	}
	if match, err := Verify(t.Context(), long+"x", hash); match || err != nil {
		t.Errorf("a longer password matches: %v", err)
	}
	if _, err := Hash(t.Context(), long+"x"); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a longer password is hashed: %v", err)
	}
	if problems := Problems(long+"x", false); len(problems) != 1 {
		t.Errorf("a longer password has the problems %q", problems)
	}
}

func TestBrokenHashIsADefect(t *testing.T) {
	if match, err := Verify(t.Context(), "open", "open"); match || err == nil {
		t.Errorf("a stored plain text matches: %t, %v", match, err)
	}
}

func TestWaitForACoreIsBounded(t *testing.T) {
	defer func(shared *queue) { cores = shared }(cores)
	synctest.Test(t, func(t *testing.T) {
		cores = newQueue(0)
		if _, err := Hash(t.Context(), "x"); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("after the limit: %v", err)
		}
		limited, cancel := context.WithTimeout(t.Context(), WaitLimit/2)
		defer cancel()
		if _, err := Verify(limited, "x", ""); fault.KindOf(err) != fault.Unavailable {
			t.Errorf("after the deadline: %v", err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := Verify(gone, "x", ""); !errors.Is(err, context.Canceled) {
			t.Errorf("after the caller left: %v", err)
		}
	})
}

func TestGenerateSatisfiesBothRules(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		plain := Generate()
		if problems := append(Problems(plain, false), Problems(plain, true)...); len(problems) > 0 || seen[plain] {
			t.Errorf("%q: %q, seen before: %t", plain, problems, seen[plain])
		}
		seen[plain] = true
	}
}

func messages(plain string, simple bool) (all []string) {
	for _, problem := range Problems(plain, simple) {
		all = append(all, problem.Message)
	}
	return all
}

func TestProblems(t *testing.T) {
	const (
		eight   = "Your password must be at least 8 characters long."
		six     = "Your password must be at least 6 characters long."
		cases   = "Your password must include both upper and lower case letters."
		number  = "Your password must include at least one number."
		special = "Your password must contain at least one special character."
		letter  = "Your password must include at least one letter."
	)
	for _, test := range []struct {
		plain            string
		advanced, simple []string
	}{
		{"Abcdef1!", nil, nil},
		{"Zażółć1-", nil, nil},
		{"", []string{eight, cases, number, special}, []string{six, letter}},
		{"Abcde1!", []string{eight}, nil},
		{"abcdef1!", []string{cases}, nil},
		{"ABCDEF1!", []string{cases}, nil},
		{"Abcdefg!", []string{number}, nil},
		{"Abcdefg1", []string{special}, nil},
		{"123456", []string{eight, cases, special}, []string{letter}},
		{"ążół1", []string{eight, cases, special}, []string{six}},
	} {
		if diff := cmp.Diff(test.advanced, messages(test.plain, false)); diff != "" {
			t.Errorf("%q, advanced: %s", test.plain, diff)
		}
		if diff := cmp.Diff(test.simple, messages(test.plain, true)); diff != "" {
			t.Errorf("%q, simple: %s", test.plain, diff)
		}
	}
}
