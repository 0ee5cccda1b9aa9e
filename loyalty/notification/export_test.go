package notification

// Operations of the endpoints, for tests.
var (
	SetGateway    = setGateway
	DeleteGateway = deleteGateway
)

// TextOf returns the text of an exported notification.
func TextOf(item any) string { return item.(view).Text }
