package mail

import (
	"errors"
	"net/textproto"
	"regexp"
	"slices"
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

// outcomeOf returns the outcome of a failed attempt. Only what the server says about the recipient or the content ends
// the attempts. Other refusals come from somewhere else: from the configuration, such as a wrong password, from the
// reputation of the sender, or from a mailbox that is full. They pass, or somebody can correct them.
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
	if o.Status < 500 {
		return o
	}
	enhanced := enhancedCode(text)
	ofContent := failed.Reason == gomail.ErrSMTPData || failed.Reason == gomail.ErrSMTPDataClose
	switch {
	case !ofContent && failed.Reason != gomail.ErrSMTPRcptTo: // about the sender
	case slices.Contains(ofRecipient, enhanced):
		o.Refused, o.Gone, o.Hopeless = true, true, true
	case ofContent && (strings.HasPrefix(enhanced, "5.6.") || slices.Contains(tooLarge, enhanced) ||
		slices.Contains(unspecific, enhanced) && slices.Contains(bareOfContent, o.Status)):
		o.Refused, o.Hopeless = true, true
	case !ofContent && slices.Contains(unspecific, enhanced) && slices.Contains(bareOfRecipient, o.Status):
		o.Doubtful = true
	}
	return o
}

// The enhanced status codes (RFC 3463) on which an outcome depends.
var (
	// ofRecipient lists the codes of recipients who do not exist: bad mailbox, bad domain, bad syntax, moved, no mail for
	// the domain, mailbox disabled. All others, such as 5.2.2, 5.4.x and 5.7.x, may be different tomorrow.
	ofRecipient = []string{"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"}
	tooLarge    = []string{"5.2.3", "5.3.4"}
	unspecific  = []string{"", "5.0.0"} // the status is all that is known
)

// What a status without a specific code may mean. 550 is also the response of servers that block the sender.
var (
	bareOfRecipient = []int{550, 551, 553}
	bareOfContent   = []int{550, 551, 553, 554, 555, 556}
)

// enhanced matches the enhanced code of a response in an error, right after the status. Anywhere else it may be a part
// of the text, such as of an IP address.
var enhanced = regexp.MustCompile(`^[^:]*: 5[0-9]{2} "?(5\.[0-9]{1,3}\.[0-9]{1,3})(?:[^0-9.]|$)`)

// enhancedCode returns the enhanced code in an error, or an empty text. The server need not have announced such codes.
func enhancedCode(text string) string {
	if found := enhanced.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// problem returns the text of an error as one line of limited length.
func problem(text string) string {
	text = line(text)
	return strings.ToValidUTF8(text[:min(len(text), problemLimit)], "")
}
