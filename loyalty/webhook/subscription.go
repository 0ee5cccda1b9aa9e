// Package webhook sends the events of a store to the addresses that its administrators subscribe, signed as
// Standard Webhooks has it, at least once, and in the order of each aggregate.
package webhook

import (
	"slices"
	"strings"
	"time"

	"punchcard/platform/fault"
	"punchcard/platform/outbound"
)

// The limits of subscriptions.
const (
	SubscriptionLimit = 20 // of a store, deleted ones apart
	NameLimit         = 50 // event names of a subscription
	HeaderLimit       = 10 // headers of a subscription

	// RotationOverlap is how long an old secret signs beside the new one.
	RotationOverlap = 24 * time.Hour
	// FailingLimit is how long every attempt may fail before a subscription is switched off.
	FailingLimit = 5 * 24 * time.Hour
)

// Subscription is one address of a store and what it wants to hear of.
type Subscription struct {
	StoreKey       int64
	ID             string
	URL            string
	Description    string
	EventNames     []string // types, or their beginnings with a star at the end
	Headers        []Header
	Active         bool
	Deleted        bool
	DisabledReason string    // why it was switched off by itself, empty otherwise
	FailingSince   time.Time // the first failure after the last success; zero when there is none
	Signed         bool
	Secret         string
	OldSecret      string // signs too until OldSecretUntil
	OldSecretUntil time.Time
	Position       int64 // id of the last event that was looked at
	CreatedAt      time.Time
}

// Header is sent with every call. Its value may be a secret, so that it is never shown.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// The refusals of operations on subscriptions.
var (
	ErrTooMany   = fault.New(fault.Refused, "The store has too many web hook subscriptions")
	ErrNotSigned = fault.New(fault.Refused, "The calls of this subscription are not signed")
)

// anyEvent is the star that stands for the rest of a type's name, or for all of it.
const anyEvent = "*"

// nameFits says whether an event name of a subscription means the type.
func nameFits(name, eventType string) bool {
	if beginning, open := strings.CutSuffix(name, anyEvent); open {
		return strings.HasPrefix(eventType, beginning)
	}
	return name == eventType
}

// wants says whether the subscription hears of events of the type.
func (s *Subscription) wants(eventType string) bool {
	return slices.ContainsFunc(s.EventNames, func(name string) bool { return nameFits(name, eventType) })
}

// rotate gives the subscription a new secret; the old one signs for RotationOverlap more, and one that is still older
// no longer.
func (s *Subscription) rotate(now time.Time) {
	s.OldSecret, s.OldSecretUntil = s.Secret, now.Add(RotationOverlap)
	s.Secret = outbound.NewSecret()
}

// secrets are those that sign now, the newest first.
func (s *Subscription) secrets(now time.Time) []string {
	switch {
	case !s.Signed:
		return nil
	case s.OldSecret != "" && now.Before(s.OldSecretUntil):
		return []string{s.Secret, s.OldSecret}
	}
	return []string{s.Secret}
}

// heard tells the subscription how an attempt went; changed says whether it is to be stored. It switches itself off
// when the receiver is gone for good, or fails for too long.
func (s *Subscription) record(o outbound.Outcome, now time.Time) (changed bool) {
	switch {
	case o.OK():
		changed = !s.FailingSince.IsZero()
		s.FailingSince = time.Time{}
		return changed
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

// switchOn lets it go on where it stopped.
func (s *Subscription) switchOn() { s.Active, s.DisabledReason, s.FailingSince = true, "", time.Time{} }
