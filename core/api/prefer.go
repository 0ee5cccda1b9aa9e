package api

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"punchcard/platform/db"
)

// WaitLimit is for how many seconds a response waits for the end of background work.
const WaitLimit = 20

// Preference returns the value of a preference of the client, such as respond-async (RFC 7240), its name if it has no
// value, or an empty text.
func (c *Call) Preference(name string) string {
	for _, line := range c.Header.Values("Prefer") {
		for part := range strings.SplitSeq(line, ",") {
			part, _, _ = strings.Cut(part, ";")
			found, value, _ := strings.Cut(part, "=")
			if strings.EqualFold(strings.TrimSpace(found), name) {
				return cmp.Or(strings.Trim(value, ` "`), name)
			}
		}
	}
	return ""
}

// preferTimes sends all times with a colon in their offset, as RFC 3339 wants it, to clients that prefer it:
// "Prefer: time=rfc3339". See docs/behaviour/requests.md#time.
func (c *Call) preferTimes() {
	if c.Prefers("time", "rfc3339") {
		c.Rewrite(withColons)
	}
}

// Prefers reports whether the client has a preference, and tells it that the preference is followed.
func (c *Call) Prefers(name, value string) bool {
	if c.Header["Prefer"] == nil || c.Preference(name) != value {
		return false
	}
	header, applied := c.ResponseHeader(), name+"="+value
	if before := header.Get("Preference-Applied"); before != "" {
		applied = before + ", " + applied
	}
	header.Set("Preference-Applied", applied)
	return true
}

var offset = regexp.MustCompile(`"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{4}"`)

// withColons puts a colon into the offset of each time in a JSON text.
func withColons(body []byte) []byte {
	return offset.ReplaceAllFunc(body, func(text []byte) []byte {
		const behind = len(`00"`)
		return slices.Insert(slices.Clone(text), len(text)-behind, ':')
	})
}

// Await calls look until it reports that background work has ended, or for as long as the client prefers to wait, such
// as with "Prefer: wait=10".
func (c *Call) Await(look func() (ended bool, err error)) error {
	const pause = 200 * time.Millisecond
	seconds, _ := strconv.Atoi(c.Preference("wait"))
	left := time.Duration(min(seconds, WaitLimit)) * time.Second
	if db.IsDry(c.Context()) {
		left = 0 // nothing works on it
	}
	for {
		ended, err := look()
		if err != nil || ended || left <= 0 {
			return err
		}
		select {
		case <-c.Context().Done():
			return c.Context().Err()
		case <-time.After(pause):
			left -= pause
		}
	}
}
