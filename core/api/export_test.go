package api

// HideMembers is for tests.
var HideMembers = hideMembers
