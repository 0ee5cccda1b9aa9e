package auth

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"punchcard/platform/fault"
)

func TestLimiterAllowsSomeInARowAndThenOneAPause(t *testing.T) {
	l, now := newLimiter(3, 30*time.Second, 100), time.Unix(1000, 0)
	for range 3 {
		if err := l.take("a", now); err != nil {
			t.Fatal(err)
		}
	}
	mustWait(t, l.take("a", now), 30*time.Second)
	mustWait(t, l.take("a", now.Add(10*time.Second)), 20*time.Second)
	if err := l.take("b", now); err != nil {
		t.Errorf("another key is limited too: %v", err)
	}
	if err := l.take("a", now.Add(30*time.Second)); err != nil {
		t.Errorf("after the pause: %v", err)
	}
	mustWait(t, l.take("a", now.Add(30*time.Second)), 30*time.Second)
	later := now.Add(time.Hour)
	for range 3 {
		if err := l.take("a", later); err != nil {
			t.Fatalf("after a long pause: %v", err)
		}
	}
	mustWait(t, l.take("a", later), 30*time.Second)
}

func TestLimiterForgetsWhatWasNoFailure(t *testing.T) {
	l, now := newLimiter(2, 30*time.Second, 100), time.Unix(1000, 0)
	for range 10 {
		if err := l.take("a", now); err != nil {
			t.Fatal(err)
		}
		l.giveBack("a", now)
	}
	if len(l.emptyAt) != 0 {
		t.Errorf("%d keys are remembered", len(l.emptyAt))
	}
	_ = l.take("a", now)
	_ = l.take("a", now)
	l.giveBack("a", now)
	if err := l.take("a", now); err != nil {
		t.Errorf("one of two was given back: %v", err)
	}
	mustWait(t, l.take("a", now), 30*time.Second)
}

func TestLimiterRemembersABoundedNumberOfKeys(t *testing.T) {
	const keys = 8 // as many as are looked at, so that the choice is certain
	l, now := newLimiter(5, time.Second, keys), time.Unix(1000, 0)
	for range 5 {
		_ = l.take("attacked", now)
	}
	for i := range 1000 {
		if err := l.take(strconv.Itoa(i), now); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.emptyAt) != keys {
		t.Errorf("%d keys are remembered, want %d", len(l.emptyAt), keys)
	}
	mustWait(t, l.take("attacked", now), time.Second)
}

func TestNetworkOfAClient(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:4000":                 "192.0.2.7",
		"[::ffff:192.0.2.7]:4000":        "192.0.2.7",
		"[2001:db8:1:2:3:4:5:6]:4000":    "2001:db8:1:2::/64",
		"[2001:db8:1:2:ffff::1%eth0]:80": "2001:db8:1:2::/64",
		"@":                              "@",
	} {
		if got := network(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func mustWait(t *testing.T, err error, want time.Duration) {
	t.Helper()
	limited, isFault := errors.AsType[*fault.Error](err)
	if !isFault || limited.Kind != fault.Limited || limited.RetryAfter != want {
		t.Errorf("got %v, want a pause of %s", err, want)
	}
}
