package api

import (
	"time"

	"punchcard/platform/delivery"
)

// AttemptState is the JSON of the attempts of a delivery, embedded in views.
type AttemptState struct {
	State         string  `json:"state"`
	Attempts      int     `json:"attempts"`
	CreatedAt     string  `json:"createdAt"`
	LastAttemptAt *string `json:"lastAttemptAt,omitempty"`
	LastStatus    int     `json:"lastStatus,omitempty"`
	LastError     string  `json:"lastError,omitempty"`
	NextAttemptAt *string `json:"nextAttemptAt,omitempty"`
}

// AttemptStateOf returns the view of t with times in a zone.
func AttemptStateOf(t *delivery.Progress, zone *time.Location) AttemptState {
	return AttemptState{
		State: t.State, Attempts: t.Attempts, CreatedAt: Timestamp(t.CreatedAt, zone),
		LastAttemptAt: OptionalTimestamp(t.AttemptedAt, zone), LastStatus: t.Status, LastError: t.Error,
		NextAttemptAt: OptionalTimestamp(t.DueAt, zone),
	}
}
