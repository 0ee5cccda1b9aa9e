package limit

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Rate is a number of uses in a window. Quota uses are available at once, and come back evenly over the Window. The
// zero Rate is no limit.
type Rate struct {
	Quota  int
	Window time.Duration
}

var errRate = errors.New("a rate is a number and a duration of whole seconds, as in 100/1m; 0 means no limit")

// String returns the rate as UnmarshalText parses it.
func (r Rate) String() string {
	if r.Quota == 0 {
		return "0"
	}
	return strconv.Itoa(r.Quota) + "/" + r.Window.String()
}

// UnmarshalText parses a rate such as 100/1m, or 0 for no limit.
func (r *Rate) UnmarshalText(text []byte) error {
	if string(text) == "0" {
		*r = Rate{}
		return nil
	}
	number, duration, _ := strings.Cut(string(text), "/")
	quota, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return errRate
	}
	window, err := time.ParseDuration(duration)
	if err != nil || quota <= 0 || window < time.Second || window%time.Second != 0 || window > longest {
		return errRate
	}
	*r = Rate{int(quota), window}
	return nil
}

// longest is the longest window. Counts of longer windows would rarely outlive the process.
const longest = 24 * time.Hour
