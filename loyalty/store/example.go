package store

import "time"

// ExampleLanguages and Example stand for those of a request where a form is described without one.
var (
	ExampleLanguages = Languages{{Code: "en", Name: "English", Default: true}, {Code: "pl", Name: "Polski", Position: 1}}
	Example          = &Store{Code: "DEFAULT", Currency: "EUR", Active: true, Settings: DefaultSettings(), Zone: time.UTC}
)
