package api

import (
	"cmp"
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
