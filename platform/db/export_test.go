package db

// Waiting is how many operations wait for SQLite's writer.
func (d *DB) Waiting() int { return len(d.engine.(*sqliteEngine).writer.queue) }
