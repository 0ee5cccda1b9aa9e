package notification

// TextOf returns the text of an exported notification.
func TextOf(item any) string { return item.(view).Text }
