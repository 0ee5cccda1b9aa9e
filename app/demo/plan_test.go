package demo

import (
	"reflect"
	"testing"
	"time"
)

func zone(t *testing.T) *time.Location {
	t.Helper()
	loaded, err := time.LoadLocation(Zone)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

var moments = []time.Time{
	time.Date(2026, 11, 23, 5, 45, 0, 0, time.UTC),
	time.Date(2028, 2, 29, 22, 59, 59, 0, time.UTC),
	time.Date(2027, 3, 28, 1, 30, 0, 0, time.UTC), // the night in which summer time begins
	time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC),
}

const fewAtOnce = 8

// A plan fills the year in order of time, and the same moment gives the same plan.
func TestPlan(t *testing.T) {
	for _, until := range moments {
		p := drawPlan(until, zone(t), historyPeople, fewAtOnce)
		if again := drawPlan(until, zone(t), historyPeople, fewAtOnce); !reflect.DeepEqual(p, again) {
			t.Errorf("%v: two plans", until)
		}
		first, last := firstDay(until, zone(t)), time.Time{}
		numbers, kinds, evenings := map[string]bool{}, map[kind]int{}, 0
		for _, s := range p.steps {
			if len(s.visits) > fewAtOnce {
				t.Errorf("%v: %d visits at once", until, len(s.visits))
			}
			for _, v := range s.visits {
				kinds[v.kind]++
				if v.at.Before(first) || v.at.After(until) || v.at.Before(last) {
					t.Fatalf("%v: a visit at %v after one at %v", until, v.at, last)
				}
				if last = v.at; v.at.Before(p.guests[v.guest].joined) {
					t.Fatalf("%v: guest %d comes at %v before they join", until, v.guest, v.at)
				}
				if v.kind != pays {
					continue
				}
				if numbers[v.paid.number] {
					t.Errorf("%v: receipt %s twice", until, v.paid.number)
				}
				numbers[v.paid.number] = true
			}
			if !s.evening.IsZero() {
				evenings++
				if s.evening.Before(last) || s.evening.After(until) {
					t.Errorf("%v: evening %v after a visit at %v", until, s.evening, last)
				}
			}
		}
		if evenings != historyDays+1 {
			t.Errorf("%v: %d days", until, evenings)
		}
		for k := joins; k <= isBlocked; k++ {
			if kinds[k] == 0 {
				t.Errorf("%v: nothing of kind %d", until, k)
			}
		}
		if n := kinds[joins]; n < historyPeople-5 || n > historyPeople {
			t.Errorf("%v: %d of %d people join", until, n, historyPeople)
		}
		if kinds[pays] < 2500 || kinds[pays] > 5000 {
			t.Errorf("%v: %d receipts", until, kinds[pays])
		}
	}
}

// More people come on Saturdays than on Sundays, and before the holidays than after.
func TestPlanHasARhythm(t *testing.T) {
	until := moments[0]
	weekdays, months := map[time.Weekday]int{}, map[time.Month]int{}
	for _, visits := range drawPlan(until, zone(t), historyPeople, fewAtOnce).days {
		for _, v := range visits {
			if v.kind == pays {
				weekdays[v.at.Weekday()]++
				months[v.at.Month()]++
			}
		}
	}
	if weekdays[time.Saturday] < 2*weekdays[time.Sunday] || months[time.December] < 3*months[time.January]/2 ||
		months[time.October] < months[time.March] {
		t.Errorf("receipts by day %v, by month %v", weekdays, months)
	}
}

// E-mail addresses are unique and plain, also of names in other alphabets.
func TestGuestsHaveAddresses(t *testing.T) {
	emails := map[string]bool{}
	for _, g := range drawPlan(moments[0], zone(t), historyPeople, fewAtOnce).guests {
		if emails[g.Email] {
			t.Errorf("%s twice", g.Email)
		}
		emails[g.Email] = true
		for _, letter := range g.Email {
			if letter > 'z' {
				t.Errorf("address %s", g.Email)
			}
		}
	}
}

// Each campaign has a drawing.
func TestDrawings(t *testing.T) {
	for _, list := range [][]offer{offers, seasonOffers} {
		for _, o := range list {
			if _, err := drawings.ReadFile("drawings/" + drawn[o.link] + ".png"); err != nil {
				t.Errorf("%s: %v", o.en.name, err)
			}
		}
	}
}
