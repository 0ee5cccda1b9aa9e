package db

import "time"

// Now is the present moment of the operation, in UTC. It does not change during the operation.
func (tx *Tx) Now() time.Time { return tx.began.Add(tx.ahead) }

// ServerNow is Now by the server's clock, also in an operation whose clock is ahead of it. Sessions, tokens and
// deliveries use it.
func (tx *Tx) ServerNow() time.Time { return tx.began }

// Ahead returns the same operation with a clock that is ahead of the server's. tx keeps its own clock.
func (tx *Tx) Ahead(ahead time.Duration) *Tx { return &Tx{tx.shared, ahead} }
