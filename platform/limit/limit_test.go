package limit

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/platform/fault"
)

func mustWait(t *testing.T, l *Limiter, key string, now time.Time, want time.Duration) {
	t.Helper()
	left, err := l.Take(key, now)
	limited, isFault := errors.AsType[*fault.Error](err)
	if !isFault || limited.Kind != fault.Limited || limited.RetryAfter != want || left.Quota != 0 || left.Reset != want {
		t.Errorf("got %v and %+v, want a pause of %s", err, left, want)
	}
}

func mustPass(t *testing.T, l *Limiter, key string, now time.Time) {
	t.Helper()
	if _, err := l.Take(key, now); err != nil {
		t.Errorf("%s: %v", key, err)
	}
}

func TestSomeInARowAndThenOneAPause(t *testing.T) {
	l, now := New("test", Rate{3, 90 * time.Second}, DefaultKeys), time.Unix(1000, 0)
	for range 3 {
		mustPass(t, l, "a", now)
	}
	mustWait(t, l, "a", now, 30*time.Second)
	mustWait(t, l, "a", now.Add(10*time.Second), 20*time.Second)
	mustPass(t, l, "b", now)
	mustPass(t, l, "a", now.Add(30*time.Second))
	mustWait(t, l, "a", now.Add(30*time.Second), 30*time.Second)
	afterwards := now.Add(time.Hour)
	for range 3 {
		mustPass(t, l, "a", afterwards)
	}
	mustWait(t, l, "a", afterwards, 30*time.Second)
}

func TestWhatIsGivenBackDoesNotCount(t *testing.T) {
	l, now := New("test", Rate{2, time.Minute}, DefaultKeys), time.Unix(1000, 0)
	for range 10 {
		mustPass(t, l, "a", now)
		if left := l.GiveBack("a", now); left.Quota != 2 || left.Reset != 0 {
			t.Errorf("nothing is used: %+v", left)
		}
	}
	if n := l.remembered(); n != 0 {
		t.Errorf("%d keys are remembered", n)
	}
	mustPass(t, l, "a", now)
	mustPass(t, l, "a", now)
	if left := l.GiveBack("a", now); left.Quota != 1 || left.Reset != 30*time.Second {
		t.Errorf("one of two is left: %+v", left)
	}
	mustPass(t, l, "a", now)
	mustWait(t, l, "a", now, 30*time.Second)
	if l.GiveBack("unknown", now).Quota != 2 {
		t.Error("what was never taken is given back")
	}
}

func (l *Limiter) remembered() (n int) {
	for i := range l.shards {
		n += len(l.shards[i].emptyAt)
	}
	return n
}

func TestABoundedNumberOfKeysIsRemembered(t *testing.T) {
	const keys = shards * evictionSample // a full shard is looked at whole, so that the choice is certain
	l, now := New("test", Rate{5, 5 * time.Second}, keys), time.Unix(1000, 0)
	for range 5 {
		mustPass(t, l, "attacked", now)
	}
	for i := range 100 * keys {
		mustPass(t, l, strconv.Itoa(i), now)
	}
	if n := l.remembered(); n != keys {
		t.Errorf("%d keys are remembered, want %d", n, keys)
	}
	mustWait(t, l, "attacked", now, time.Second)
}

// A clock that was wrong by an hour does not lock anybody out for an hour.
func TestAClockThatIsSetBack(t *testing.T) {
	l, now := New("test", Rate{2, time.Minute}, DefaultKeys), time.Unix(10_000, 0)
	mustPass(t, l, "a", now)
	mustWait(t, l, "a", now.Add(-time.Hour), 30*time.Second)
	mustPass(t, l, "a", now.Add(30*time.Second-time.Hour))
	if left := l.GiveBack("a", now.Add(-2*time.Hour)); left.Quota != 1 {
		t.Errorf("one of two is left: %+v", left)
	}
}

func TestNoLimit(t *testing.T) {
	l := New("test", Rate{}, DefaultKeys)
	for range 1000 {
		mustPass(t, l, "a", time.Unix(1000, 0))
	}
	header := map[string][]string{}
	l.GiveBack("a", time.Unix(1000, 0)).SetHeaders(header)
	if l != nil || len(header) != 0 {
		t.Errorf("no limit tells %v", header)
	}
}

func TestHeaders(t *testing.T) {
	now, header := time.Unix(1000, 0), map[string][]string{}
	for _, l := range []*Limiter{
		New("daily", Rate{100, 24 * time.Hour}, 1), New("burst", Rate{1, 1500 * time.Millisecond}, 1),
	} {
		left, err := l.Take("a", now)
		if err != nil {
			t.Fatal(err)
		}
		left.SetHeaders(header)
	}
	want := map[string][]string{
		"Ratelimit-Policy": {`"daily";q=100;w=86400, "burst";q=1;w=2`}, "Ratelimit": {`"daily";r=99;t=864, "burst";r=0;t=2`},
	}
	if diff := cmp.Diff(want, header); diff != "" {
		t.Error(diff)
	}
}

func TestRates(t *testing.T) {
	for text, want := range map[string]Rate{
		"0": {}, "10/5m": {10, 5 * time.Minute}, "1/1s": {1, time.Second}, "2000000000/24h": {2_000_000_000, 24 * time.Hour},
	} {
		var got Rate
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if l := New("test", got, 1); l != nil {
			mustPass(t, l, "a", time.Unix(1000, 0))
		}
	}
	for _, text := range []string{"", "10", "/5m", "10/", "0/1m", "-1/1m", "10/0s", "10/-1m", "10/1.5s", "10/500ms",
		"10/25h", "3000000000/1m", "ten/1m", "10/1m/1m", "10 / 1m"} {
		if err := new(Rate).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is a rate", text)
		}
	}
}

func BenchmarkTake(b *testing.B) {
	l, now := New("test", Rate{1_000_000_000, time.Hour}, DefaultKeys), time.Unix(1000, 0)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := l.Take("0190b3a2-0000-7000-8000-000000000000", now); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func TestKeysWithRatesOfTheirOwn(t *testing.T) {
	l, now := NewVarying("key", DefaultKeys), time.Unix(1000, 0)
	take := func(key string, quota int) (Remaining, error) { return l.Take(key, Rate{quota, time.Minute}, now) }
	for i := range 3 {
		if left, err := take("a", 3); err != nil || left.Quota != 2-i {
			t.Errorf("%+v, %v", left, err)
		}
		if left, err := take("b", 60); err != nil || left.Quota != 59-i {
			t.Errorf("%+v, %v", left, err)
		}
		if left, err := take("free", 0); err != nil || left != (Remaining{}) {
			t.Errorf("%+v, %v", left, err)
		}
	}
	if left, err := take("a", 3); err == nil || left.Reset != 20*time.Second {
		t.Errorf("at the limit: %+v, %v", left, err)
	}
	if left, err := take("a", 1); err == nil || left.Reset != time.Minute { // of a lower rate, nothing more is owed
		t.Errorf("with a lower rate: %+v, %v", left, err)
	}
	if left, err := take("a", 120); err == nil || left.Reset != 500*time.Millisecond {
		t.Errorf("with a higher rate: %+v, %v", left, err)
	}
	if left, err := (*Varying)(nil).Take("a", Rate{1, time.Minute}, now); err != nil || left != (Remaining{}) {
		t.Errorf("no limiter: %+v, %v", left, err)
	}
}
