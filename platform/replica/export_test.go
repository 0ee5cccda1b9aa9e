package replica

import (
	"context"
	"time"
)

// Join joins the changes that a place has of the only generation, as tidy does.
func Join(r *Replicator, name string, place Place) error {
	generations, err := listGenerations(context.Background(), place)
	if err != nil {
		return err
	}
	g := &generation{Replicator: r, name: name}
	for _, f := range generations[len(generations)-1] {
		if f.level == changesLevel {
			g.changes = append(g.changes, f)
		}
	}
	return g.join(context.Background())
}

// Fresh is for how long files that were joined are kept.
const Fresh = fineTime + time.Second
