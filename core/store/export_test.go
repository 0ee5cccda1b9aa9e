package store

// EverywhereWithin is Everywhere that waits another time for each store.
var EverywhereWithin = everywhere
