// Package webhook sends the events of a store to the addresses that its administrators subscribe,
// signed according to Standard Webhooks. Delivery is at least once, and in order for each aggregate.
package webhook

import (
	"slices"
	"strings"
	"time"

	"punchcard/platform/event"
	"punchcard/platform/fault"
	"punchcard/platform/outbound"
)

// The limits of subscriptions.
const (
	SubscriptionLimit = 20 // per store, without deleted ones and that of the settings
	NameLimit         = 50 // event names of a subscription
	HeaderLimit       = 10 // headers of a subscription

	// RotationOverlap is how long the old secret signs too after a rotation.
	RotationOverlap = 24 * time.Hour
	// FailingLimit is how long all attempts may fail before a subscription is disabled.
	FailingLimit = 5 * 24 * time.Hour
)

// Subscription is an address of a store with the event types that it receives.
type Subscription struct {
	StoreKey       int64
	ID             string
	URL            string
	Description    string
	EventNames     []string // types or short names, or prefixes of them followed by a star
	Headers        []Header
	Active         bool
	Deleted        bool
	DisabledReason string    // why it was disabled automatically, empty otherwise
	FailingSince   time.Time // the first failure after the last success; zero when there is none
	Signed         bool
	Secret         string
	OldSecret      string // also signs until OldSecretUntil
	OldSecretUntil time.Time
	Position       int64 // id of the last event that was read
	Managed        bool  // by the settings of the store
	// SubscriberID names the administrator or API key that saved it last. If it is empty, everything is sent.
	SubscriberID string
	CreatedAt    time.Time
}

// Header is sent with every call. Its value may be a secret and is never shown.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// The errors of operations on subscriptions.
var (
	ErrTooMany = fault.New(fault.Refused, "too_many_subscriptions", "The store has too many web hook subscriptions")
	// ErrNoEvents refuses to subscribe, change and replay.
	ErrNoEvents = fault.New(fault.Forbidden, "events_not_permitted",
		"Web hooks send events, which needs the permission EVENT VIEW.")
	ErrNotSigned = fault.New(fault.Refused, "subscription_not_signed", "The calls of this subscription are not signed")
)

// anyEvent is the wildcard for the rest of an event type, or for all of it.
const anyEvent = "*"

// nameFits reports whether an event name of a subscription matches the type.
func nameFits(name, eventType string) bool {
	if beginning, open := strings.CutSuffix(name, anyEvent); open {
		return strings.HasPrefix(eventType, beginning)
	}
	return name == eventType
}

// wants reports whether the subscription receives the event.
func (s *Subscription) wants(e *event.Event) bool {
	called := e.Type
	if s.isShort() {
		name := shortNameOf(e)
		if name == nil {
			return false
		}
		called = name.name
	}
	return slices.ContainsFunc(s.EventNames, func(name string) bool { return nameFits(name, called) })
}

// isShort reports whether the subscription has short names: it has either all or none.
func (s *Subscription) isShort() bool { return isShort(s.EventNames[0]) }

// rotate replaces the secret. The old one also signs for RotationOverlap, and an even older one is
// dropped.
func (s *Subscription) rotate(now time.Time) {
	s.OldSecret, s.OldSecretUntil = s.Secret, now.Add(RotationOverlap)
	s.Secret = outbound.NewSecret()
}

// secrets returns the secrets that sign now, the newest first.
func (s *Subscription) secrets(now time.Time) []string {
	switch {
	case !s.Signed:
		return nil
	case s.OldSecret != "" && now.Before(s.OldSecretUntil):
		return []string{s.Secret, s.OldSecret}
	}
	return []string{s.Secret}
}

// record updates the subscription after an attempt, and reports whether it changed. It disables the
// subscription when the receiver responded with 410, or has failed for FailingLimit.
func (s *Subscription) record(o outbound.Outcome, now time.Time) (changed bool) {
	switch {
	case o.OK():
		changed = !s.FailingSince.IsZero()
		s.FailingSince = time.Time{}
		return changed
	case o.Problem == notPermitted:
		s.switchOff("Who subscribed may no longer see events.")
		return true
	case o.Gone:
		s.switchOff("The receiver answered 410 Gone.")
		return true
	case s.FailingSince.IsZero():
		s.FailingSince = now
		return true
	case s.Active && now.Sub(s.FailingSince) >= FailingLimit:
		s.switchOff("Every attempt failed since " + s.FailingSince.Format(time.RFC3339) + ".")
		return true
	}
	return false
}

func (s *Subscription) switchOff(reason string) { s.Active, s.DisabledReason = false, reason }

// switchOn activates the subscription. It continues at its position.
func (s *Subscription) switchOn() { s.Active, s.DisabledReason, s.FailingSince = true, "", time.Time{} }
