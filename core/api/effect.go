package api

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"punchcard/core/access"
	"punchcard/platform/db"
)

// EffectsType is the media type of the effects of a dry run, for clients that accept it. They list what a call would
// change, read from its transaction: docs/behaviour/dry-run.md#effects.
const EffectsType = "application/vnd.punchcard.effects+json"

// Effect is a list of numbers that a call would change, such as balances. A feature declares it and notes the numbers.
type Effect struct {
	Name   string                                      // of the list
	View   func(id string, before, after int64) any    // of a number that changes: a struct
	MaySee func(caller *access.Caller, id string) bool // whether a caller could read the number
}

// noted is the number of an object at a moment of a dry run.
type noted struct {
	effect *Effect
	id     string
	n      int64
}

// Note notes the number of an object in a dry run: when it is locked, and whenever it is written.
func (e *Effect) Note(tx *db.Tx, id string, n int64) {
	if tx.IsDry() {
		tx.Record(noted{e, id, n})
	}
}

// EventEffect is an event that the call would record.
type EventEffect struct {
	Type string `json:"type"`
}

// recordedEvent is a fact that was appended.
type recordedEvent interface{ EventType() string }

// EffectsOf returns the type of the effects of a dry run: a struct with the status of the response, the events that
// would be recorded, and the lists.
func EffectsOf(effects []*Effect) reflect.Type {
	fields := []reflect.StructField{
		{Name: "Status", Type: reflect.TypeFor[int](), Tag: `json:"status"`},
		{Name: "Events", Type: reflect.TypeFor[[]EventEffect](), Tag: `json:"events"`},
	}
	for i, e := range effects {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("List", i), Type: reflect.SliceOf(reflect.TypeOf(e.View("", 0, 0))),
			Tag: reflect.StructTag(fmt.Sprintf("json:%q", e.Name)),
		})
	}
	return reflect.StructOf(fields)
}

// acceptsEffects reports whether the client asks for effects instead of the body.
func (c *Call) acceptsEffects() bool {
	for _, line := range c.Header["Accept"] {
		for entry := range strings.SplitSeq(line, ",") {
			media, _, _ := strings.Cut(entry, ";")
			if strings.EqualFold(strings.TrimSpace(media), EffectsType) {
				return true
			}
		}
	}
	return false
}

// effects sums up what the operations have recorded. Callers see the numbers that they could read.
func (c *Call) effects(recorded []any) any {
	status, _ := c.Held()
	events := []EventEffect{}
	type span struct{ before, after int64 }
	spans := map[*Effect]map[string]span{}
	for _, one := range recorded {
		switch one := one.(type) {
		case recordedEvent:
			events = append(events, EventEffect{one.EventType()})
		case noted:
			if spans[one.effect] == nil {
				spans[one.effect] = map[string]span{}
			}
			of, known := spans[one.effect][one.id]
			if !known {
				of.before = one.n
			}
			of.after = one.n
			spans[one.effect][one.id] = of
		}
	}
	all := reflect.New(EffectsOf(c.server.Effects)).Elem()
	all.FieldByName("Status").SetInt(int64(max(status, http.StatusOK)))
	all.FieldByName("Events").Set(reflect.ValueOf(events))
	for i, e := range c.server.Effects {
		list := all.FieldByName(fmt.Sprint("List", i))
		list.Set(reflect.MakeSlice(list.Type(), 0, len(spans[e])))
		for _, id := range slices.Sorted(maps.Keys(spans[e])) {
			if of := spans[e][id]; of.before != of.after && c.Caller != nil && e.MaySee(c.Caller, id) {
				list.Set(reflect.Append(list, reflect.ValueOf(e.View(id, of.before, of.after))))
			}
		}
	}
	return all.Interface()
}

// sendEffects responds with effects instead of what the handler responded.
func (c *Call) sendEffects(effects any) error {
	c.Hold()
	header := c.ResponseHeader()
	header["Vary"] = append(header["Vary"], "Accept")
	if err := c.OK(effects); err != nil {
		return err
	}
	header["Content-Type"] = []string{EffectsType}
	return nil
}
