package transaction

import "punchcard/platform/event"

// Facts are the events of transactions, for the emissions of package app, which knows all hooks.
var Facts = struct{ Registered, Matched, Assigned event.Fact }{
	transactionWasRegistered{}, customerWasAssignedToTransaction{}, assignedTransactionToCustomer{},
}
