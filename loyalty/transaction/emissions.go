package transaction

import "punchcard/platform/event"

// Facts are the events of documents, as the rooms declare them that know all that follows.
var Facts = struct{ Registered, Matched, Assigned event.Fact }{
	transactionWasRegistered{}, customerWasAssignedToTransaction{}, assignedTransactionToCustomer{},
}
