package demo

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"punchcard/loyalty/customer"
)

const (
	historyDays   = 365
	historyPeople = 999 // besides the customer who logs in
	day           = 24 * time.Hour

	launchDays  = 21 // in which the first people register
	launchShare = 15 // percent of all people
)

// Country is where the demonstration's store is.
const Country = "PL"

// Zone is the time zone of the demonstration's store. Days of the history begin by it.
const Zone = "Europe/Warsaw"

// kind is the kind of a visit.
type kind int

// Visits of one day are played in this order if they have the same time.
const (
	joins kind = iota
	getsBonus
	pays
	givesBack
	redeems
	usesCoupon
	answersSurvey
	givesPoints
	exchanges
	isBlocked
)

// visit is one thing that a guest does at one moment.
type visit struct {
	at    time.Time
	kind  kind
	guest int      // index in plan.guests
	n     int      // meaning depends on the kind: a value, or another guest
	paid  *receipt // of pays and givesBack
}

// receipt is a sale that is planned. Its content is drawn from the seed when it is registered.
type receipt struct {
	number   string
	shop     int
	seed     uint64
	quantity int64 // most pieces on a line
}

// guest is a person of the history.
type guest struct {
	customer.Registration
	joined    time.Time
	shop      int  // where they buy most
	inShop    bool // was registered by the seller of the shop
	confirmed bool
}

// plan is a year of visits, drawn from the seed. It depends on its last moment and the number of people alone, so that
// an interrupted load continues with the same plan.
type plan struct {
	guests []guest
	days   [][]visit // by day since the first, each in order of time
	steps  []step
}

// step is a part of a day. The last part of a day has an evening, at which jobs run.
type step struct {
	visits  []visit
	evening time.Time
	weekly  bool // weekly jobs run, too
}

// visitsAtOnce returns how many visits share a transaction: enough to save syncs, few enough not to delay requests. On
// SQLite every other write waits, on PostgreSQL only what concerns the same customers, campaigns and points of sale.
func visitsAtOnce(engine string) int {
	if engine == "sqlite" {
		return 8
	}
	return 32
}

// drawPlan draws the year until a moment, with a number of visits at once. The first guest is the customer who logs in.
func drawPlan(until time.Time, zone *time.Location, people, atOnce int) *plan {
	p := &plan{days: make([][]visit, historyDays+1)}
	first := firstDay(until, zone)
	rng := draws(streamGuests)
	emails := map[string]bool{"user@example.com": true}
	joined := drawJoined(rng, first, until, people)
	p.guests = append(p.guests, guest{joined: first, Registration: customer.Registration{
		Email: "user@example.com", FirstName: "Anna", LastName: "Nowak",
	}})
	for i, at := range joined {
		p.guests = append(p.guests, drawGuest(rng, i+1, at, emails))
	}
	y := &year{plan: p, first: first, until: until, zone: zone}
	for i := range p.guests {
		y.live(draws(streamVisits+uint64(i)), i)
	}
	p.number()
	p.divide(first, until, atOnce)
	return p
}

// divide splits the days into steps.
func (p *plan) divide(first, until time.Time, atOnce int) {
	for n, visits := range p.days {
		for len(visits) > atOnce {
			p.steps = append(p.steps, step{visits: visits[:atOnce]})
			visits = visits[atOnce:]
		}
		evening := first.AddDate(0, 0, n+1).Add(-time.Second)
		if evening.After(until) {
			evening = until
		}
		p.steps = append(p.steps, step{visits, evening, n%7 == 6})
	}
}

// firstDay returns the beginning of the day a year before until.
func firstDay(until time.Time, zone *time.Location) time.Time {
	y, m, d := until.In(zone).Date()
	return time.Date(y, m, d-historyDays, 0, 0, 0, 0, zone)
}

// drawJoined draws when people register, oldest first: more and more of them, with the rhythm of the shops.
func drawJoined(rng *rand.Rand, first, until time.Time, people int) []time.Time {
	weights, sum := make([]float64, historyDays), 0.0
	for n := range weights {
		sum += (0.6 + 1.1*float64(n)/historyDays) * traffic(first.AddDate(0, 0, n))
		weights[n] = sum
	}
	joined := make([]time.Time, people)
	launched := people * launchShare / 100
	for i := range joined {
		if i < launched {
			joined[i] = openingHour(rng, first.AddDate(0, 0, rng.IntN(launchDays)))
			continue
		}
		n, _ := slices.BinarySearch(weights, rng.Float64()*sum)
		joined[i] = openingHour(rng, first.AddDate(0, 0, min(n, historyDays-1)))
	}
	slices.SortFunc(joined, time.Time.Compare)
	for i, at := range joined {
		if at.After(until) {
			joined[i] = until
		}
	}
	return joined
}

// traffic returns how many people visit the shops on a day, relative to a usual one.
func traffic(day time.Time) float64 {
	weekdays := [...]float64{0.6, 0.8, 0.8, 0.9, 1, 1.3, 1.7} // from Sunday
	rate := weekdays[day.Weekday()]
	switch date := day.Day(); day.Month() {
	case time.December:
		switch {
		case date < 24:
			rate *= 1.9
		case date < 27:
			rate *= 0.1
		}
	case time.January:
		rate *= 0.75
	case time.July, time.August:
		rate *= 0.85
	case time.November:
		if date > 20 {
			rate *= 1.3
		}
	}
	return rate
}

