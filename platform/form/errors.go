package form

import "punchcard/platform/fault"

// The errors of fields that forms of any feature have. Clients compare the messages of some of them, so that
// different codes can have the same message.
var (
	Blank    = fault.New(fault.Fields, "blank", "This value should not be blank.")
	NotValid = fault.New(fault.Fields, "not_valid", "This value is not valid.")

	WrongType     = Invalid("wrong_type") // a group or file in the place of a text, or the other way round
	NotANumber    = Invalid("not_a_number")
	UnknownChoice = Invalid("unknown_choice")
	NotAnID       = Invalid("not_an_id")
	NotADate      = Invalid("not_a_date")
	NotAnInteger  = fault.New(fault.Fields, "not_an_integer", "This value should be of type integer.")

	TooLow       = fault.New(fault.Fields, "too_low", "This value should be %s or more.")
	TooHigh      = fault.New(fault.Fields, "too_high", "This value should be %s or less.")
	notGreater   = fault.New(fault.Fields, "too_low", "This value should be greater than %s.")
	belowMinimum = fault.New(fault.Fields, "too_low", "This value should be greater than or equal to %s.")
	TooPrecise   = fault.New(fault.Fields, "too_precise", "This value should have %d digits or less after the point.")
	notLess      = fault.New(fault.Fields, "too_high", "This value should be less than %s.")

	TooLong = fault.New(fault.Fields, "too_long", "This value is too long. It should have %d characters or less.")
	NoItems = fault.New(fault.Fields, "too_few", "This collection should contain 1 element or more.")
	tooFew  = fault.New(fault.Fields, "too_few", "This collection should contain %d elements or more.")
	TooMany = fault.New(fault.Fields, "too_many", "This collection should contain %d elements or less.")

	AlreadyUsed = fault.New(fault.Fields, "already_used", "This value is already used.")
	NotAURL     = fault.New(fault.Fields, "not_a_url", "This value is not a valid URL.")
	NotAnEmail  = fault.New(fault.Fields, "not_an_email", "This value is not a valid email address.")
	NotAPhone   = fault.New(fault.Fields, "not_a_phone", "This value is not a valid phone number.")
)

// Invalid returns an error with the message of NotValid and a code that says more.
func Invalid(code string) *fault.Error {
	copied := *NotValid
	copied.Code = code
	return &copied
}
