package mail

import (
	"errors"
	"net/textproto"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"punchcard/platform/outbound"
)

// accepted is the status of an e-mail that the server took.
const accepted = 250

// problemLimit is the maximum length of an error, in bytes.
const problemLimit = 300

// isLost reports whether the connection was found broken before the e-mail began.
func isLost(err error) bool {
	failed, is := errors.AsType[*gomail.SendError](err)
	return is && failed.Reason == gomail.ErrConnCheck
}

// outcomeOf returns the outcome of a failed attempt. Only what the server says about the recipient or
// the content ends the attempts: other refusals, such as a wrong password, come from the configuration,
// which somebody can correct.
func outcomeOf(err error) outbound.Outcome {
	failed, is := errors.AsType[*gomail.SendError](err)
	if !is {
		o := outbound.Outcome{Problem: "connecting: " + problem(outbound.Cause(err).Error())}
		if answer, is := errors.AsType[*textproto.Error](err); is {
			o.Status = answer.Code
		}
		return o
	}
	text, _, _ := strings.Cut(failed.Error(), ", affected") // recipients follow
	o := outbound.Outcome{Status: failed.ErrorCode(), Problem: problem(text)}
	if !isFinal(failed.ErrorCode(), failed.EnhancedStatusCode()) {
		return o
	}
	switch failed.Reason {
	case gomail.ErrSMTPRcptTo:
		o.Refused, o.Gone, o.Hopeless = true, true, true
	case gomail.ErrSMTPData, gomail.ErrSMTPDataClose:
		o.Refused, o.Hopeless = true, true
	}
	return o
}

// isFinal reports whether a refusal concerns the recipient or the content: a status of 550 and above that
// is not about security or policy (X.7.X), such as relaying that is denied.
func isFinal(status int, enhanced string) bool {
	return status >= 550 && status <= 599 && !strings.HasPrefix(enhanced, "5.7.")
}

// problem returns the text of an error as one line of limited length.
func problem(text string) string {
	text = line(text)
	return strings.ToValidUTF8(text[:min(len(text), problemLimit)], "")
}
