package api

import (
	"fmt"
	"math"
	"net/http"
)

// Factor decides whether a call needs a second factor that was used lately, and gives the reason if none does:
// docs/behaviour/second-factor.md#step-up. Each endpoint that writes has one, and there is no default.
type Factor struct {
	why string
	ask func(*Call) error // nil asks for nothing
}

// String returns when the factor is needed, or why it is not.
func (f Factor) String() string { return f.why }

// IsAlways reports whether every call needs the factor.
func (f Factor) IsAlways() bool { return f.why == Always.why }

// Always asks at every call. It is for what gives access or rights, moves data to other servers, or erases it.
var Always = Factor{"always", (*Call).StepUp}

// InHandler asks where the handler finds that the call needs it, with StepUp, StepUpPoints or a Guard.
var InHandler = Factor{"depends on the body", nil}

// Reasons not to ask.
var (
	NoSession  = Factor{"no: the caller has no session", nil}          // anyone may call
	Proven     = Factor{"no: proved by a password, code or link", nil} // which the call holds or follows
	Own        = Factor{"no: changes only what is the caller's", nil}  // and no way to sign in
	NoWrite    = Factor{"no: changes nothing", nil}                    // shows or tries
	Restricts  = Factor{"no: takes access away", nil}                  // as when something has happened
	TakesBack  = Factor{"no: takes back what was done", nil}           // and returns to what was before
	Everyday   = Factor{"no: everyday work that gives no access", nil} // and that can be changed back
	BeganThere = Factor{"no: goes on with what had the factor", nil}   // the call that began it asked
)

// AllPoints is more than any limit of StepUpPoints.
const AllPoints = math.MaxInt64

// ByPoints asks a caller who moves many points, those of earlier calls included. The function returns how many the call
// moves, in hundredths.
func ByPoints(moved func(*Call) (int64, error)) Factor {
	return Factor{"from `--step-up-points` in 24 hours", func(c *Call) error {
		hundredths, err := moved(c)
		if err != nil {
			return err
		}
		return c.StepUpPoints(hundredths)
	}}
}

// check panics if the endpoint lacks an operation or, if it writes, what every such row declares: whether it needs a
// second factor, and its name in the audit log.
func (e *Endpoint) check() {
	_, isFile := e.Response.(File)
	switch {
	case e.Handle == nil:
		panic(fmt.Sprintf("api: %s %s has no operation", e.Method, e.Path))
	case isFile:
		panic(fmt.Sprintf("api: %s %s does not say of which media type its file is", e.Method, e.Path))
	case e.Do.writes && e.Factor.why == NoWrite.why:
		panic(fmt.Sprintf("api: %s %s writes, and says that it changes nothing", e.Method, e.Path))
	case e.Do.writes && e.Audit.Event == "":
		panic(fmt.Sprintf("api: %s %s has no name for the audit log", e.Method, e.Path))
	case e.Method == http.MethodGet:
	case e.Factor.why == "":
		panic(fmt.Sprintf("api: %s %s does not say whether it needs a second factor", e.Method, e.Path))
	case e.Audit.Event == "" && e.Factor.why != NoWrite.why:
		panic(fmt.Sprintf("api: %s %s has no name for the audit log", e.Method, e.Path))
	}
}

// StepUp refuses a caller who has to use a second factor first, for handlers that find out themselves whether the call
// needs one. It runs outside of transactions.
func (c *Call) StepUp() error {
	if c.server.StepUp == nil {
		return nil
	}
	return c.server.StepUp(c)
}

// StepUpPoints counts points, in hundredths, that the caller moves, and refuses a caller who moves many and has to use
// a second factor first. It runs outside of transactions. A dry run is not counted.
func (c *Call) StepUpPoints(hundredths int64) error {
	if c.server.StepUpPoints == nil {
		return nil
	}
	dry, err := c.isDry()
	if err != nil {
		return err
	}
	return c.server.StepUpPoints(c, hundredths, !dry)
}
