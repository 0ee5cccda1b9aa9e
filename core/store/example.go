package store

import "time"

// ExampleLanguages and Example are used to describe forms without a request.
var (
	ExampleLanguages = Languages{{Code: "en", Name: "English", Default: true}, {Code: "pl", Name: "Polski", Position: 1}}
	Example          = &Store{Code: "DEFAULT", Currency: "EUR", Active: true, Settings: DefaultSettings(), Zone: time.UTC}
)
