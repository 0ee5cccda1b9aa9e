package message

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Reach is how a message would reach its recipient.
type Reach struct {
	Channels      map[string]bool // on which it would leave
	Undeliverable map[string]bool // on which the address was refused for good
}

// Reaches returns how each of some messages would reach its recipient if it was queued now.
func Reaches(tx *db.Tx, s *store.Store, all ...Message) ([]Reach, error) {
	found := make([]Reach, len(all))
	at := make(map[*Message]*Reach, len(all))
	for i := range all {
		found[i] = Reach{map[string]bool{}, map[string]bool{}}
		at[&all[i]] = &found[i]
	}
	deliveries, err := plan(tx, s, all)
	if err != nil || len(deliveries) == 0 {
		return found, err
	}
	addresses := make([]string, len(deliveries))
	for i := range deliveries {
		addresses[i] = deliveries[i].address
	}
	refused, err := undeliverable(tx, s.Key, db.Distinct(addresses)...)
	if err != nil {
		return nil, err
	}
	type address struct{ channel, address string }
	gone := map[address]bool{}
	for _, u := range refused {
		gone[address{u.Channel, u.Address}] = true
	}
	for i := range deliveries {
		p := &deliveries[i]
		channel, _ := channelOf(p.queue)
		if gone[address{channel, p.address}] {
			at[p.of].Undeliverable[channel] = true
		} else {
			at[p.of].Channels[channel] = true
		}
	}
	return found, nil
}
