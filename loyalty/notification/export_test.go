package notification

// What the endpoints do, for tests without them.
var (
	SetGateway    = setGateway
	DeleteGateway = deleteGateway
)
