package app

import (
	_ "embed"
	"maps"
	"slices"

	"punchcard/core/api/openapi"
	"punchcard/loyalty/eventlog"
	"punchcard/platform/event"
)

// operations has a line for each endpoint: its method, its path, and the name that generated clients give to its call.
// A name never changes, since that would break the programs which use it.
//
//go:embed operations.txt
var operations string

func operationNames() openapi.Names {
	names, err := openapi.ParseNames(operations)
	if err != nil {
		panic(err) // the file is a part of the program
	}
	return names
}

// eventTypes returns the types of events with their payloads, sorted by name.
func (all features) eventTypes() []openapi.Event {
	personal, facts := eventlog.PersonalMembers(), map[string]event.Fact{}
	for _, emission := range all.emissions() {
		for _, fact := range emission.Facts {
			facts[fact.EventType()] = fact
		}
	}
	var types []openapi.Event
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		types = append(types, openapi.Event{Type: name, Payload: facts[name], Personal: personal[name]})
	}
	return types
}
