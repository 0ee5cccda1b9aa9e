package demo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/decimal"
)

const (
	peopleCount = 300
	yearDays    = 365
	// earnedSpread is how many points above the tier's condition the highest tier's member has at most.
	earnedSpread = 4000
)

// The seed, and a random stream for each purpose, so that one more draw in one stream changes no other.
const (
	seed         = 20_260_101
	streamPeople = 1
	streamShop   = 2
	streamTill   = 3
	streamCodes  = 100 // and one more for each campaign
)

func draws(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// person is a customer before the registration.
type person struct {
	customer.Registration
	tier        int  // set by hand when above the lowest
	activates   bool // confirms their own registration
	isBlocked   bool // at the end
	grants      []points.Grant
	spentTenths int // how much of it was spent at the point of sale
}

// people returns the customers: first the one who logs in, then the others in the order of their registration.
func people(now time.Time, userPasswordHash string) []person {
	rng := draws(streamPeople)
	joined := make([]time.Time, peopleCount)
	for i := range joined {
		joined[i] = now.Add(-time.Duration(rng.Int64N(yearDays*24*3600)) * time.Second).Truncate(time.Second)
	}
	slices.SortFunc(joined, time.Time.Compare)
	emails := map[string]bool{}
	all := make([]person, peopleCount)
	for i := range all {
		all[i] = draw(rng, i, joined[i], now)
		all[i].Email = unique(emails, &all[i].Registration, rng)
	}
	all[0] = user(all[0], now, userPasswordHash)
	return all
}

// user returns the customer of the demonstration's log-in.
func user(p person, now time.Time, passwordHash string) person {
	p.Registration = customer.Registration{
		Email: "user@example.com", Phone: p.Phone, LoyaltyCard: p.LoyaltyCard, FirstName: "Anna", LastName: "Nowak",
		Gender: "female", BirthDate: "1990-05-14", Agreements: [3]bool{true, true, false},
		Address: customer.Address{
			Street: "ul. Lipowa", Address1: "7", Postal: "30-110", City: "Kraków", Province: "małopolskie", Country: "PL",
		},
		Labels:    []customer.Label{{Key: "source", Value: "web"}, {Key: "favourite", Value: "espresso"}},
		CreatedAt: p.CreatedAt, PasswordHash: passwordHash, Active: true,
	}
	p.tier, p.activates, p.isBlocked, p.spentTenths = 2, false, false, 0
	p.grants = []points.Grant{
		grant(50, "Welcome points", p.CreatedAt),
		grant(1_500, "Thank you for the first year", now.AddDate(0, 0, -30)),
		grant(260, "Points for a survey", now.AddDate(0, 0, -3)),
	}
	return p
}

func draw(rng *rand.Rand, i int, joined, now time.Time) person {
	p := person{Registration: customer.Registration{
		CreatedAt: joined, Agreements: [3]bool{true, chance(rng, 60), chance(rng, 30)},
	}}
	country := poland
	if chance(rng, 35) {
		country = britain
	}
	country.name(rng, &p.Registration)
	if chance(rng, 80) {
		p.Phone = fmt.Sprintf(country.phone, i)
	}
	if chance(rng, 55) {
		p.LoyaltyCard = fmt.Sprintf("6100%07d", 1_000+i*7_919)
	}
	if chance(rng, 60) {
		p.Address = country.address(rng)
	}
	if chance(rng, 75) {
		p.BirthDate = fmt.Sprintf("%d-%02d-%02d", 1946+rng.IntN(61), 1+rng.IntN(12), 1+rng.IntN(28))
	}
	if chance(rng, 5) {
		p.Company = customer.Company{
			Name: p.LastName + " " + pick(rng, trades), NIP: fmt.Sprintf("000%07d", rng.IntN(10_000_000)),
		}
	}
	for _, label := range labels {
		if chance(rng, 30) {
			p.Labels = append(p.Labels, customer.Label{Key: label.key, Value: pick(rng, label.values)})
		}
	}
	switch way := rng.IntN(100); {
	case way < 6: // registered by themselves and has not confirmed it
		return p
	case way < 50:
		p.activates = true
	default: // registered by the shop
		p.Active = true
	}
	p.isBlocked = chance(rng, 3)
	p.tier = pick(rng, tierShares)
	p.grants = drawGrants(rng, p.tier, joined, now)
	if chance(rng, 20) {
		p.spentTenths = 1 + rng.IntN(3)
	}
	return p
}

// tierShares holds each tier as many times as there are members in it among twenty.
var tierShares = []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3}

// drawGrants draws the grants of a member since the registration, which together exceed the condition of the tier.
func drawGrants(rng *rand.Rand, tier int, joined, now time.Time) []points.Grant {
	const welcome = 50
	spread := int64(earnedSpread)
	if tier+1 < len(tiers) {
		spread = tiers[tier+1].condition - tiers[tier].condition - welcome
	}
	rest := tiers[tier].condition + rng.Int64N(spread)
	grants := []points.Grant{grant(welcome, "Welcome points", joined)}
	since, pieces := now.Sub(joined), 1+rng.Int64N(5)
	for n := range pieces {
		value := rest
		if n < pieces-1 {
			value = rng.Int64N(rest + 1)
		}
		rest -= value
		step := since / time.Duration(pieces)
		at := joined.Add(step*time.Duration(n) + time.Duration(rng.Int64N(int64(step)+1))).Truncate(time.Second)
		if value > 0 {
			grants = append(grants, grant(value, pick(rng, occasions), at))
		}
	}
	return grants
}

func grant(value int64, comment string, at time.Time) points.Grant {
	return points.Grant{Value: decimal.Whole(value), Comment: comment, Issuer: points.ByAdmin, CreatedAt: at}
}

// unique makes an e-mail address from the name that no earlier person has.
func unique(taken map[string]bool, in *customer.Registration, rng *rand.Rand) string {
	name := ascii.Replace(strings.ToLower(in.FirstName + "." + in.LastName))
	domain := pick(rng, []string{"example.com", "example.org"})
	email := name + "@" + domain
	for n := 2; taken[email]; n++ {
		email = fmt.Sprintf("%s%d@%s", name, n, domain)
	}
	taken[email] = true
	return email
}

func chance(rng *rand.Rand, percent int) bool { return rng.IntN(100) < percent }

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }
