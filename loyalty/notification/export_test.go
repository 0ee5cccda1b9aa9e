package notification

// Operations of the endpoints, for tests.
var (
	SetGateway    = setGateway
	DeleteGateway = deleteGateway
)