// openingHour draws a moment of the day between eight and eight.
func openingHour(rng *rand.Rand, day time.Time) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d, 8, 0, rng.IntN(12*3600), 0, day.Location()).UTC()
}

// habits are how often people come in a week, how many pieces of a product they buy at most, and how many of a thousand
// people have these habits.
var habits = []struct {
	share    int
	weekly   float64
	quantity int64
}{{550, 0.025, 2}, {270, 0.1, 2}, {130, 0.25, 3}, {44, 0.65, 4}, {6, 0.5, 20}}

// year is a plan that is being drawn.
type year struct {
	*plan
	first, until time.Time
	zone         *time.Location
}

// add plans a visit, unless the year is over by then.
func (y *year) add(v visit) {
	v.at = v.at.UTC()
	local, first := v.at.In(y.zone), y.first
	n := int((time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0, y.zone).Sub(first)) / day)
	if v.at.Before(y.until) && n < len(y.days) {
		y.days[n] = append(y.days[n], v)
	}
}

// live draws the visits of a guest in the year.
func (y *year) live(rng *rand.Rand, i int) {
	g := &y.guests[i]
	habit := habits[0]
	for at, left := 0, rng.IntN(1000); at < len(habits); at++ {
		if habit = habits[at]; left < habit.share {
			break
		}
		left -= habit.share
	}
	if i == 0 {
		habit = habits[2]
	} else {
		y.add(visit{at: g.joined, kind: joins, guest: i})
	}
	y.bonuses(rng, i)
	if i > 0 && !g.confirmed {
		return
	}
	if chance(rng, 55) && i > 0 {
		y.shops(rng, i, g.joined.Add(time.Duration(1+rng.IntN(20))*time.Minute), habit.quantity)
	}
	for at := y.dayOf(g.joined).AddDate(0, 0, 1); at.Before(y.until); at = at.AddDate(0, 0, 1) {
		if rng.Float64() < habit.weekly/7*traffic(at) {
			y.shops(rng, i, openingHour(rng, at), habit.quantity)
		}
	}
	blocked := y.until.Add(-time.Duration(1+rng.IntN(60*24)) * time.Hour)
	if i > 0 && rng.IntN(1000) < 15 && blocked.After(g.joined) {
		y.add(visit{at: blocked, kind: isBlocked, guest: i})
	}
}

func (y *year) dayOf(at time.Time) time.Time {
	local := at.In(y.zone)
	return time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, y.zone)
}

// shops plans a receipt and what the guest does in the days after it.
func (y *year) shops(rng *rand.Rand, i int, at time.Time, quantity int64) {
	g := &y.guests[i]
	r := &receipt{shop: g.shop, seed: rng.Uint64(), quantity: quantity}
	if chance(rng, 20) {
		r.shop = rng.IntN(len(shops) + len(moreShops))
	}
	y.add(visit{at: at, kind: pays, guest: i, paid: r})
	if i == 0 {
		return // the customer who logs in keeps their points
	}
	after := func(days int) time.Time { return openingHour(rng, y.dayOf(at).AddDate(0, 0, 1+rng.IntN(days))) }
	if chance(rng, 4) {
		y.add(visit{at: after(10), kind: givesBack, guest: i, paid: r})
	}
	if chance(rng, 45) {
		redeemed := after(3)
		y.add(visit{at: redeemed, kind: redeems, guest: i})
		if chance(rng, 75) {
			y.add(visit{at: openingHour(rng, y.dayOf(redeemed).AddDate(0, 0, rng.IntN(18))), kind: usesCoupon, guest: i})
		}
	}
	switch {
	case chance(rng, 4):
		y.add(visit{at: after(5), kind: answersSurvey, guest: i})
	case chance(rng, 1):
		y.add(visit{at: after(5), kind: givesPoints, guest: i, n: 1 + rng.IntN(len(y.guests)-1)})
	case chance(rng, 2):
		y.add(visit{at: after(5), kind: exchanges, guest: i})
	}
}

// bonuses plans grants that expire: a welcome, and some occasions in the year.
func (y *year) bonuses(rng *rand.Rand, i int) {
	g := &y.guests[i]
	if chance(rng, 50) && g.confirmed {
		y.add(visit{at: g.joined.Add(time.Minute), kind: getsBonus, guest: i, n: 20})
	}
	for n := 20; n < historyDays; n += 36 {
		at := y.first.AddDate(0, 0, n).Add(11 * time.Hour)
		if drawn := chance(rng, 13); drawn && at.After(g.joined) && g.confirmed {
			y.add(visit{at: at, kind: getsBonus, guest: i, n: 10 * (2 + rng.IntN(7))})
		}
	}
}

// number puts the visits of each day in order, and gives the receipts the numbers that the tills print.
func (p *plan) number() {
	printed := map[string]int{}
	for _, visits := range p.days {
		slices.SortFunc(visits, func(a, b visit) int {
			return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.guest, b.guest))
		})
		for _, v := range visits {
			if v.kind == pays {
				till := fmt.Sprintf("%s/%d", shop(v.paid.shop).Identifier, v.at.Year())
				printed[till]++
				v.paid.number = fmt.Sprintf("%s/%05d", till, printed[till])
			}
		}
	}
}
